// Minimizes a failing random run.

import { minimizer } from '#checker';

import { optional, whole } from '../base/options.js';
import { callWasm } from '../base/wasm.js';
import { scenarioText } from '../simulation/scenario-text.js';
import type { Scenario } from '../simulation/scenario-value.js';
import { STEPS, type StepsOption } from '../simulation/steps.js';
import { begun, worked } from './long-work.js';
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

const OPTIONS = { seed: optional(whole(0, Number.MAX_SAFE_INTEGER)), maxRuns: whole(1, 100_000_000, 10_000), ...STEPS };

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
  const { seed, maxRuns, maxSteps, ...waiting } = await begun(options, OPTIONS);
  const work = callWasm(() => minimizer(scenarioText(scenario), seed, maxRuns, maxSteps));
  const run = await worked<Omit<MinimizedRun, 'link'>>(work, waiting);
  return { ...run, link: linkTo(run.scenario) };
}
