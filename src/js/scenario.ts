// Runs scenarios: who does what when, as data.

import { runScenario as run } from '#glue';

import { LocketArgumentError } from './errors.js';
import { kindOf, knownFields } from './options.js';
import type { Row } from './resource.js';
import type { Scenario } from './scenario-value.js';
import { callWasm } from './wasm.js';

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
export interface RunOptions {
  /**
   * Whether to keep what has happened; true if left out. Without it `events` is empty, memory does not grow with the
   * time that is simulated, and a run may be longer than a trace could be. Digest and expectations are the same.
   */
  trace?: boolean;
}

const RUN_OPTIONS = new Set(['trace']);

/**
 * Runs a scenario from its start to its end on the reference server.
 *
 * @param scenario its JSON text, or the same as a value
 * @throws {@link ScenarioError} with line and column for the first mistake; for a value, in its text as
 * `JSON.stringify(scenario, undefined, 2)` gives it
 */
export function runScenario(scenario: string | Scenario, options: RunOptions = {}): ScenarioRun {
  knownFields('options', options, RUN_OPTIONS);
  const { trace = true } = options;
  if (typeof trace !== 'boolean') throw new LocketArgumentError('options.trace', `expected a boolean, not ${kindOf(trace)}`);
  const json = scenarioText(scenario);
  const told = callWasm(() => run(json, trace) as ScenarioRun);
  texts.set(told, json);
  return told;
}

/** What runs were made from: the text alone decides a run, so it can be told again. */
const texts = new WeakMap<ScenarioRun, string>();

/** The text that a run was made from. */
export function textOfRun(run: ScenarioRun): string | undefined {
  return texts.get(run);
}

/** The JSON text of a scenario. */
export function scenarioText(scenario: unknown): string {
  return typeof scenario === 'string' ? scenario : toJson(scenario);
}

function toJson(scenario: unknown): string {
  if (typeof scenario !== 'object' || scenario === null) {
    throw new LocketArgumentError('scenario', `expected a JSON text or an object, not ${kindOf(scenario)}`);
  }
  try {
    return JSON.stringify(scenario, undefined, 2);
  } catch (cause) {
    throw new LocketArgumentError('scenario', `cannot be written as JSON: ${String(cause)}`);
  }
}
