// Answers to questions about settings: a search through every schedule, in slices or step by step.

import { WasmSearch } from '#checker';

import { LocketArgumentError } from '../base/errors.js';
import { moduleReady } from '../base/init.js';
import { checkBoolean, knownFields, safeInteger } from '../base/checks.js';
import { Owned } from '../base/owned.js';
import { checkWaiting, inSlices } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';
import type { EventKind, RunnerEventKind } from '../simulation/scenario.js';
import type { Scenario } from '../simulation/scenario-value.js';
import { linkTo } from './moment.js';
import { fieldOfUser, type Question, questionJson } from './question.js';

/**
 * The verdict on a question, within its bounds:
 *
 * * `safe`: no schedule breaks the property, however long it runs;
 * * `unsafe`: a schedule breaks it, and the answer has the smallest;
 * * `unknown`: {@link WhyUnknown} gives the reason.
 */
export type Verdict = 'safe' | 'unknown' | 'unsafe';

/**
 * Why a verdict is unknown:
 *
 * * `too-many-states`: the search reached its limit of states. It proves nothing beyond its reach;
 * * `clock-rates`: a clock's rate puts timers between the instants of the search, and an exact run
 *   does not confirm its finding;
 * * `coarse-grid`: no schedule breaks the property in steps of `grid`, but these steps are too long
 *   for an exact answer;
 * * `never-exercised`: no state tested the property, so the question is probably not the intended
 *   one.
 */
export type WhyUnknown = 'clock-rates' | 'coarse-grid' | 'never-exercised' | 'too-many-states';

/**
 * The progress of a search: every schedule with fewer faults, or as many and an earlier end, was
 * tried.
 */
export interface SearchProgress {
  /** The number of different states found. */
  states: number;
  faults: number;
  timeMs: number;
  /** Why the search may take long, and a setting that shortens it; `null` if it should be short. */
  hint: string | null;
}

/** One event of a story. */
export interface StoryLine {
  timeMs: number;
  kind: EventKind;
  /** The kind of a runner's event; `null` for other events. */
  runner: RunnerEventKind | null;
  /** A sentence. */
  words: string;
  /** The owner of the row; `null` if it does not matter. */
  rowOf: string | null;
  /** The rest of the row's lease without a renewal; negative after the row was deleted. */
  slackMs: number | null;
}

/** A number of a story, and its range that still gives two owners, with all else unchanged. */
export interface StoryRange {
  what: string;
  valueMs: number;
  leastMs: number;
  mostMs: number;
  /** The largest value tried: the question's bound, or twice the pause. */
  triedMs: number;
}

/** A counterexample in words. */
export interface Story {
  lines: StoryLine[];
  ranges: StoryRange[];
}

/** The counterexample with the longest violation. */
export interface LongestSchedule {
  /** How long the violation lasts. */
  lastedMs: number;
  /** Whether no schedule has a longer violation: all were tried, on an exact grid. */
  isExact: boolean;
  /** The schedule as a scenario's JSON. */
  scenario: string;
  /** When the violation exceeds the allowed time. */
  timeMs: number;
  /** A link to that moment. */
  link: string;
}

/** The coverage of a search. */
export interface Coverage {
  /** The events that occurred, as sentences. */
  happened: string[];
  /** The allowed faults that never occurred, so that their effects were not tried. */
  neverHappened: string[];
  /** The states of runners that occurred, as sentences. */
  runners: string[];
  /** The number of different client states. */
  clientStates: number;
  /** The number of different states of Locket with its database. */
  locketStates: number;
}

/**
 * The answer to a question: with the counterexample of a violation, or with `null` in its place.
 */
export type Exploration = ExplorationReport & (Violation | NoViolation);

/** The members of every answer. */
export interface ExplorationReport {
  /** The verdict with its bounds, a few sentences. */
  summary: string;
  /** The bounds within which it holds, as a sentence. */
  bounds: string;
  /** The number of different states found. */
  states: number;
  /** The step of time of the search. */
  gridMs: number;
  /** The longest step that gives an exact answer. */
  exactGridMs: number;
  /** Every schedule with fewer faults than this, or as many and ending earlier, was tried. */
  reached: { faults: number; timeMs: number };
  coverage: Coverage;
  /** The verdict and the story, as text for people. */
  text: string;
}

