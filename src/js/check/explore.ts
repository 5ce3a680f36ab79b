// Answers to questions about settings: a search through every schedule.

import { search } from '#checker';

import { LocketArgumentError } from '../base/errors.js';
import { flag } from '../base/options.js';
import { callWasm } from '../base/wasm.js';
import type { ExplorationReport, Verdict, Violation, WhyUnknown } from './answer-value.js';
import { begun, worked } from './long-work.js';
import { linkTo } from './moment.js';
import { fieldOfUser, type Question, questionJson } from './question.js';
import { states } from './states.js';

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

/** Options of {@link explore}. */
export interface ExploreOptions {
  /**
   * The most states to keep, 5,000,000 by default, which takes half a gigabyte. A search that needs
   * more ends with the verdict `unknown`. An eighth as many different states of Locket are kept,
   * which may take two gigabytes more.
   */
  maxStates?: number;
  /** True if to search on after a violation until the longest is known; `true` by default. */
  longest?: boolean;
  /** Aborts the search; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called some hundred times a second with the progress. */
  onProgress?: (progress: SearchProgress) => void;
}

const OPTIONS = { longest: flag(true), maxStates: states(5_000_000) };

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
  const { longest, maxStates, ...waiting } = await begun(options, OPTIONS);
  const json = questionJson(question);
  const work = aboutQuestion(() => search(json, maxStates, longest));
  return withLinks(await worked<Exploration>(work, waiting));
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
function withLinks(answer: Exploration): Exploration {
  if (answer.verdict !== 'unsafe') return { ...answer, link: null };
  const { longest, scenario, timeMs } = answer;
  return {
    ...answer,
    longest: longest && { ...longest, link: linkTo(longest.scenario, longest.timeMs) },
    link: linkTo(scenario, timeMs),
  };
}
