// Made of sim/simulation.schema.json by `make docs`; do not edit.

import type { Row } from '../client/row-value.js';

/** A finished run. */
export interface ScenarioRun {
  /** The name of the scenario. */
  name: string;
  /** The description of the scenario. */
  description: string;
  /** The events, in order; empty for a run without a trace. */
  events: ScenarioEvent[];
  /** The `locks` table at the end. */
  table: Row[];
  /** The failed expectations, each a sentence; empty if all hold. */
  failures: string[];
  /** Equal for the same scenario and seed on every platform: native Rust, Node and browsers. */
  digest: string;
}

/** An event of a run. */
export interface ScenarioEvent {
  /** Its number; `null` for a note, and for what happens at the storage. */
  id: number | null;
  /** The number of its cause; `null` for actions of the scenario. */
  cause: number | null;
  /** The virtual time, in milliseconds. */
  timeMs: number;
  /** The node: a client's name, `locket-0`, `database`, or empty for a note. */
  who: string;
  /** The kind of event. */
  kind: EventKind;
  /** The event as a sentence. */
  words: string;
  /** The kind of a runner's event; `null` for other events. */
  runner: RunnerEventKind | null;
  /** The method of a client's request; for a call, its handling and its answer. */
  method: ('Fetch' | 'FetchAll' | 'Lock' | 'Release') | null;
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

/**
 * The kind of an event.
 *
 * * `answered`: A client got an answer, or its call failed on the way.
 * * `called`: A client sent a call.
 * * `crashed`: A node crashed.
 * * `disconnected`: A client's connection to a Locket process broke.
 * * `draining`: A Locket process finishes its calls and accepts no connection.
 * * `expired`: A row was deleted because its TTL had ended.
 * * `failed-over`: The database failed over and lost its last commits.
 * * `handled`: A Locket process answered a call.
 * * `joint`: An event of a joint lock as a whole.
 * * `message-lost`: A message was lost.
 * * `noted`: A note of the scenario's author.
 * * `paused`: A node was paused.
 * * `resumed`: A paused node resumed.
 * * `row-deleted`: A row was deleted.
 * * `row-written`: A row was written.
 * * `runner`: An event of a runner: of a client, or for one key of a joint lock.
 * * `stalled`: The database stalled.
 * * `started`: A node started.
 * * `stopped`: A Locket process ended after it had finished its calls.
 * * `stored`: A client asked or wrote to the storage, or the storage took or refused its
 *   write.
 * * `table-dropped`: An operator dropped the table.
 */
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
  | 'stored'
  | 'table-dropped';

/**
 * The kind of a runner's or a joint lock's event.
 *
 * * `acquired`: It believes it holds its lock.
 * * `exited`: It ended.
 * * `lost`: It no longer believes it holds its lock.
 * * `ready`: It is ready.
 * * `released`: It released its lock, or could not.
 * * `renewed`: It renewed its lock.
 * * `retrying`: An attempt failed, and it will try again.
 * * `signalled`: It received the stop signal.
 */
export type RunnerEventKind =
  'acquired' | 'exited' | 'lost' | 'ready' | 'released' | 'renewed' | 'retrying' | 'signalled';
