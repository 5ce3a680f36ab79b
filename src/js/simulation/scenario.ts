// Runs scenarios: who does what when, as data.

import { WasmExecution } from '#glue';

import { moduleReady } from '../base/init.js';
import { checkBoolean, knownFields } from '../base/checks.js';
import { checkWaiting, inSlices } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';
import type { Row } from '../client/resource.js';
import { scenarioText } from './scenario-text.js';
import type { Scenario } from './scenario-value.js';
import { checkSteps, type StepsOption } from './steps.js';

/** What kind of thing happened. */
export type EventKind =
  | 'answered'
  | 'called'
  | 'crashed'
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
  | 'table-dropped';

/** What became of a runner. */
export type RunnerEventKind =
  | 'acquired'
  | 'exited'
  | 'lost'
  | 'ready'
  | 'released'
  | 'renewed'
  | 'retrying'
  | 'signalled';

/** One thing that happened in a run. */
export interface ScenarioEvent {
  /** Its number; `null` for a remark. */
  id: number | null;
  /** The number of the event that led to it; `null` for what the scenario's author did. */
  cause: number | null;
  /** When, in milliseconds of virtual time. */
  timeMs: number;
  /** Where: a client's name, `locket-0`, `database`, or empty for a remark. */
  who: string;
  kind: EventKind;
  /** One sentence. */
  words: string;
  /** What became of a runner, or of a joint lock; `null` for other kinds. */
  runner: RunnerEventKind | null;
  /** What a client asked Locket, in words: of a call, of its handling and of its answer. */
  asks: string | null;
  /** What Locket answered, in words. */
  answer: string | null;
  /** Whether Locket did what was asked. */
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
  /** What the scenario expected and did not hold, each a sentence; empty if all held. */
  failures: string[];
  /** Equal for the same scenario and seed in native Rust, Node and browsers. */
  digest: string;
}

/** Options of {@link runScenario}. */
export interface RunOptions extends StepsOption {
  /**
   * Whether to keep what has happened; true if left out. Without it `events` is empty, memory does not grow with the
   * time that is simulated, and a run may be longer than a trace could be. Digest and expectations are the same.
   */
  trace?: boolean;
}

/** How far a run is. */
export interface RunProgress {
  /** The virtual time, in milliseconds. */
  timeMs: number;
}

/** Options of {@link runScenarioAsync}. */
export interface RunAsyncOptions extends RunOptions {
  /** Ends the run; the promise is rejected with its reason. */
  signal?: AbortSignal;
  /** Called some hundred times a second with how far the run is. */
  onProgress?: (progress: RunProgress) => void;
}

const RUN_OPTIONS = new Set(['trace', 'maxSteps']);
const ASYNC_OPTIONS = new Set([...RUN_OPTIONS, 'signal', 'onProgress']);

/**
 * Runs a scenario from its start to its end on the reference server.
 *
 * @param scenario its JSON text, or the same as a value
 * @throws {@link ScenarioError} with line and column for the first mistake; for a value, in its text as
 * `JSON.stringify(scenario, undefined, 2)` gives it
 * @throws {@link StepLimitError} if the run would take more steps than it may
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
 * The same for a run that takes its time: the event loop goes on meanwhile, and a signal ends it.
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

/** A step is much less than a state, which slices count in. */
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

  /** The run, which takes its memory. */
  finish(): ScenarioRun {
    this.#isFinished = true;
    const told = callWasm(() => this.#core.finish() as ScenarioRun);
    sources.set(told, { scenario: this.#text, maxSteps: this.#maxSteps });
    return told;
  }

  free(): void {
    if (!this.#isFinished) this.#core.free();
  }
}

/** What runs were made from: the text alone decides a run, so it can be told again. */
const sources = new WeakMap<ScenarioRun, { scenario: string; maxSteps: number }>();

/** What a run was made from. */
export function sourceOfRun(run: ScenarioRun): { scenario: string; maxSteps: number } | undefined {
  return sources.get(run);
}
