// The settings of a lock or presence: one object for clients, scenarios and questions.

import type { Duration } from './duration.js';
import type { RunnerName, RunnerRule } from './runner-name.js';

export type { RunnerName, RunnerRule };

/**
 * A lock or a presence, and how a runner keeps it. Scenarios and questions take the same object.
 */
export interface LockSettings {
  /** Identifies the resource; 1 to 255 characters. */
  key: string;
  /**
   * The owner; 1 to 255 characters; by default the client's {@link LocketClient.owner | owner}. Two
   * runners with the same owner both hold the lock: make it unique.
   */
  owner?: string;
  /** Free text stored beside the key; at most 4096 characters; empty by default. */
  value?: string;
  /** A `lock` by default; `presence()` keeps presences, everything else locks or either. */
  kind?: 'lock' | 'presence';
  /** How long the row lives, in whole seconds; `15s` by default. After a crash, others wait this long. */
  ttl?: Duration;
  /**
   * The time between attempts. The default is the smaller of `5s` and a third of `ttl − margin`,
   * rounded down to whole seconds or tenths.
   */
  retryInterval?: Duration;
  /**
   * How long before the row can expire a safe runner stops. The default is `1s` (`500ms` for a
   * TTL below 10 s, `250ms` below 5 s, `100ms` below 3 s), which allows for clocks that run at
   * different rates. Add the time that your code needs to stop after its signal.
   */
  margin?: Duration;
  /**
   * The runner, by name or as a rule of its own; `safe` by default. The first attempt and the Release of an upstream runner wait
   * without a limit, unless the client has a `timeout`. Over gRPC, its later attempts wait for a
   * connection; `fetch` has none to wait for, so here an attempt that reaches no server fails at
   * once.
   */
  runner?: RunnerName | RunnerRule;
  /** Whether the first attempt has a deadline like the others; upstream's has none. */
  firstAttemptDeadline?: boolean;
}
