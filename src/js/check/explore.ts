// Answers to questions about settings: a search through every schedule, in slices or by hand.

import { WasmSearch } from '#checker';

import { LocketArgumentError } from '../base/errors.js';
import { moduleReady } from '../base/init.js';
import { checkBoolean, knownFields, safeInteger } from '../base/checks.js';
import { Owned } from '../base/owned.js';
import { checkWaiting, inSlices } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';
import type { Scenario } from '../simulation/scenario-value.js';
import { linkTo } from './moment.js';
import { fieldOfUser, type Question, questionJson } from './question.js';

/**
 * What is known about a question, within its bounds:
 *
 * * `safe`: no schedule breaks the property, for however long it runs;
 * * `unsafe`: a schedule breaks it, and the answer has the smallest;
 * * `unknown`: {@link WhyUnknown} says why.
 */
export type Verdict = 'safe' | 'unknown' | 'unsafe';

/**
 * Why it is unknown:
 *
 * * `too-many-states`: more than may be kept. Nothing is known beyond what was reached;
 * * `clock-rates`: a clock's rate puts timers between the instants of the search, and an exact run does not show what it found;
 * * `coarse-grid`: no schedule in the steps of `grid` breaks the property, and these are longer than an exact answer takes;
 * * `never-exercised`: no state put the property to the test, so the question asks for something else than was meant.
 */
export type WhyUnknown = 'clock-rates' | 'coarse-grid' | 'never-exercised' | 'too-many-states';

/** How far a search is: every schedule with fewer faults, or as many and ending earlier, was tried. */
export interface SearchProgress {
  /** How many different states were found. */
  states: number;
  faults: number;
  timeMs: number;
  /** Why it may take long, and with which value of one setting it would not; `null` where that is not to be expected. */
  hint: string | null;
}

/** One thing that happens in a story. */
export interface StoryLine {
  timeMs: number;
  /** A sentence. */
  words: string;
  /** Whose row there is; `null` where that does not matter. */
  rowOf: string | null;
  /** How long that row lives from then on if nobody renews it; negative once it is gone. */
  slackMs: number | null;
}

/** A number of a story, and what else it could be for two owners, with all else unchanged. */
export interface StoryRange {
  what: string;
  valueMs: number;
  leastMs: number;
  mostMs: number;
  /** The most that was tried: what the question allows, or twice as long as the pause. */
  triedMs: number;
}

/** How a property is broken, told in words. */
export interface Story {
  lines: StoryLine[];
  ranges: StoryRange[];
}

/** The schedule that breaks a property for longest. */
export interface LongestSchedule {
  /** For how long what must not last has lasted. */
  lastedMs: number;
  /** Whether nothing breaks it for longer: every schedule was tried, in steps as fine as that takes. */
  isExact: boolean;
  /** The schedule as a scenario's JSON. */
  scenario: string;
  /** When it has lasted longer than it may. */
  timeMs: number;
  /** A link to that moment. */
  link: string;
}

/** What a search has tried. */
export interface Coverage {
  /** What happened in it, as sentences. */
  happened: string[];
  /** The faults that the question allows and that never happened: nothing that they could do was tried. */
  neverHappened: string[];
  /** How runners were met, as sentences. */
  runners: string[];
  /** In how many situations clients were. */
  clientStates: number;
  /** In how many situations Locket was, with its database. */
  locketStates: number;
}

/** The answer to a question: of a violation with the schedule that shows it, and otherwise with `null` in its place. */
export type Exploration = ExplorationReport & (Violation | NoViolation);

/** What every answer says. */
export interface ExplorationReport {
  /** The verdict with its bounds, a few sentences. */
  summary: string;
  /** The bounds within which it holds, as a sentence. */
  bounds: string;
  /** How many different states were found. */
  states: number;
  /** The step of time that was taken. */
  gridMs: number;
  /** The longest that gives an exact answer. */
  exactGridMs: number;
  /** Every schedule with fewer faults than this, or as many and ending earlier, was tried. */
  reached: { faults: number; timeMs: number };
  coverage: Coverage;
  /** The verdict and the story, as text for people. */
  text: string;
}

