// Work under a lock: wait, work, release.

import { LocketError, type LockLostError } from '../../base/errors.js';
import type { RunnerHost } from './drive.js';
import { acquireLock, type Lock, type Wait } from './lock.js';
import type { RunnerPlan } from './options.js';
import { lossOf, workSignal } from './work-signal.js';

/**
 * Work under a lock: see {@link LocketClient.withLock}. Its signal aborts when the lock is lost, or
 * with the caller's signal. It checks the clocks, as {@link Lock.signal} does.
 */
export type Work<T> = (signal: AbortSignal, lock: Lock) => Promise<T> | T;

/** Implements {@link LocketClient.withLock}. */
export async function withLock<T>(plan: RunnerPlan, host: RunnerHost, wait: Wait, work: Work<T>): Promise<T> {
  const { signal } = wait;
  const { free, leave } = host.claims.enter(plan);
  try {
    const lock = await acquireLock(plan, host, wait, free()).catch((error: unknown) => rejectAsAborted(signal, error));
    if (!signal?.aborted) return await workUnder(lock, signal, work);
    await lock.release();
    throw signal.reason;
  } finally {
    leave();
  }
}

/** An aborted wait rejects with the caller's reason, as platform functions do. */
function rejectAsAborted(signal: AbortSignal | undefined, error: unknown): never {
  throw signal?.aborted && error instanceof LocketError && error.cause === signal.reason ? signal.reason : error;
}

async function workUnder<T>(lock: Lock, caller: AbortSignal | undefined, work: Work<T>): Promise<T> {
  const { signal, stop } = workSignal(lock, caller);
  let lost: LockLostError | undefined;
  let result: T;
  try {
    result = await work(signal, lock);
  } finally {
    lost = lossOf(lock);
    stop();
    await lock.release();
  }
  // The signal's reason: the work and the caller see one error.
  if (lost !== undefined) throw Object.assign(lost, { result });
  return result;
}