/** A counterexample. */
export interface Violation {
  verdict: 'unsafe';
  because: null;
  /** The smallest counterexample, in words. */
  story: Story;
  /** The same as a scenario's JSON: `runScenario` and {@link Simulation} replay it. */
  scenario: string;
  /** When the property is broken in the scenario. */
  timeMs: number;
  /** How long there are two owners; `null` if the property is about something else. */
  twoOwnersMs: number | null;
  /**
   * The counterexample with the longest violation of all tried; `null` if the search did not look
   * for it.
   */
  longest: LongestSchedule | null;
  /** A link to that moment: see `Simulation.fromLink`. */
  link: string;
}

/** An answer without a counterexample. */
export type NoViolation = {
  verdict: Exclude<Verdict, 'unsafe'>;
  /** The reason of an unknown verdict. */
  because: WhyUnknown | null;
} & { [M in Exclude<keyof Violation, 'because' | 'verdict'>]: null };

/** Options of {@link Search}. */
export interface SearchOptions {
  /**
   * The most states to keep, 5,000,000 by default, which takes half a gigabyte. A search that needs
   * more ends with the verdict `unknown`.
   */
  maxStates?: number;
}

/** Options of {@link explore}. */
export interface ExploreOptions extends SearchOptions {
  /** Whether to search on after a violation until the longest is known; `true` by default. */
  longest?: boolean;
  /** Aborts the search; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called some hundred times a second with the progress. */
  onProgress?: (progress: SearchProgress) => void;
}

const STATES_DEFAULT = 5_000_000;
const STATES_MAX = 50_000_000;
const BUDGET_MAX = 2 ** 32 - 1;
const SEARCH_OPTIONS = new Set(['maxStates']);
const EXPLORE_OPTIONS = new Set(['longest', 'maxStates', 'signal', 'onProgress']);

/**
 * Tries every schedule that a question allows, with the real code of runners and Locket. The event
 * loop stays responsive.
 *
 * @example
 * ```ts
 * const { verdict, text } = await explore({ ttl: '15s', retryInterval: '5s', latency: '1s', pause: '5s' });
 * if (verdict === 'unsafe') console.log(text);
 * ```
 *
 * @throws `LocketArgumentError` with the name of the invalid member
 */
export async function explore(question: Question, options: ExploreOptions = {}): Promise<Exploration> {
  await moduleReady();
  knownFields('options', options, EXPLORE_OPTIONS);
  const { signal, onProgress, maxStates, longest = true } = options;
  checkBoolean('longest', longest);
  checkWaiting(options);
  const search = new Search(question, maxStates === undefined ? {} : { maxStates });
  try {
    const waiting = { signal, onSlice: () => onProgress?.(search.progress) };
    await inSlices((budget) => search.run(budget) !== 'running', waiting);
    if (longest) await inSlices((budget) => search.runToLongest(budget), waiting);
    return search.answer() as Exploration;
  } finally {
    search.close();
  }
}

/**
 * A search that you run step by step, for example in a Worker.
 *
 * @example
 * ```ts
 * using search = new Search({ ttl: '15s', retryInterval: '5s', latency: '2s' });
 * while (search.run(10_000) === 'running') postMessage(search.progress);
 * postMessage(search.answer());
 * ```
 */
export class Search {
  readonly #owned: Owned<WasmSearch>;
  #verdict: Verdict | 'running' = 'running';

  constructor(question: Question, options: SearchOptions = {}) {
    knownFields('options', options, SEARCH_OPTIONS);
    const statesMax = safeInteger('maxStates', options.maxStates ?? STATES_DEFAULT, 1, STATES_MAX);
    const json = questionJson(question);
    this.#owned = new Owned('search', aboutQuestion(() => new WasmSearch(json, statesMax)));
  }

