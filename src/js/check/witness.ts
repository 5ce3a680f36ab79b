// A run in which something is so that users have in mind, found by trying every schedule.

import { LocketArgumentError } from '../base/errors.js';
import { kindOf } from '../base/checks.js';
import { type Duration, lengthMs } from '../base/duration.js';
import { type ExploreOptions, explore, type Story } from './explore.js';
import type { Question } from './question.js';
import type { Situation } from './situations.js';

/** Options of {@link witness}. */
export interface WitnessOptions extends Omit<ExploreOptions, 'longest'> {
  /** For longer than this it has to be so; any time at all by default. */
  within?: Duration;
}

/**
 * A run that comes to a situation:
 *
 * * `found`: here is the smallest;
 * * `impossible`: no run within the bounds comes there;
 * * `unknown`: none of those that were tried does, and not all were.
 */
export type Witness =
  | { is: 'found'; states: number; bounds: string; story: Story; scenario: string; timeMs: number; link: string }
  | { is: 'impossible' | 'unknown'; states: number; bounds: string };

/**
 * Looks for a run in which a situation comes about, with as few faults as possible and of these the earliest.
 *
 * @example
 * ```ts
 * const question = { runner: 'upstream', ttl: '15s', retryInterval: '5s', pause: '20s' };
 * const found = await witness(question, ({ owners, rowOf }) => owners.includes('a') && rowOf === 'b');
 * if (found.is === 'found') console.log(found.link);
 * ```
 *
 * @throws `LocketArgumentError` that names the member of the question that makes no sense
 */
export async function witness(
  question: Omit<Question, 'property'>,
  when: (situation: Situation) => boolean,
  options: WitnessOptions = {},
): Promise<Witness> {
  if (typeof when !== 'function') throw new LocketArgumentError('when', `expected a function of a situation, not ${kindOf(when)}`);
  if (typeof question !== 'object' || question === null) {
    throw new LocketArgumentError('question', `expected an object, not ${kindOf(question)}`);
  }
  if ((question as Question).property !== undefined) {
    throw new LocketArgumentError('property', 'expected none: it is what `when` says');
  }
  const { within, ...others } = options;
  const property = { is: 'own', never: when, ...(within !== undefined && { allow: `${lengthMs('within', within)}ms` as const }) } as const;
  const answer = await explore({ ...question, property }, { ...others, longest: false });
  const { states, bounds } = answer;
  if (answer.verdict !== 'unsafe') return { is: answer.verdict === 'safe' ? 'impossible' : 'unknown', states, bounds };
  const { story, scenario, timeMs, link } = answer;
  return { is: 'found', states, bounds, story, scenario, timeMs, link };
}
