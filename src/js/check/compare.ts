// Compares the runners under the same faults: each number comes from complete searches.

import { WasmComparison } from '#checker';

import { moduleReady } from '../base/init.js';
import { knownFields } from '../base/checks.js';
import { checkWaiting } from '../base/slices.js';
import type { Comparison } from './advice-value.js';
import { aboutQuestion, type ExploreOptions } from './explore.js';
import { worked } from './long-work.js';
import { type Question, questionJson } from './question.js';
import { checkStates } from './states.js';

/** The question for every runner. */
export type CompareQuestion = Omit<Question, 'clients' | 'firstAttemptDeadline' | 'property' | 'runner' | 'scenario'>;

/** Options of {@link compareRunners}. */
export interface CompareOptions extends Pick<ExploreOptions, 'maxStates' | 'signal'> {
  /**
   * Called some hundred times a second with the number of finished runners, and of states in the
   * current search.
   */
  onProgress?: (progress: { runners: number; states: number }) => void;
}

const COMPARE_OPTIONS = new Set(['maxStates', 'signal', 'onProgress']);

/**
 * Compares all runners under the same faults: Locket's own today and before October 2025, the Cloud
 * Controller's loop, and the safe one. The event loop stays responsive.
 *
 * @example
 * ```ts
 * const { text } = await compareRunners({ ttl: '15s', retryInterval: '5s', latency: '1s', faults: { pause: '8s' } });
 * console.log(text);
 * ```
 *
 * @throws `LocketArgumentError` with the name of the invalid member
 */
export async function compareRunners(question: CompareQuestion, options: CompareOptions = {}): Promise<Comparison> {
  await moduleReady();
  knownFields('options', options, COMPARE_OPTIONS);
  const { signal, onProgress } = options;
  const statesMax = checkStates('each', options);
  checkWaiting(options);
  const json = questionJson(question);
  const core = aboutQuestion(() => new WasmComparison(json, statesMax));
  return worked(core, { signal, onProgress, progress: () => ({ runners: core.done(), states: core.states() }) }, () => JSON.parse(core.view()) as Comparison);
}
