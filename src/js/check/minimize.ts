// What of a failing run's chance is needed for it to fail, in slices or by hand.

import { WasmMinimizer } from '#checker';

import { moduleReady } from '../base/init.js';
import { knownFields, safeInteger } from '../base/checks.js';
import { Owned } from '../base/owned.js';
import { checkWaiting, inSlices } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';
import { scenarioText } from '../simulation/scenario-text.js';
import type { Scenario } from '../simulation/scenario-value.js';
import { checkSteps, type StepsOption } from '../simulation/steps.js';
import { linkTo } from './moment.js';

/** What a failing run shrank to. */
export interface MinimizedRun {
  /** The scenario's JSON without chance, with the decisions that are needed as overrides. It fails as the run did. */
  scenario: string;
  /** The decisions that are needed, by place. */
  overrides: Record<string, number>;
  /** Each decision as a sentence with its time. */
  story: string[];
  /** The number of the expectation that does not hold, from 0. */
  expectation: number;
  /** That it does not, in words. */
  failure: string;
  /** How many decisions there were at first. */
  decisions: number;
  /** How many runs were tried. */
  runs: number;
  /** Whether nothing more can be left out or made less; if not, `maxRuns` was too few. */
  isComplete: boolean;
  /** A link to the end of the scenario: see `Simulation.fromLink`. */
  link: string;
}

/** Options of {@link Minimizer}. */
export interface MinimizerOptions extends StepsOption {
  /** The seed of the run; without it the scenario is run with the chance and the overrides that it has itself. */
  seed?: number;
  /** How many runs to try at most; 10,000 by default. */
  maxRuns?: number;
}

/** How far it is. */
export interface MinimizeProgress {
  /** How many runs were tried. */
  runs: number;
  /** How many decisions are left. */
  left: number;
}

/** Options of `minimize`. */
export interface MinimizeOptions extends MinimizerOptions {
  /** Ends the work; the promise is rejected with its reason. */
  signal?: AbortSignal;
  /** Called some hundred times a second with how far it is. */
  onProgress?: (progress: MinimizeProgress) => void;
}

const RUNS_DEFAULT = 10_000;
const RUNS_MAX = 100_000_000;
const BUDGET_MAX = 2 ** 32 - 1;
const MINIMIZER_OPTIONS = new Set(['seed', 'maxRuns', 'maxSteps']);
const MINIMIZE_OPTIONS = new Set([...MINIMIZER_OPTIONS, 'signal', 'onProgress']);

/**
 * Leaves out of a failing random run whatever is not needed for the same expectation not to hold, and makes late messages
 * as punctual as it can. At the end no decision can be left out, and no delay be a step less. The event loop goes on
 * meanwhile.
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
  const minimizer = new Minimizer(scenario, rest);
  try {
    await inSlices((budget) => minimizer.run(Math.ceil(budget / STATES_PER_RUN)), {
      signal,
      onSlice: () => onProgress?.(minimizer.progress),
    });
    return minimizer.minimized();
  } finally {
    minimizer.close();
  }
}

/** A run is much more than a state, which slices count in. */
const STATES_PER_RUN = 64;

/**
 * A failing run that is minimized by hand: for a Worker, or wherever `minimize` does not fit.
 *
 * @example
 * ```ts
 * using minimizer = new Minimizer(scenario, { seed: 17 });
 * while (!minimizer.run(100)) postMessage(minimizer.progress);
 * postMessage(minimizer.minimized());
 * ```
 */
export class Minimizer {
  readonly #owned: Owned<WasmMinimizer>;
  readonly #maxSteps: number;

  constructor(scenario: Scenario | string, options: MinimizerOptions = {}) {
    knownFields('options', options, MINIMIZER_OPTIONS);
    const { seed, maxRuns = RUNS_DEFAULT } = options;
    const checked = seed === undefined ? undefined : safeInteger('seed', seed, 0);
    const runs = safeInteger('maxRuns', maxRuns, 1, RUNS_MAX);
    this.#maxSteps = checkSteps(options);
    const core = callWasm(() => new WasmMinimizer(scenarioText(scenario), checked, runs, this.#maxSteps));
    this.#owned = new Owned('minimizer', core);
  }

  /** Tries up to `budget` runs more. Whether it is done. */
  run(budget: number): boolean {
    const runs = safeInteger('budget', budget, 1, BUDGET_MAX);
    const { core } = this.#owned;
    return callWasm(() => core.run(runs));
  }

  /** How far it is. */
  get progress(): MinimizeProgress {
    const { core } = this.#owned;
    return { runs: core.runs(), left: core.left() };
  }

  /** What it shrank to so far. */
  minimized(): MinimizedRun {
    const { core } = this.#owned;
    const shrunk = JSON.parse(callWasm(() => core.minimized())) as Omit<MinimizedRun, 'link'>;
    return { ...shrunk, link: linkTo(shrunk.scenario) };
  }

  /** Gives its memory back. Doing so twice is fine. */
  close(): void {
    this.#owned.free();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
