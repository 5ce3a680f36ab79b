// Made of sim/simulation.schema.json by `make docs`; do not edit.

import type { ScenarioEvent } from './run-value.js';

/** A branch over its whole time, including the future, or as far as it has come. */
export interface SimulationTimeline {
  /** Its end: the scenario's, or the latest time reached after it. Up to now, it is now. */
  endMs: number;
  /** Calls, queries and their answers, by the time of sending. */
  messages: SimulationMessage[];
  /** How many calls there were of each method that was called. */
  calls: {
    /** Its name on the wire. */
    method: 'Lock' | 'Release' | 'Fetch' | 'FetchAll';
    /** How many there were. */
    sent: number;
    /** How many Locket answered with an error. */
    refused: number;
    /** How many had no answer: the client gave up, or the connection broke. */
    failed: number;
  }[];
  /** Truth: the owner of each key's row. */
  holders: {
    /** The key. */
    key: string;
    /** The owner. */
    owner: string;
    /** From when on. */
    fromMs: number;
    /** Until when. */
    toMs: number;
  }[];
  /** Belief: when a client believes it holds its key. */
  beliefs: {
    /** The client. */
    client: string;
    /** From when on. */
    fromMs: number;
    /** Until when. */
    toMs: number;
  }[];
  /** When two or more clients believe they hold a key, and which. */
  twoOwners: {
    /** The key. */
    key: string;
    /** The clients. */
    clients: string[];
    /** From when on. */
    fromMs: number;
    /** Until when. */
    toMs: number;
  }[];
  /**
   * When no client acted on a key, after the first client did: no client believed that it held
   * the key and ran.
   */
  noClientActs: {
    /** The key. */
    key: string;
    /** From when on. */
    fromMs: number;
    /** Until when. */
    toMs: number;
  }[];
  /** When a node was paused or down. */
  outages: {
    /** The node. */
    node: string;
    /**
     * Whether it is paused or down.
     *
     * * `down`: It is not there.
     * * `paused`: It is paused.
     */
    status: 'down' | 'paused';
    /** From when on. */
    fromMs: number;
    /** Until when. */
    toMs: number;
  }[];
  /** The writes that came to the storage, in order; `null` without a storage. */
  writes:
    | {
        /** The client that wrote. */
        client: string;
        /** When it came. */
        timeMs: number;
        /** Whether the storage took it, or refused it. */
        isTaken: boolean;
        /**
         * The client that had written as a later holder before, so that this write is late; `null` if
         * none had.
         */
        after: string | null;
      }[]
    | null;
  /** How many writes the storage took after one of a later holder. */
  wrongWrites: number;
  /** How many it refused although no later holder had written. */
  refusedWrites: number;
  /** The failed expectations, each a sentence. */
  failures: string[];
  /** The digest of the events. */
  digest: string;
  /** The events, in order. */
  events: ScenarioEvent[];
}

/** A period of time. */
export interface SimulationSpan {
  /** From when on. */
  fromMs: number;
  /** Until when. */
  toMs: number;
}

/** A call, a query, or an answer to one. */
export interface SimulationMessage {
  /** The sender. */
  from: string;
  /** The receiver. */
  to: string;
  /** When it was sent. */
  sentMs: number;
  /** When it arrives, even at a node that is paused or down; `null` if the network lost it. */
  arrivesMs: number | null;
  /**
   * Its fate.
   *
   * * `arrives`: It arrived, or is on its way.
   * * `lost`: The network lost it.
   * * `refused`: Its receiver was down.
   */
  fate: 'arrives' | 'lost' | 'refused';
  /** The number of the event that sent it. */
  cause: number | null;
  /** Whether it answers another. */
  isAnswer: boolean;
}
