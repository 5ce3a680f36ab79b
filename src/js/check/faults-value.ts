// Made of sim/question.schema.json by `make docs`; do not edit.

import type { Duration } from '../base/duration.js';

/** The faults that may happen in a search, each by its name. */
export interface Faults {
  /** A client crashes. Its row stays until the TTL ends. */
  crash?: FaultCount;
  /** The database crashes. While it is down it refuses every query, and it keeps its rows. */
  databaseCrash?: FaultDowntime;
  /**
   * The connection of a client breaks while Locket is up. Messages on their way over it are
   * lost, and the client knows it at once.
   */
  disconnect?: FaultCount;
  /** A message arrives twice. The second time is within the longest latency too. */
  duplicate?: FaultCount;
  /** An operator deletes the row. */
  rowDeletion?: FaultCount;
  /** The database fails over to a replica that has not seen the last commits. */
  failover?: FaultCommits;
  /**
   * A client is cut off from all Locket processes at once, as by a fault of its own network.
   * That begins while none of its links is cut.
   */
  isolation?: FaultLength;
  /** A Locket process crashes. It loses its timers, and its connections break. */
  locketCrash?: FaultDowntime;
  /**
   * A Locket process drains, as in a rolling deploy. It accepts no connection, finishes its
   * calls, stops and starts again. The first process drains first, then the next; each once the
   * one before it runs again.
   */
  locketDrain?: FaultDowntime;
  /** A Locket process is paused. Its timers do not fire, and what arrives waits. */
  locketPause?: FaultLength;
  /** A message between a client and a Locket process is lost. */
  lostMessage?: FaultCount;
  /** A reply of the database is lost, although the transaction is committed. */
  lostReply?: FaultCount;
  /**
   * The link between a client and a Locket process is cut, in one direction or in both. It loses
   * its messages. One begins while the link is whole.
   */
  partition?: FaultLength;
  /** A client is paused, and may believe meanwhile that it holds the lock. */
  pause?: FaultLength;
  /** A client that is down or has exited starts again, with the same owner. */
  restart?: FaultCount;
  /** The database stalls. It answers no query, and afterwards all of them. */
  stall?: FaultLength;
  /** A client is stopped in order. */
  stop?: FaultCount;
  /**
   * The machine of a client is suspended, a pause in which its clock is frozen. So the client
   * does not notice how much time has passed.
   */
  suspend?: FaultLength;
}

export type FaultCount =
  | (number | 'any')
  | {
      /**
       * How often it may happen. Left out, any number of times if that can be proved, and once if
       * not.
       */
      count?: number | 'any';
    };

export type FaultLength =
  | (number | 'any')
  | Duration
  | {
      /** The longest one. */
      length?: Duration;
      /**
       * How often it may happen. Left out, any number of times if that can be proved, and once if
       * not.
       */
      count?: number | 'any';
    };

export type FaultDowntime =
  | (number | 'any')
  | Duration
  | {
      /** The longest downtime; 0s by default. */
      length?: Duration;
      /**
       * How often it may happen. Left out, any number of times if that can be proved, and once if
       * not.
       */
      count?: number | 'any';
    };

export type FaultCommits =
  | (number | 'any')
  | {
      /** How many commits one loses; 1 by default. */
      lostCommits?: number;
      /**
       * How often it may happen. Left out, any number of times if that can be proved, and once if
       * not.
       */
      count?: number | 'any';
    };

export const FAULTS: readonly (keyof Faults)[] = [
  'crash',
  'databaseCrash',
  'disconnect',
  'duplicate',
  'rowDeletion',
  'failover',
  'isolation',
  'locketCrash',
  'locketDrain',
  'locketPause',
  'lostMessage',
  'lostReply',
  'partition',
  'pause',
  'restart',
  'stall',
  'stop',
  'suspend',
];
