// The signal of work under a lock.

import { onAbort } from '#glue';

import { LockLostError } from '../../base/errors.js';
import type { Lock } from './lock.js';
import { lookFirst } from './looking-signal.js';

/**
 * Aborts when the lock is lost or when the caller's signal aborts; it checks the clocks first.
 * `stop` detaches it from both.
 */
export function workSignal(lock: Lock, caller: AbortSignal | undefined): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  // The caller's may look at the clocks of another lock.
  lookFirst(controller.signal, () => void (lock.held, caller?.aborted));
  const sources = caller === undefined ? [lock.signal] : [lock.signal, caller];
  const stops = sources.map((source) => onAbort(source, () => controller.abort(source.reason)));
  const stop = (): void => {
    for (const each of stops) each();
  };
  return { signal: controller.signal, stop };
}

/** The loss of a lock, if it was lost. A lock that was given up is not lost. */
export function lossOf({ signal }: Lock): LockLostError | undefined {
  return signal.aborted && signal.reason instanceof LockLostError ? signal.reason : undefined;
}
