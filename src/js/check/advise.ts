// Advice about settings: whether they are safe, how much pause is to spare, and the nearest safe
// settings.

import { advice as moduleAdvice, type Work } from '#checker';

import { LocketArgumentError } from '../base/errors.js';
import { type BoshInput, boshSettings, checkedInput, type SettingsJson, settingsOf } from './bosh.js';
import type { Advice } from './advice-value.js';
import { aboutQuestion, type ExploreOptions } from './explore.js';
import { begun, worked } from './long-work.js';
import { type Question, questionJson } from './question.js';
import { STATES_EACH } from './states.js';

/**
 * A question for advice: settings as in any other question, or those of a job in a BOSH manifest.
 */
export interface AdviseQuestion extends Question {
  /** The job with these settings; members of the question itself override them. */
  bosh?: BoshInput;
}

/** Options of {@link advise}. */
export interface AdviseOptions extends Pick<ExploreOptions, 'maxStates' | 'signal'> {
  /** Called some hundred times a second with the number of alternatives found so far. */
  onProgress?: (progress: { alternatives: number }) => void;
}

/**
 * Checks whether settings are safe and owners keep their locks. If not, it finds settings that
 * pass: a longer lease, a shorter retry interval or the safe runner, each the nearest by complete
 * searches. The event loop stays responsive.
 *
 * @example
 * ```ts
 * const { sparePauseMs, alternatives } = await advise({ ttl: '15s', retryInterval: '5s', latency: '1s', faults: { pause: '5s' } });
 * ```
 */
export async function advise(question: AdviseQuestion, options: AdviseOptions = {}): Promise<Advice> {
  const { maxStates, ...waiting } = await begun(options, STATES_EACH);
  const [{ bosh, ...advice }, text] = await worked<[AdviceJson, string]>(adviser(question, maxStates), waiting);
  return { ...advice, bosh: bosh && settingsOf(bosh), text };
}

/** Advice as the module writes it: with the job in its form, and without the text. */
type AdviceJson = Omit<Advice, 'bosh' | 'text'> & { bosh: SettingsJson | null };

function adviser(question: AdviseQuestion, maxStates: number): Work {
  if (question?.bosh === undefined) {
    const json = questionJson(question);
    return aboutQuestion(() => moduleAdvice(json, maxStates, undefined, '', ''));
  }
  const { bosh, ...own } = question;
  const { job, version, properties } = checkedInput(bosh);
  const settings = boshSettings(bosh);
  if (settings.state !== 'kept') throw new LocketArgumentError('bosh', `expected a job with a lock or presence: ${settings.summary}`);
  const json = questionJson({ ...settings.question, ...own });
  return aboutQuestion(() => moduleAdvice(json, maxStates, job, version, properties));
}
