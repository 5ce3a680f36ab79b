// Advice about settings: safe or not, what is to spare, and the nearest settings that are.

import { WasmAdviser } from '#checker';

import { LocketArgumentError } from '../base/errors.js';
import { moduleReady } from '../base/init.js';
import { knownFields, safeInteger } from '../base/checks.js';
import { checkWaiting, inSlices } from '../base/slices.js';
import { type BoshInput, type BoshSettings, boshSettings, checkedInput, type SettingsJson, settingsOf } from './bosh.js';
import { aboutQuestion, type ExploreOptions, type Verdict } from './explore.js';
import { type Question, questionJson } from './question.js';
import type { RunnerName } from '../base/lock-settings.js';

/** What settings cost. */
export interface SettingsCost {
  /** How long a lock may be without an owner after its holder has crashed, if all messages take as long as they may. */
  handoverMaxMs: number;
  /** Whether a search has shown that it is never longer. */
  isHandoverProved: boolean;
  /** How many renewals each runner sends an hour, at most. */
  renewalsPerHour: number;
}

/** Settings that are safe and with which owners keep their locks, and what they cost. */
export interface SafeSettings extends SettingsCost {
  runner: RunnerName;
  ttlMs: number;
  retryIntervalMs: number;
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
  /** Whether the property of the question holds, as {@link explore} says. */
  verdict: Verdict;
  /** Whether an owner can lose its lock without a fault: `unsafe` if so. */
  falseLoss: Verdict;
  /** Both at once: what is wrong with either. */
  overall: Verdict;
  /** What is known of the settings, in a line, with its bounds. */
  summary: string;
  /** Why a verdict is a bad one: the steps that decide it. */
  reasons: string[];
  /** By how much longer a pause may be than the question says; `null` if the property does not hold as it is. */
  sparePauseMs: number | null;
  /** Whether one step more of pause is too much. If not, nothing longer was tried, or a search was cut. */
  isSparePauseExact: boolean;
  /** The nearest settings that are safe and of use, one for each thing that can be changed; none if the question's own are. */
  alternatives: SafeSettings[];
  /** The things that can be changed to no avail. If that is not known of all of them, searches were cut. */
  excluded: { summary: string; isKnown: boolean }[];
  /** The advice as text for people. */
  text: string;
}

/** Options of {@link advise}. */
export interface AdviseOptions extends Pick<ExploreOptions, 'maxStates' | 'signal'> {
  /** Called some hundred times a second with how many other settings were found so far. */
  onProgress?: (progress: { alternatives: number }) => void;
}

const STATES_DEFAULT = 1_000_000;
const STATES_MAX = 50_000_000;
const ADVISE_OPTIONS = new Set(['maxStates', 'signal', 'onProgress']);

/**
 * Says whether settings are safe and owners keep their locks, and if not, with which settings they do: a longer lease, a shorter
 * retry interval or the safe runner, each the nearest by complete searches. The event loop goes on meanwhile.
 *
 * @example
 * ```ts
 * const { sparePauseMs, alternatives } = await advise({ ttl: '15s', retryInterval: '5s', latency: '1s', pause: '5s' });
 * ```
 */
export async function advise(question: AdviseQuestion, options: AdviseOptions = {}): Promise<Advice> {
  await moduleReady();
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
  isHandoverProved: boolean;
  renewalsPerHour: number;
}

interface AdviceJson extends CostJson, Pick<Advice, 'excluded' | 'falseLoss' | 'isSparePauseExact' | 'overall' | 'reasons' | 'summary' | 'verdict'> {
  job?: SettingsJson;
  sparePause: number | null;
  alternatives: (CostJson & { runner: RunnerName; ttl: number; retryInterval: number; isSettable: boolean })[];
}

function adviceOf(core: WasmAdviser): Advice {
  const { json, text } = core.advice() as { json: string; text: string };
  const { job, sparePause, alternatives, handoverMax, isHandoverProved, renewalsPerHour, ...rest } = JSON.parse(json) as AdviceJson;
  return {
    ...rest,
    bosh: job === undefined ? null : settingsOf(job),
    sparePauseMs: sparePause,
    ...costOf({ handoverMax, isHandoverProved, renewalsPerHour }),
    alternatives: alternatives.map(({ runner, ttl, retryInterval, isSettable, ...its }) => {
      return { runner, ttlMs: ttl, retryIntervalMs: retryInterval, isSettable, ...costOf(its) };
    }),
    text,
  };
}

function costOf({ handoverMax, ...cost }: CostJson): SettingsCost {
  return { handoverMaxMs: handoverMax, ...cost };
}
