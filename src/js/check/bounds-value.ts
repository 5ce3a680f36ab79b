// Made of sim/question.schema.json by `make docs`; do not edit.

import type { Duration } from '../base/duration.js';

/** The most that may go wrong in a search: nothing, but for the latency of messages. */
export interface Bounds {
  /**
   * The longest latency of a message, 1 s by default; each message takes any time up to it. A
   * scenario's latency replaces the default.
   */
  latency?: Duration;
  /** How many messages may be lost. */
  lostMessages?: number | 'any';
  /** How many messages may arrive twice, the second time within the longest latency too. */
  duplicates?: number | 'any';
  /**
   * How many times the connection of a client may break while Locket is up: what is on its way
   * over it is lost, and the client knows it at once.
   */
  disconnects?: number | 'any';
  /**
   * How many times the link between a client and a Locket process may be cut, in one direction
   * or in both; 1 if `partition` is given. A cut link loses its messages.
   */
  partitions?: number | 'any';
  /** The longest partition. */
  partition?: Duration;
  /** How many times a client may be paused; 1 if `pause` is given. */
  pauses?: number | 'any';
  /** The longest pause of a client, which may believe meanwhile that it holds the lock. */
  pause?: Duration;
  /**
   * How many times the machine of a client may be suspended; 1 if `suspend` is given. Its clock
   * is frozen meanwhile, so the client does not notice how much time has passed.
   */
  suspends?: number | 'any';
  /** The longest suspend of a client's machine. */
  suspend?: Duration;
  /** How many times a client may crash. */
  crashes?: number | 'any';
  /** How many times a client that is down or has exited may start again, with the same owner. */
  restarts?: number | 'any';
  /** How many times a client may be stopped in order. */
  stops?: number | 'any';
  /** How many times a Locket process may crash. */
  locketCrashes?: number | 'any';
  /**
   * How many times a Locket process may drain, as in a rolling deploy: it accepts no connection,
   * finishes its calls, stops and starts again. The first process drains first, then the next;
   * each once the one before it runs again.
   */
  locketDrains?: number | 'any';
  /** The longest downtime of a Locket process after a crash or a drain. */
  locketDowntime?: Duration;
  /** How many times a Locket process may be paused; 1 if `locketPause` is given. */
  locketPauses?: number | 'any';
  /** The longest pause of a Locket process. */
  locketPause?: Duration;
  /**
   * The longest latency of a query to the database, and of its reply, none by default; each
   * takes any time up to it. A scenario's latency of the database replaces the default.
   */
  databaseLatency?: Duration;
  /**
   * How many times the database may stall; 1 if `stall` is given. A database that stalls answers
   * no query, and afterwards all of them.
   */
  stalls?: number | 'any';
  /** The longest stall of the database. */
  stall?: Duration;
  /**
   * How many times the database may crash. A database that is down refuses every query, and
   * keeps its rows.
   */
  databaseCrashes?: number | 'any';
  /** The longest downtime of the database after a crash. */
  databaseDowntime?: Duration;
  /** How many replies of the database to a Locket process may be lost. */
  lostReplies?: number | 'any';
  /** How many times the database may fail over. */
  failovers?: number | 'any';
  /** How many commits a failover loses; 1 by default. */
  lostCommits?: number;
  /** How many times an operator may delete the row. */
  rowDeletions?: number | 'any';
}

export const BOUNDS: Readonly<Record<keyof Bounds, 'count' | 'duration'>> = {
  latency: 'duration',
  lostMessages: 'count',
  duplicates: 'count',
  disconnects: 'count',
  partitions: 'count',
  partition: 'duration',
  pauses: 'count',
  pause: 'duration',
  suspends: 'count',
  suspend: 'duration',
  crashes: 'count',
  restarts: 'count',
  stops: 'count',
  locketCrashes: 'count',
  locketDrains: 'count',
  locketDowntime: 'duration',
  locketPauses: 'count',
  locketPause: 'duration',
  databaseLatency: 'duration',
  stalls: 'count',
  stall: 'duration',
  databaseCrashes: 'count',
  databaseDowntime: 'duration',
  lostReplies: 'count',
  failovers: 'count',
  lostCommits: 'count',
  rowDeletions: 'count',
};