/** How a property is broken. */
export interface Violation {
  verdict: 'unsafe';
  because: null;
  /** The smallest schedule, told in words. */
  story: Story;
  /** The same as a scenario's JSON: `runScenario` and {@link Simulation} replay it. */
  scenario: string;
  /** When the property is broken in the scenario. */
  timeMs: number;
  /** For how long it has two owners; `null` if the property is about something else. */
  twoOwnersMs: number | null;
  /** The schedule that breaks it for longest, of all that were tried; `null` if it was not looked for. */
  longest: LongestSchedule | null;
  /** A link to that moment: see `Simulation.fromLink`. */
  link: string;
}

/** That no schedule was found that breaks a property. */
export type NoViolation = {
  verdict: Exclude<Verdict, 'unsafe'>;
  /** Why the verdict is unknown, if it is. */
  because: WhyUnknown | null;
} & { [M in Exclude<keyof Violation, 'because' | 'verdict'>]: null };

/** Options of {@link Search}. */
export interface SearchOptions {
  /**
   * How many states to keep at most, 5,000,000 by default, which takes half a gigabyte. A search that would need more ends with the verdict
   * `unknown`.
   */
  maxStates?: number;
}

/** Options of {@link explore}. */
export interface ExploreOptions extends SearchOptions {
  /** Whether to go on after a violation until the longest is known; `true` by default. */
  longest?: boolean;
  /** Ends the search; the promise is rejected with its reason. */
  signal?: AbortSignal;
  /** Called some hundred times a second with how far the search is. */
  onProgress?: (progress: SearchProgress) => void;
}

const STATES_DEFAULT = 5_000_000;
const STATES_MAX = 50_000_000;
const BUDGET_MAX = 2 ** 32 - 1;
const SEARCH_OPTIONS = new Set(['maxStates']);
const EXPLORE_OPTIONS = new Set(['longest', 'maxStates', 'signal', 'onProgress']);

/**
 * Tries every schedule that a question allows, on the runners and the rules that ship. The event loop goes on meanwhile.
 *
 * @example
 * ```ts
 * const { verdict, text } = await explore({ ttl: '15s', retryInterval: '5s', latency: '1s', pause: '5s' });
 * if (verdict === 'unsafe') console.log(text);
 * ```
 *
 * @throws `LocketArgumentError` that names the member of the question that makes no sense
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
 * A search that is run by hand: for a Worker, or wherever {@link explore} does not fit.
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

  /** Visits up to `budget` states more. The verdict, once there is one. */
  run(budget: number): Verdict | 'running' {
    const states = safeInteger('budget', budget, 1, BUDGET_MAX);
    const { core } = this.#owned;
    this.#verdict = callWasm(() => core.run(states) as Verdict | 'running');
    return this.#verdict;
  }

  /**
   * After a violation, visits up to `budget` states more for the longest one. Whether there is no more to find; without a violation there
   * never is.
   */
  runToLongest(budget: number): boolean {
    const states = safeInteger('budget', budget, 1, BUDGET_MAX);
    const { core } = this.#owned;
    if (this.#verdict !== 'unsafe') return this.#verdict !== 'running';
    return callWasm(() => core.runToLongest(states));
  }

  /** How far it is. */
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

  /** Gives its memory back. Doing so twice is fine. */
  close(): void {
    this.#owned.free();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Calls the module with a question; mistakes in it get the names that users know. */
export function aboutQuestion<T>(call: () => T): T {
  try {
    return callWasm(call);
  } catch (error) {
    if (!(error instanceof LocketArgumentError)) throw error;
    const { field, message } = error;
    throw new LocketArgumentError(fieldOfUser(field) || 'question', message.slice(field.length + 2));
  }
}

/** What the module says of a question. */
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
    lines: { time: number; words: string; rowOf?: string; slack?: number }[];
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
  // All three come with that verdict.
  const [told, timeMs, scenario] = [story, time, JSON.stringify(answer.scenario)] as [NonNullable<typeof story>, number, string];
  return {
    ...report,
    verdict,
    because: null,
    story: storyOf(told),
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

/** A story as the module writes it, with the names that users know. */
export function storyOf({ lines, ranges }: NonNullable<AnswerJson['story']>): Story {
  return {
    lines: lines.map(({ time, words, rowOf = null, slack = null }) => ({ timeMs: time, words, rowOf, slackMs: slack })),
    ranges: ranges.map(({ what, value, least, most, tried }) => ({ what, valueMs: value, leastMs: least, mostMs: most, triedMs: tried })),
  };
}
