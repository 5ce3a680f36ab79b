// Minimizes a failing random run.

import { WasmMinimizer } from '#checker';

import { moduleReady } from '../base/init.js';
import { knownFields, safeInteger } from '../base/checks.js';
import { checkWaiting } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';
import { scenarioText } from '../simulation/scenario-text.js';
import type { Scenario } from '../simulation/scenario-value.js';
import { checkSteps, type StepsOption } from '../simulation/steps.js';
import { worked } from './long-work.js';
import { linkTo } from './moment.js';
import type { MinimizedRun } from './run-value.js';

/** Options of {@link minimize}. */
export interface MinimizeOptions extends StepsOption {
  /** The seed of the run; without it, the scenario's own randomness and overrides are used. */
  seed?: number;
  /** The most runs to try; 10,000 by default. */
  maxRuns?: number;
  /** Aborts the work; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called some hundred times a second with the progress. */
  onProgress?: (progress: MinimizeProgress) => void;
}

/** The progress of a minimization. */
export interface MinimizeProgress {
  /** The number of runs tried. */
  runs: number;
  /** The number of choices left. */
  left: number;
}

const RUNS_DEFAULT = 10_000;
const RUNS_MAX = 100_000_000;
const OPTIONS = new Set(['seed', 'maxRuns', 'maxSteps', 'signal', 'onProgress']);

/**
 * Removes everything from a failing random run that the failing expectation does not need, and
 * shortens the delays of late messages. In the result, every choice and every step of delay is
 * needed. The event loop stays responsive.
 *
 * @example
 * ```ts
 * const { failed } = await sweep(scenario, { seeds: 1_000 });
 * const { story, scenario: smallest } = await minimize(scenario, { seed: failed[0].seed });
 * ```
 *
 * @throws `LocketArgumentError` if every expectation of the run holds
 */
export async function minimize(scenario: Scenario | string, options: MinimizeOptions = {}): Promise<MinimizedRun> {
  await moduleReady();
  knownFields('options', options, OPTIONS);
  const { seed, maxRuns = RUNS_DEFAULT, signal, onProgress } = options;
  checkWaiting(options);
  const checked = seed === undefined ? undefined : safeInteger('seed', seed, 0);
  const runs = safeInteger('maxRuns', maxRuns, 1, RUNS_MAX);
  const maxSteps = checkSteps(options);
  const core = callWasm(() => new WasmMinimizer(scenarioText(scenario), checked, runs, maxSteps));
  const progress = () => ({ runs: core.runs(), left: core.left() });
  return worked(core, { signal, onProgress, progress, statesPerPiece: STATES_PER_RUN }, () => minimized(core.minimized()));
}

/** A run costs much more than a state. */
const STATES_PER_RUN = 64;

/** A result with its link. */
function minimized(json: string): MinimizedRun {
  const run = JSON.parse(json) as Omit<MinimizedRun, 'link'>;
  return { ...run, link: linkTo(run.scenario) };
}
