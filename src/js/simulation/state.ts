// How everything is at a moment of a simulation: nodes, rows, and what is to come.

import type { Row } from '../client/resource.js';

/** The state of a node at a moment. */
export interface SimulationNode {
  name: string;
  /**
   * The name of a client's entry in the scenario, as written; all clients of an entry with a `count`
   * share it.
   */
  entry: string | null;
  /** Whether a client has a runner. The others call by hand. */
  isRunner: boolean;
  kind: 'database' | 'joint' | 'lock' | 'locket' | 'presence';
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
  timeMs: number;
  /** The node. */
  who: string;
  kind: 'answer' | 'message' | 'stall-ends' | 'timer' | 'wakes';
  /** The sender of a message or an answer. */
  from: string | null;
  /** The request of a call under way, in words. */
  asks: string | null;
}

/** The state of a simulation at a moment. */
export interface SimulationState {
  timeMs: number;
  nodes: SimulationNode[];
  /** The truth: the rows of the `locks` table. */
  rows: Row[];
  /** When each row expires without a renewal; `null` if no running process has a timer for it. */
  leases: { path: string; endsMs: number | null }[];
  /** The future events, in order. */
  pending: SimulationPending[];
}
