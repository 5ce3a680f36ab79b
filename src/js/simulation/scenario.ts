// Runs scenarios.

import { WasmExecution } from '#glue';

import { moduleReady } from '../base/init.js';
import { checkBoolean, knownFields } from '../base/checks.js';
import { checkWaiting, inSlices } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';
import type { ScenarioRun } from './run-value.js';
import { scenarioText } from './scenario-text.js';
import type { Scenario } from './scenario-value.js';
import { checkSteps, type StepsOption } from './steps.js';

/** Options of {@link runScenario}. */
export interface RunOptions extends StepsOption {
  /**
   * Whether to keep the events; true by default. Without them `events` is empty, memory does not
   * grow with the simulated time, and a run may be longer. Digest and expectations stay the same.
   */
  trace?: boolean;
}

/** The progress of a run. */
export interface RunProgress {
  /** The virtual time, in milliseconds. */
  timeMs: number;
}

/** Options of {@link runScenarioAsync}. */
export interface RunAsyncOptions extends RunOptions {
  /** Aborts the run; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called some hundred times a second with the progress. */
  onProgress?: (progress: RunProgress) => void;
}

const RUN_OPTIONS = new Set(['trace', 'maxSteps']);
const ASYNC_OPTIONS = new Set([...RUN_OPTIONS, 'signal', 'onProgress']);

/**
 * Runs a scenario from start to end on the reference server.
 *
 * @param scenario its JSON text, or the same as a value
 * @throws {@link ScenarioError} with line and column of the first validation error; for a value, in
 * the text of `JSON.stringify(scenario, undefined, 2)`
 * @throws {@link StepLimitError} if the run would take more steps than allowed
 */
export function runScenario(scenario: string | Scenario, options: RunOptions = {}): ScenarioRun {
  knownFields('options', options, RUN_OPTIONS);
  const execution = new Execution(scenario, options);
  try {
    execution.run(Number.MAX_SAFE_INTEGER);
    return execution.finish();
  } finally {
    execution.free();
  }
}

/**
 * Runs a scenario without blocking the event loop; a signal can abort it.
 *
 * @example
 * ```ts
 * const { digest } = await runScenarioAsync(aYear, { trace: false, maxSteps: 1_000_000_000, signal: AbortSignal.timeout(60_000) });
 * ```
 */
export async function runScenarioAsync(scenario: string | Scenario, options: RunAsyncOptions = {}): Promise<ScenarioRun> {
  await moduleReady();
  knownFields('options', options, ASYNC_OPTIONS);
  checkWaiting(options);
  const { signal, onProgress } = options;
  const execution = new Execution(scenario, options);
  try {
    await inSlices((budget) => execution.run(budget * STEPS_PER_STATE), {
      signal,
      ...(onProgress && { onSlice: () => onProgress({ timeMs: execution.now }) }),
    });
    return execution.finish();
  } finally {
    execution.free();
  }
}

/** A step costs much less than a state, the unit of slices. */
const STEPS_PER_STATE = 16;

/** A run under way. */
class Execution {
  readonly #text: string;
  readonly #maxSteps: number;
  readonly #core: WasmExecution;
  #isFinished = false;

  constructor(scenario: string | Scenario, options: RunOptions) {
    const { trace = true } = options;
    checkBoolean('options.trace', trace);
    this.#maxSteps = checkSteps(options);
    this.#text = scenarioText(scenario);
    this.#core = callWasm(() => new WasmExecution(this.#text, trace, this.#maxSteps));
  }

  get now(): number {
    return this.#core.now();
  }

  run(budget: number): boolean {
    return callWasm(() => this.#core.run(budget));
  }

  /** The run; this frees its memory. */
  finish(): ScenarioRun {
    this.#isFinished = true;
    const run = callWasm(() => this.#core.finish() as ScenarioRun);
    sources.set(run, { scenario: this.#text, maxSteps: this.#maxSteps });
    return run;
  }

  free(): void {
    if (!this.#isFinished) this.#core.free();
  }
}

/** The texts of runs: the text alone decides a run, so it can be repeated. */
const sources = new WeakMap<ScenarioRun, { scenario: string; maxSteps: number }>();

/** The text of a run. */
export function sourceOfRun(run: ScenarioRun): { scenario: string; maxSteps: number } | undefined {
  return sources.get(run);
}
