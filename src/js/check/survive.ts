// The inverse question: which settings survive given outages.

import { survival } from '#checker';

import type { Survival } from './advice-value.js';
import { aboutQuestion, type ExploreOptions } from './explore.js';
import { begun, worked } from './long-work.js';
import { type Question, questionJson } from './question.js';
import { states } from './states.js';

/** The outages, as the faults of a question. Settings that it gives are fixed, the others are searched for. */
export type SurviveQuestion = Omit<Question, 'clients' | 'sameOwner' | 'scenario'>;

/** Options of {@link survive}. */
export interface SurviveOptions extends Pick<ExploreOptions, 'maxStates' | 'signal'> {
  /** Called some hundred times a second with the number of retry intervals that are tried, and of all. */
  onProgress?: (progress: { done: number; all: number }) => void;
}

const OPTIONS = { maxStates: states(500_000) };

/**
 * Finds the cheapest settings that survive the given outages: no client loses a lock that is its own, and there are never two
 * owners. By default each outage happens once, and a drain once for each Locket process. All settings are proved, for any number of
 * clients where they say so. For settings that do not survive, it says why.
 *
 * @example
 * ```ts
 * const { settings } = await survive({ profile: 'upstream', faults: { locketCrash: '60s' }, retryInterval: '5s' });
 * console.log(settings[0].ttlMs);
 * ```
 *
 * @throws `LocketArgumentError` with the name of the invalid member
 */
export async function survive(question: SurviveQuestion, options: SurviveOptions = {}): Promise<Survival> {
  const { maxStates, ...waiting } = await begun(options, OPTIONS);
  const json = questionJson(question);
  return worked(aboutQuestion(() => survival(json, maxStates)), waiting);
}
