// Made of sim/simulation.schema.json by `make docs`; do not edit.

import type { Row } from '../client/row-value.js';

/** The state of a node at a moment. */
export interface SimulationNode {
  /** The name. */
  name: string;
  /**
   * The name of a client's entry in the scenario, as written; all clients of an entry with a
   * `count` share it.
   */
  entry: string | null;
  /** Whether a client has a runner. The others call by hand. */
  isRunner: boolean;
  /**
   * The kind of node.
   *
   * * `database`: The database.
   * * `joint`: A client that wants several locks together.
   * * `lock`: A client that wants a lock.
   * * `locket`: A Locket process.
   * * `presence`: A client that announces a presence.
   */
  kind: 'database' | 'joint' | 'lock' | 'locket' | 'presence';
  /**
   * Whether it runs.
   *
   * * `down`: It is not there.
   * * `paused`: It is paused, and messages to it wait.
   * * `running`: It runs.
   */
  status: 'down' | 'paused' | 'running';
  /** The number of messages that wait for it while it is paused. */
  waiting: number;
  /** The time of its own clock. */
  localTimeMs: number;
  /** The key that a client wants; for a joint lock, the first one. */
  key: string | null;
  /** All keys that a client wants, in order; empty for other nodes. */
  keys: string[];
  /** The owner name of a client. */
  owner: string | null;
  /** The request that a client waits for, in words. */
  asks: string | null;
  /** The Locket process that a client is connected to. */
  connectedTo: string | null;
  /** Whether links are cut between a client and every Locket process. */
  isCutOff: boolean;
  /**
   * Whether a client believes it holds its key (a joint lock: all its keys), whatever the table
   * says.
   */
  believes: boolean;
  /** When this belief ends without a further event; `null` if never. */
  beliefEndsMs: number | null;
  /** The TTL that a client requests. */
  ttlMs: number | null;
  /** The retry interval of a client's runner. */
  retryIntervalMs: number | null;
}

/** A future event, unless another event prevents it. */
export interface SimulationPending {
  /** When it happens. */
  timeMs: number;
  /** The node. */
  who: string;
  /**
   * The kind of event.
   *
   * * `answer`: An answer arrives.
   * * `message`: A call or a query arrives.
   * * `stall-ends`: The database resumes after a stall.
   * * `timer`: A timer fires: a runner's, a process's for a lease, or the table's.
   * * `wakes`: A paused node resumes.
   */
  kind: 'answer' | 'message' | 'stall-ends' | 'timer' | 'wakes';
  /** The sender of a message or an answer. */
  from: string | null;
  /** The request of a call under way, in words. */
  asks: string | null;
}

/** The state of a simulation at a moment. */
export interface SimulationState {
  /** The time. */
  timeMs: number;
  /** The database, the Locket processes, and the clients. */
  nodes: SimulationNode[];
  /** The truth: the rows of the `locks` table. */
  rows: Row[];
  /** When each row expires without a renewal. */
  leases: {
    /** The key. */
    path: string;
    /** When it expires; `null` if no running process has a timer for it. */
    endsMs: number | null;
  }[];
  /** The future events, in order. */
  pending: SimulationPending[];
}
