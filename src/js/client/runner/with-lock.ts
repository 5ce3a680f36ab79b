// Work under a lock: wait, work, release.

import { LocketError, type LockLostError } from '../../base/errors.js';
import type { Entered } from './claims.js';
import type { RunnerHost } from './drive.js';
import { acquireLock, type Lock, type Wait } from './lock.js';
import { at, type ListedPlan, type RunnerPlan } from './options.js';
import { lossOf, workSignal } from './work-signal.js';

/**
 * Work under a lock: see {@link LocketClient.withLock}. Its signal aborts when the lock is lost, or
 * with the caller's signal. It checks the clocks, as {@link Lock.signal} does.
 */
export type Work<T> = (signal: AbortSignal, lock: Lock) => Promise<T> | T;

/** Work under several locks. Its signal aborts when one of them is lost, or with the caller's signal. */
export type WorkUnderAll<T> = (signal: AbortSignal) => Promise<T> | T;

/** Implements {@link LocketClient.withLock} of one lock. */
export async function withLock<T>(plan: RunnerPlan, host: RunnerHost, wait: Wait, work: Work<T>): Promise<T> {
  const { free, leave } = host.claims.enter(plan);
  try {
    return await acquireAndWork(plan, host, wait, free(), work);
  } finally {
    leave();
  }
}

/**
 * Implements {@link LocketClient.withLock} of several locks. Each is taken in the work of the one before
 * it. So they are released in reverse, and a loss aborts the wait or the work under it.
 */
export async function withLocks<T>(locks: readonly ListedPlan[], host: RunnerHost, wait: Wait, work: WorkUnderAll<T>): Promise<T> {
  const begunMs = host.clock.read().monotonicMs;
  const leftMs = (): number | undefined => wait.maxWaitMs && Math.max(0, wait.maxWaitMs - (host.clock.read().monotonicMs - begunMs));
  const entered: Entered[] = [];
  const under = (place: number, signal: AbortSignal | undefined): Promise<T> => {
    const { plan } = locks[place] as ListedPlan;
    const isLast = place === locks.length - 1;
    const inside = (held: AbortSignal): Promise<T> | T => (isLast ? work(held) : under(place + 1, held));
    return acquireAndWork(plan, host, { ...wait, signal, maxWaitMs: leftMs() }, entered[place]?.free(), inside);
  };
  try {
    for (const { path, plan } of locks) entered.push(at(path, () => host.claims.enter(plan)));
    return await under(0, wait.signal);
  } finally {
    for (const { leave } of entered) leave();
  }
}

async function acquireAndWork<T>(plan: RunnerPlan, host: RunnerHost, wait: Wait, free: Promise<unknown> | undefined, work: Work<T>): Promise<T> {
  const { signal } = wait;
  const lock = await acquireLock(plan, host, wait, free).catch((error: unknown) => rejectAsAborted(signal, error));
  if (!signal?.aborted) return await workUnder(lock, signal, work);
  await lock.release();
  throw signal.reason;
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
