// The settings of a lock or presence: one object for clients, scenarios and questions.

import type { Duration } from './duration.js';
import type { RunnerName } from './runner-name.js';

export type { RunnerName };

/** A lock or a presence, and how to keep it. Scenarios and questions take the same object. */
export interface LockSettings {
  /** Identifies the resource; 1 to 255 characters. */
  key: string;
  /** Who wants it; 1 to 255 characters. Two runners of the same owner both hold it: make it unique. */
  owner: string;
  /** Free text stored beside the key; at most 4096 characters; empty by default. */
  value?: string;
  /** A `lock` by default; `presence()` keeps presences, everything else locks or either. */
  kind?: 'lock' | 'presence';
  /** The lease, whole seconds; `15s` by default. After a crash others wait as long as this. */
  ttl?: Duration;
  /** The time between attempts; `5s` by default, or a third of `ttl` less `margin`, cut to whole seconds or tenths, if that is less. */
  retryInterval?: Duration;
  /**
   * How long before the end of its lease a safe runner stops; `1s` by default (`500ms` for a TTL below 10 s, `250ms` below 5 s,
   * `100ms` below 3 s), which allows for clocks that run at different rates. Add what your code needs to stop after its signal.
   */
  margin?: Duration;
  /**
   * Its runner; `safe` by default. The first attempt and the Release of an upstream runner wait without end, unless the client has
   * a `timeout`. Over gRPC its later attempts wait for a connection; `fetch` has none to wait for, so here an attempt that reaches
   * no server fails at once.
   */
  runner?: RunnerName;
  /** Whether its first attempt has a deadline as the others have; upstream's has not. */
  firstAttemptDeadline?: boolean;
}
