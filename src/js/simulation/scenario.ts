// Runs scenarios.

import { WasmExecution } from '#glue';

import { moduleReady } from '../base/init.js';
import { checkBoolean, knownFields } from '../base/checks.js';
import { checkWaiting, inSlices } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';
import type { Row } from '../client/resource.js';
import { scenarioText } from './scenario-text.js';
import type { Scenario } from './scenario-value.js';
import { checkSteps, type StepsOption } from './steps.js';

/** The kinds of events. */
export type EventKind =
  | 'answered'
  | 'called'
  | 'crashed'
  | 'disconnected'
  | 'draining'
  | 'expired'
  | 'failed-over'
  | 'handled'
  | 'joint'
  | 'message-lost'
  | 'noted'
  | 'paused'
  | 'resumed'
  | 'row-deleted'
  | 'row-written'
  | 'runner'
  | 'stalled'
  | 'started'
  | 'stopped'
  | 'table-dropped';

/** The kinds of runner events. */
export type RunnerEventKind =
  | 'acquired'
  | 'exited'
  | 'lost'
  | 'ready'
  | 'released'
  | 'renewed'
  | 'retrying'
  | 'signalled';

/** An event of a run. */
export interface ScenarioEvent {
  /** Its number; `null` for a note. */
  id: number | null;
  /** The number of its cause; `null` for actions of the scenario. */
  cause: number | null;
  /** The virtual time, in milliseconds. */
  timeMs: number;
  /** The node: a client's name, `locket-0`, `database`, or empty for a note. */
  who: string;
  kind: EventKind;
  /** The event as a sentence. */
  words: string;
  /** The kind of a runner's event; `null` for other events. */
  runner: RunnerEventKind | null;
  /** The method of a client's request; for a call, its handling and its answer. */
  method: 'Fetch' | 'FetchAll' | 'Lock' | 'Release' | null;
  /** The same request in words. */
  asks: string | null;
  /** Locket's answer, in words. */
  answer: string | null;
  /** Whether Locket executed the request. */
  ok: boolean | null;
  /** The key of the row that expired, was written or was deleted; `null` for other kinds. */
  path: string | null;
  /** The row as it was written; `null` for other kinds. */
  row: Row | null;
}

/** A finished run. */
export interface ScenarioRun {
  name: string;
  description: string;
  events: ScenarioEvent[];
  /** The `locks` table at the end. */
  table: Row[];
  /** The failed expectations, each a sentence; empty if all hold. */
  failures: string[];
  /** Equal for the same scenario and seed on every platform: native Rust, Node and browsers. */
  digest: string;
}

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
