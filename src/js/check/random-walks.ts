// Random walks through the states of a question that is too large for a search.

import { WasmWalks } from '#checker';

import { moduleReady } from '../base/init.js';
import { knownFields, safeInteger } from '../base/checks.js';
import { checkWaiting, pauses } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';
import type { RandomWalks } from './answer-value.js';
import { aboutQuestion } from './explore.js';
import { linkTo } from './moment.js';
import { type Question, questionJson } from './question.js';

/** The progress of walks. */
export interface WalksProgress {
  walks: number;
  /** The steps of all walks. */
  steps: number;
  /** The number of faults in the smallest counterexample so far; `null` without one. */
  faults: number | null;
}

/** Options of {@link randomWalks}. */
export interface WalksOptions {
  /** The seed of the walks; 0 by default. The same seed takes the same walks. */
  seed?: number;
  /** The number of walks; 1,000 by default. */
  walks?: number;
  /** The most steps of a walk; 1,000 by default. */
  steps?: number;
  /** Aborts the walks; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called after each walk. */
  onProgress?: (progress: WalksProgress) => void;
}

const WALKS_OPTIONS = new Set(['seed', 'walks', 'steps', 'signal', 'onProgress']);
const WALKS_MAX = 1_000_000_000;
const STEPS_MAX = 100_000;

/**
 * Takes random walks through a question's schedules when there are too many for {@link explore}.
 * Every counterexample is real; without one, nothing is proved. The event loop stays responsive.
 *
 * @example
 * ```ts
 * const question = { runner: 'upstream', clients: [{}, {}, {}, {}], latency: '3s', faults: { lostMessage: 3, pause: { length: '30s', count: 3 } } };
 * const { verdict, text } = await randomWalks(question, { seed: 7 });
 * ```
 *
 * @throws `LocketArgumentError` with the name of the invalid member
 */
export async function randomWalks(question: Question, options: WalksOptions = {}): Promise<RandomWalks> {
  await moduleReady();
  knownFields('options', options, WALKS_OPTIONS);
  const seed = safeInteger('seed', options.seed ?? 0, 0);
  const walks = safeInteger('walks', options.walks ?? 1000, 1, WALKS_MAX);
  const steps = safeInteger('steps', options.steps ?? 1000, 1, STEPS_MAX);
  checkWaiting(options);
  const json = questionJson(question);
  const core = aboutQuestion(() => new WasmWalks(json, seed, steps));
  const pause = pauses(options.signal);
  try {
    for (let done = 1; done <= walks; done += 1) {
      callWasm(() => core.walk());
      options.onProgress?.(callWasm(() => ({ walks: done, steps: core.steps(), faults: core.faults() ?? null })));
      await pause();
    }
    return walked(callWasm(() => core.answer()));
  } finally {
    core.free();
  }
}

/** A result with its link. */
function walked(json: string): RandomWalks {
  const found = JSON.parse(json) as RandomWalks;
  const { scenario, timeMs } = found;
  return { ...found, link: scenario === null || timeMs === null ? null : linkTo(scenario, timeMs) };
}
