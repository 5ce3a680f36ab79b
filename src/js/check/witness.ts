// Finds a run that reaches a given visible state, by trying every schedule.

import { LocketArgumentError } from '../base/errors.js';
import { kindOf, knownFields } from '../base/checks.js';
import { type Duration, lengthMs } from '../base/duration.js';
import type { Story } from './answer-value.js';
import { type ExploreOptions, explore } from './explore.js';
import type { Question } from './question.js';
import type { VisibleState } from './visible-states.js';

/** Options of {@link witness}. */
export interface WitnessOptions extends Omit<ExploreOptions, 'longest'> {
  /** How long the state must last; any time by default. */
  allow?: Duration;
}

const OPTIONS = new Set(['allow', 'maxStates', 'signal', 'onProgress']);

/**
 * A run that reaches a visible state:
 *
 * * `found`: the smallest such run;
 * * `impossible`: no run within the bounds reaches it;
 * * `unknown`: no run tried reaches it, but not all were tried.
 */
export type Witness =
  | { is: 'found'; states: number; bounds: string; story: Story; scenario: string; timeMs: number; link: string }
  | { is: 'impossible' | 'unknown'; states: number; bounds: string };

/**
 * Finds a run that reaches a visible state, with as few faults as possible, and as early as possible.
 *
 * @example
 * ```ts
 * const question = { runner: 'upstream', ttl: '15s', retryInterval: '5s', pause: '20s' };
 * const found = await witness(question, ({ owners, rowOf }) => owners.includes('a') && rowOf === 'b');
 * if (found.is === 'found') console.log(found.link);
 * ```
 *
 * @throws `LocketArgumentError` with the name of the invalid member
 */
export async function witness(
  question: Omit<Question, 'property'>,
  when: (state: VisibleState) => boolean,
  options: WitnessOptions = {},
): Promise<Witness> {
  if (typeof when !== 'function') throw new LocketArgumentError('when', `expected a function of a visible state, not ${kindOf(when)}`);
  if (typeof question !== 'object' || question === null) {
    throw new LocketArgumentError('question', `expected an object, not ${kindOf(question)}`);
  }
  if ((question as Question).property !== undefined) {
    throw new LocketArgumentError('property', 'expected no value: the parameter `when` is the property');
  }
  knownFields('options', options, OPTIONS);
  const { allow, ...others } = options;
  const property = { is: 'own', never: when, ...(allow !== undefined && { allow: `${lengthMs('allow', allow)}ms` as const }) } as const;
  const answer = await explore({ ...question, property }, { ...others, longest: false });
  const { states, bounds } = answer;
  if (answer.verdict !== 'unsafe') return { is: answer.verdict === 'safe' ? 'impossible' : 'unknown', states, bounds };
  const { story, scenario, timeMs, link } = answer;
  return { is: 'found', states, bounds, story, scenario, timeMs, link };
}
