// Minimizes a failing random run, in slices or step by step.

import { WasmMinimizer } from '#checker';

import { moduleReady } from '../base/init.js';
import { knownFields, safeInteger } from '../base/checks.js';
import { Owned } from '../base/owned.js';
import { checkWaiting } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';
import { scenarioText } from '../simulation/scenario-text.js';
import type { Scenario } from '../simulation/scenario-value.js';
import { checkSteps, type StepsOption } from '../simulation/steps.js';
import { ByHand, doneInSlices } from './by-hand.js';
import { linkTo } from './moment.js';
import type { MinimizedRun } from './run-value.js';

/** Options of {@link Minimizer}. */
export interface MinimizerOptions extends StepsOption {
  /** The seed of the run; without it, the scenario's own randomness and overrides are used. */
  seed?: number;
  /** The most runs to try; 10,000 by default. */
  maxRuns?: number;
}

/** The progress of a minimization. */
export interface MinimizeProgress {
  /** The number of runs tried. */
  runs: number;
  /** The number of choices left. */
  left: number;
}

/** Options of `minimize`. */
export interface MinimizeOptions extends MinimizerOptions {
  /** Aborts the work; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called some hundred times a second with the progress. */
  onProgress?: (progress: MinimizeProgress) => void;
}

const RUNS_DEFAULT = 10_000;
const RUNS_MAX = 100_000_000;
const MINIMIZER_OPTIONS = new Set(['seed', 'maxRuns', 'maxSteps']);
const MINIMIZE_OPTIONS = new Set([...MINIMIZER_OPTIONS, 'signal', 'onProgress']);

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
  knownFields('options', options, MINIMIZE_OPTIONS);
  const { signal, onProgress, ...rest } = options;
  checkWaiting(options);
  return doneInSlices(new Minimizer(scenario, rest), { signal, onProgress }, STATES_PER_RUN, (minimizer) => minimizer.minimized());
}

/** A run costs much more than a state, the unit of slices. */
const STATES_PER_RUN = 64;

/**
 * A minimization that you run step by step, for example in a Worker.
 *
 * @example
 * ```ts
 * using minimizer = new Minimizer(scenario, { seed: 17 });
 * while (!minimizer.run(100)) postMessage(minimizer.progress);
 * postMessage(minimizer.minimized());
 * ```
 */
export class Minimizer extends ByHand {
  readonly #owned: Owned<WasmMinimizer>;

  constructor(scenario: Scenario | string, options: MinimizerOptions = {}) {
    knownFields('options', options, MINIMIZER_OPTIONS);
    const { seed, maxRuns = RUNS_DEFAULT } = options;
    const checked = seed === undefined ? undefined : safeInteger('seed', seed, 0);
    const runs = safeInteger('maxRuns', maxRuns, 1, RUNS_MAX);
    const maxSteps = checkSteps(options);
    const owned = new Owned('minimizer', callWasm(() => new WasmMinimizer(scenarioText(scenario), checked, runs, maxSteps)));
    super(owned);
    this.#owned = owned;
  }

  override get progress(): MinimizeProgress {
    const { core } = this.#owned;
    return { runs: core.runs(), left: core.left() };
  }

  /** The result so far. */
  minimized(): MinimizedRun {
    const { core } = this.#owned;
    const shrunk = JSON.parse(callWasm(() => core.minimized())) as Omit<MinimizedRun, 'link'>;
    return { ...shrunk, link: linkTo(shrunk.scenario) };
  }
}
