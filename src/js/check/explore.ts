// Answers to questions about settings: a search through every schedule, in slices or step by step.

import { WasmSearch } from '#checker';

import { LocketArgumentError } from '../base/errors.js';
import { moduleReady } from '../base/init.js';
import { checkBoolean, knownFields, safeInteger } from '../base/checks.js';
import { Owned } from '../base/owned.js';
import { checkWaiting, inSlices } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';
import type { ExplorationReport, Verdict, Violation, WhyUnknown } from './answer-value.js';
import { linkTo } from './moment.js';
import { fieldOfUser, type Question, questionJson } from './question.js';
import { checkStates } from './states.js';

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

/**
 * The answer to a question: with the counterexample of a violation, or with `null` in its place.
 */
export type Exploration = ExplorationReport & (Violation | NoViolation);

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

const BUDGET_MAX = 2 ** 32 - 1;
const SEARCH_OPTIONS = new Set(['maxStates']);
const EXPLORE_OPTIONS = new Set(['longest', 'maxStates', 'signal', 'onProgress']);

/**
 * Tries every schedule that a question allows, with the real code of runners and Locket. The event
 * loop stays responsive.
 *
 * @example
 * ```ts
 * const { verdict, text } = await explore({ ttl: '15s', retryInterval: '5s', latency: '1s', faults: { pause: '5s' } });
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
    const statesMax = checkStates('one', options);
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
    return exploration(callWasm(() => core.answer()));
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

/** An answer with its links. */
function exploration(json: string): Exploration {
  const answer = JSON.parse(json) as Exploration;
  if (answer.verdict !== 'unsafe') return { ...answer, link: null };
  const { longest, scenario, timeMs } = answer;
  return {
    ...answer,
    longest: longest && { ...longest, link: linkTo(longest.scenario, longest.timeMs) },
    link: linkTo(scenario, timeMs),
  };
}
