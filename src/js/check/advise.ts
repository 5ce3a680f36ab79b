// Advice about settings: whether they are safe, how much pause is to spare, and the nearest safe
// settings.

import { advice as moduleAdvice } from '#checker';

import type { Advice } from './advice-value.js';
import { aboutQuestion, type ExploreOptions } from './explore.js';
import { begun, worked } from './long-work.js';
import { type Question, questionJson } from './question.js';
import { STATES_EACH } from './states.js';

/** Options of {@link advise}. */
export interface AdviseOptions extends Pick<ExploreOptions, 'maxStates' | 'signal'> {
  /** Called some hundred times a second with the number of alternatives found so far. */
  onProgress?: (progress: { alternatives: number }) => void;
}

/**
 * Checks whether settings are safe and owners keep their locks. If not, it finds settings that
 * pass: a longer TTL, a shorter retry interval or the safe runner, each the nearest by complete
 * searches. The event loop stays responsive.
 *
 * @example
 * ```ts
 * const { sparePauseMs, alternatives } = await advise({ ttl: '15s', retryInterval: '5s', latency: '1s', faults: { pause: '5s' } });
 * ```
 */
export async function advise(question: Question, options: AdviseOptions = {}): Promise<Advice> {
  const { maxStates, ...waiting } = await begun(options, STATES_EACH);
  const json = questionJson(question);
  const [advice, text] = await worked<[Omit<Advice, 'text'>, string]>(aboutQuestion(() => moduleAdvice(json, maxStates)), waiting);
  return { ...advice, text };
}