  /** Visits up to `budget` more states. Returns the verdict, once there is one. */
  run(budget: number): Verdict | 'running' {
    const states = safeInteger('budget', budget, 1, BUDGET_MAX);
    const { core } = this.#owned;
    this.#verdict = callWasm(() => core.run(states) as Verdict | 'running');
    return this.#verdict;
  }

  /**
   * After a violation, visits up to `budget` more states for the longest one. Returns whether the
   * search is complete; without a violation it is complete from the start.
   */
  runToLongest(budget: number): boolean {
    const states = safeInteger('budget', budget, 1, BUDGET_MAX);
    const { core } = this.#owned;
    if (this.#verdict !== 'unsafe') return this.#verdict !== 'running';
    return callWasm(() => core.runToLongest(states));
  }

  /** The progress. */
  get progress(): SearchProgress {
    const { core } = this.#owned;
    return { states: core.states(), faults: core.faults(), timeMs: core.time(), hint: core.hint() ?? null };
  }

  /** The answer; `undefined` while the search is running. */
  answer(): Exploration | undefined {
    const { core } = this.#owned;
    if (this.#verdict === 'running') return undefined;
    return exploration(callWasm(() => core.answer() as { json: string; text: string }));
  }

  /** Frees its memory. Closing twice is fine. */
  close(): void {
    this.#owned.free();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Calls the module with a question, and renames fields in errors to the users' names. */
export function aboutQuestion<T>(call: () => T): T {
  try {
    return callWasm(call);
  } catch (error) {
    if (!(error instanceof LocketArgumentError)) throw error;
    const { field, message } = error;
    throw new LocketArgumentError(fieldOfUser(field) || 'question', message.slice(field.length + 2));
  }
}

/** An answer in the module's form. */
export interface AnswerJson {
  verdict: Verdict;
  because?: WhyUnknown;
  summary: string;
  bounds: string;
  states: number;
  grid: number;
  exactGrid: number;
  reached: { faults: number; time: number };
  coverage: Coverage;
  longest?: { lasted: number; time: number; isExact: boolean; scenario: Scenario };
  time?: number;
  twoOwnersFor?: number;
  scenario?: Scenario;
  story?: {
    lines: (Pick<StoryLine, 'kind' | 'runner' | 'words'> & { time: number; rowOf?: string; slack?: number })[];
    ranges: { what: string; value: number; least: number; most: number; tried: number }[];
  };
}

function exploration({ json, text }: { json: string; text: string }): Exploration {
  const answer = JSON.parse(json) as AnswerJson;
  const { verdict, because = null, summary, bounds, states, grid, exactGrid, reached, coverage, longest, story, time = null, twoOwnersFor = null } = answer;
  const report = {
    summary,
    bounds,
    states,
    gridMs: grid,
    exactGridMs: exactGrid,
    reached: { faults: reached.faults, timeMs: reached.time },
    coverage,
    text,
  };
  if (verdict !== 'unsafe') return { ...report, verdict, because, story: null, scenario: null, timeMs: null, twoOwnersMs: null, longest: null, link: null };
  // The module always sets these three for this verdict.
  const [violation, timeMs, scenario] = [story, time, JSON.stringify(answer.scenario)] as [NonNullable<typeof story>, number, string];
  return {
    ...report,
    verdict,
    because: null,
    story: storyOf(violation),
    scenario,
    timeMs,
    twoOwnersMs: twoOwnersFor,
    longest: longest === undefined ? null : longestOf(longest),
    link: linkTo(scenario, timeMs),
  };
}

function longestOf({ lasted, time, isExact, scenario }: NonNullable<AnswerJson['longest']>): LongestSchedule {
  const text = JSON.stringify(scenario);
  return { lastedMs: lasted, isExact, scenario: text, timeMs: time, link: linkTo(text, time) };
}

/** A story with the users' names. */
export function storyOf({ lines, ranges }: NonNullable<AnswerJson['story']>): Story {
  return {
    lines: lines.map(({ time, rowOf = null, slack = null, ...line }) => ({ ...line, timeMs: time, rowOf, slackMs: slack })),
    ranges: ranges.map(({ what, value, least, most, tried }) => ({ what, valueMs: value, leastMs: least, mostMs: most, triedMs: tried })),
  };
}
