// Advice about settings: whether they are safe, how much pause is to spare, and the nearest safe
// settings.

import { WasmAdviser } from '#checker';

import { LocketArgumentError } from '../base/errors.js';
import { moduleReady } from '../base/init.js';
import { knownFields, safeInteger } from '../base/checks.js';
import { checkWaiting, inSlices } from '../base/slices.js';
import { type BoshInput, type BoshSettings, boshSettings, checkedInput, type SettingsJson, settingsOf } from './bosh.js';
import { aboutQuestion, type ExploreOptions, type Verdict } from './explore.js';
import { type Question, questionJson } from './question.js';
import type { RunnerName } from '../base/lock-settings.js';

/** The cost of settings. */
export interface SettingsCost {
  /**
   * The longest time without an owner after the holder crashed, with every message at its latest;
   * `null` if no other client waits, as for a presence.
   */
  handoverMaxMs: number | null;
  /** Whether a search has proved that bound. */
  isHandoverProved: boolean;
  /** The most renewals that each runner sends in an hour. */
  renewalsPerHour: number;
}

/** Settings that are safe and do not lose locks without a fault, with their cost. */
export interface SafeSettings extends SettingsCost {
  runner: RunnerName;
  ttlMs: number;
  retryIntervalMs: number;
  /** Whether they can be set: a BOSH job may have fixed settings. */
  isSettable: boolean;
}

/**
 * A question for advice: settings as in any other question, or those of a job in a BOSH manifest.
 */
export interface AdviseQuestion extends Question {
  /** The job with these settings; members of the question itself override them. */
  bosh?: BoshInput;
}

/** Advice about the settings of a question. */
export interface Advice extends SettingsCost {
  /** The job's settings from the manifest, if the question names a job; otherwise `null`. */
  bosh: BoshSettings | null;
  /** Whether the property of the question holds, as {@link explore} says. */
  verdict: Verdict;
  /** Whether an owner can lose its lock without a fault: `unsafe` if so. */
  falseLoss: Verdict;
  /** Both verdicts combined: the worse of the two. */
  overall: Verdict;
  /** The verdict in one line, with its bounds. */
  summary: string;
  /** The steps that lead to a bad verdict. */
  reasons: string[];
  /** How much longer a pause may be than in the question; `null` if the property already fails. */
  sparePauseMs: number | null;
  /**
   * Whether one more step of pause breaks the property. If not, no longer pause was tried, or a
   * search was cut.
   */
  isSparePauseExact: boolean;
  /**
   * The nearest safe settings, one for each setting that can change; none if the question's own are
   * safe. The cheapest is first: by the time without an owner, then by the renewals.
   */
  alternatives: SafeSettings[];
  /** The changes that do not help. `isKnown` is false if a search was cut. */
  excluded: { summary: string; isKnown: boolean }[];
  /** The advice as text for people. */
  text: string;
}

/** Options of {@link advise}. */
export interface AdviseOptions extends Pick<ExploreOptions, 'maxStates' | 'signal'> {
  /** Called some hundred times a second with the number of alternatives found so far. */
  onProgress?: (progress: { alternatives: number }) => void;
}

const STATES_DEFAULT = 1_000_000;
const STATES_MAX = 50_000_000;
const ADVISE_OPTIONS = new Set(['maxStates', 'signal', 'onProgress']);

/**
 * Checks whether settings are safe and owners keep their locks. If not, it finds settings that
 * pass: a longer lease, a shorter retry interval or the safe runner, each the nearest by complete
 * searches. The event loop stays responsive.
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
  if (settings === null) throw new LocketArgumentError('bosh', `with these properties ${job} does not use Locket; expected a job with a lock or presence`);
  const json = questionJson({ ...settings.question, ...own });
  return aboutQuestion(() => new WasmAdviser(json, statesMax).ofJob(job, properties));
}

interface CostJson {
  handoverMax: number | null;
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
  const order = byCost(alternatives);
  return {
    ...rest,
    bosh: job === undefined ? null : settingsOf(job),
    sparePauseMs: sparePause,
    ...costOf({ handoverMax, isHandoverProved, renewalsPerHour }),
    alternatives: order.map((index) => {
      const { runner, ttl, retryInterval, isSettable, ...its } = alternatives[index] as (typeof alternatives)[number];
      return { runner, ttlMs: ttl, retryIntervalMs: retryInterval, isSettable, ...costOf(its) };
    }),
    text: ranked(text, order),
  };
}

/** The indices of costs, the cheapest first. */
function byCost(costs: readonly CostJson[]): number[] {
  const cost = (index: number) => costs[index] as CostJson;
  return [...costs.keys()].sort((one, other) => (cost(one).handoverMax ?? 0) - (cost(other).handoverMax ?? 0) || cost(one).renewalsPerHour - cost(other).renewalsPerHour);
}

/** The text with the lines of alternatives in this order. The module writes them by the setting that changes. */
function ranked(text: string, order: readonly number[]): string {
  const lines = text.match(ALTERNATIVE) ?? [];
  let next = 0;
  return text.replace(ALTERNATIVE, () => lines[order[next++] as number] as string);
}

const ALTERNATIVE = /^Safe instead: .*$/gm;

function costOf({ handoverMax, ...cost }: CostJson): SettingsCost {
  return { handoverMaxMs: handoverMax, ...cost };
}
