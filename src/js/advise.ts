// Advice about settings: safe or not, what is to spare, and the nearest settings that are.

import { WasmAdviser } from '#glue';

import { type BoshInput, type BoshSettings, boshSettings, checkedInput, type SettingsJson, settingsOf } from './bosh.js';
import { LocketArgumentError } from './errors.js';
import { aboutQuestion, type ExploreOptions, type Verdict } from './explore.js';
import { knownFields, safeInteger } from './options.js';
import { type Question, questionJson, type QuestionRunner } from './question.js';
import { checkWaiting, inSlices } from './slices.js';

/** What settings cost. */
export interface SettingsCost {
  /** How long a lock may be nobody's after its holder has crashed, if all messages take as long as they may. */
  handoverMaxMs: number;
  /** How many renewals each runner sends an hour, at most. */
  renewalsPerHour: number;
}

/** Settings that are proved safe, and what they cost. */
export interface SafeSettings extends SettingsCost {
  runner: QuestionRunner;
  ttlMs: number;
  retryMs: number;
  /** Whether they can be set: a job of a BOSH release may have some of them fixed. */
  isSettable: boolean;
}

/** A question for advice: settings as in any other, or those of a job in a BOSH manifest. */
export interface AdviseQuestion extends Question {
  /** The job whose settings these are; what the question itself says goes before. */
  bosh?: BoshInput;
}

/** Advice about the settings of a question. */
export interface Advice extends SettingsCost {
  /** What a manifest made of the job's settings, if the question names one; `null` otherwise. */
  bosh: BoshSettings | null;
  /** What the settings come to, as {@link explore} says. */
  verdict: Verdict;
  /** By how much longer a pause may be than the question says, as far as was tried; `null` if the settings are not proved safe. */
  sparePauseMs: number | null;
  /** The nearest settings that are proved safe, one for each thing that can be changed; none if the question's own are. */
  alternatives: SafeSettings[];
  /** The advice as text for people. */
  text: string;
}

/** Options of {@link advise}. */
export interface AdviseOptions extends Pick<ExploreOptions, 'maxStates' | 'signal'> {
  /** Called some hundred times a second with how many settings are proved safe so far, beside the question's own. */
  onProgress?: (progress: { alternatives: number }) => void;
}

const STATES_DEFAULT = 1_000_000;
const STATES_MAX = 50_000_000;
const ADVISE_OPTIONS = new Set(['maxStates', 'signal', 'onProgress']);

/**
 * Says whether settings are safe, and if not, which are: a longer lease, a shorter retry interval or the safe runner, each
 * the nearest that is proved safe by complete searches. The event loop goes on meanwhile.
 *
 * @example
 * ```ts
 * const { sparePauseMs, alternatives } = await advise({ ttlSeconds: 15, retrySeconds: 5, delay: '1s', pause: '5s' });
 * ```
 */
export async function advise(question: AdviseQuestion, options: AdviseOptions = {}): Promise<Advice> {
  knownFields('options', options, ADVISE_OPTIONS);
  const { signal, onProgress, maxStates = STATES_DEFAULT } = options;
  const statesMax = safeInteger('maxStates', maxStates, 1, STATES_MAX);
  checkWaiting(options);
  const core = adviser(question, statesMax);
  try {
    await inSlices((budget) => core.run(budget), {
      signal,
      ...(onProgress && { onSlice: () => onProgress({ alternatives: adviceOf(core).alternatives.length }) }),
    });
    return adviceOf(core);
  } finally {
    core.free();
  }
}

function adviser(question: AdviseQuestion, statesMax: number): WasmAdviser {
  if (question?.bosh === undefined) {
    const json = questionJson(question);
    return aboutQuestion(() => new WasmAdviser(json, statesMax));
  }
  const { bosh, ...own } = question;
  const { job, properties } = checkedInput(bosh);
  const settings = boshSettings(bosh);
  if (settings === null) throw new LocketArgumentError('bosh', `expected a job that keeps something in Locket, which ${job} does not with these properties`);
  const json = questionJson({ ...settings.question, ...own });
  return aboutQuestion(() => new WasmAdviser(json, statesMax).ofJob(job, properties));
}

interface CostJson {
  handoverMax: number;
  renewalsPerHour: number;
}

interface AdviceJson extends CostJson {
  verdict: Verdict;
  job?: SettingsJson;
  sparePause: number | null;
  alternatives: (CostJson & { runner: QuestionRunner; ttl: number; retry: number; isSettable: boolean })[];
}

function adviceOf(core: WasmAdviser): Advice {
  const { json, text } = core.advice() as { json: string; text: string };
  const { verdict, job, sparePause, alternatives, ...cost } = JSON.parse(json) as AdviceJson;
  return {
    bosh: job === undefined ? null : settingsOf(job),
    verdict,
    sparePauseMs: sparePause,
    ...costOf(cost),
    alternatives: alternatives.map(({ runner, ttl, retry, isSettable, ...its }) => {
      return { runner, ttlMs: ttl, retryMs: retry, isSettable, ...costOf(its) };
    }),
    text,
  };
}

function costOf({ handoverMax, renewalsPerHour }: CostJson): SettingsCost {
  return { handoverMaxMs: handoverMax, renewalsPerHour };
}
