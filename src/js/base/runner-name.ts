// Made of sim/scenario.schema.json by `make docs`; do not edit.

/**
 * The runner that keeps a lock or a presence.
 *
 * * `cloud-controller`: The Cloud Controller's loop, with a TTL of 15 s and a retry interval
 *   of 1 s.
 * * `safe`: Counts its lease from the moment it sends each request, and stops before the lease
 *   ends, whatever happens to the network, the process or the machine. It tolerates one failed
 *   attempt.
 * * `upstream`: Locket's own runner today. It learns of a loss only from a failed attempt, so
 *   it may still believe that it holds the lock when another owner does. Any failure ends a
 *   lock.
 * * `upstream-before-2025-10`: Locket's own runner before October 2025, in which an attempt
 *   may take a whole TTL.
 */
export type RunnerName = 'cloud-controller' | 'safe' | 'upstream' | 'upstream-before-2025-10';

export const RUNNERS: readonly RunnerName[] = [
  'cloud-controller',
  'safe',
  'upstream',
  'upstream-before-2025-10',
];
