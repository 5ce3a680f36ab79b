// A lock that is held, and the wait for it.

import { onAbort } from '#glue';

import { LocketArgumentError, LocketError, LockLostError } from '../errors.js';
import { isHopeless, waitGivenUp } from '../failure.js';
import type { RunnerHost } from './drive.js';
import { RUNNER_EVENT_TYPES, type RunnerExit } from './events.js';
import type { RunnerPlan } from './options.js';
import { Runner, type RunnerListener } from './runner.js';

/** Options of the wait of {@link LocketClient.acquire}. */
export interface AcquireWait {
  /** Ends the wait: nothing is held then, and an attempt under way is taken back. It has no say once the lock is held. */
  signal?: AbortSignal;
  /** Called with every event of the runner, from the first attempt on. */
  onEvent?: RunnerListener;
}

/**
 * A lock that is held: what {@link LocketClient.acquire} gives. It is renewed until it is released or lost.
 *
 * @example
 * ```ts
 * await using lock = await client.acquire({ key: 'bbs', owner: 'bbs-0' });
 * await doWork({ signal: lock.signal });
 * ```
 */
export class Lock {
  /** What is held. */
  readonly key: string;
  /** Who holds it. */
  readonly owner: string;
  /**
   * Aborted when the lock is held no longer: before another owner can have it, if the runner is safe. Its reason is a
   * {@link LockLostError} if the lock was lost, and a `DOMException` named `AbortError` if it was given up. Its `aborted`
   * and `throwIfAborted` look at the clocks, as {@link Lock.held} does: they know of the end also where timers are late.
   */
  readonly signal: AbortSignal;
  /** What renews it, with its events. */
  readonly runner: Runner;

  /** Not for users: {@link LocketClient.acquire} makes locks. */
  constructor(runner: Runner, signal: AbortSignal) {
    this.key = runner.keys[0] as string;
    this.owner = runner.owner;
    this.runner = runner;
    this.signal = signal;
  }

  /** Whether it is held at this moment: {@link Runner.held}. */
  get held(): boolean {
    return this.runner.held;
  }

  /** Fulfilled when it is over, with how. Never rejects. */
  get exited(): Promise<RunnerExit> {
    return this.runner.exited;
  }

  /** Gives it up, so that others get it at their next try: {@link Runner.stop}. Doing so twice is fine. */
  release(): Promise<RunnerExit> {
    return this.runner.stop();
  }

  /** {@link Lock.release}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }
}

/** Waits until a lock is held. */
export function acquireLock(plan: RunnerPlan, host: RunnerHost, { signal, onEvent }: AcquireWait): Promise<Lock> {
  return new Promise((resolve, reject: (error: Error) => void) => {
    if (signal?.aborted) return reject(waitGivenUp(signal, 'no-effect'));
    let held: AbortSignal | undefined;
    let stopListening: (() => void) | undefined;
    const runner = new Runner(plan, host, (first) => {
      held = first;
      stopListening?.();
    });
    if (onEvent !== undefined) for (const type of RUNNER_EVENT_TYPES) runner.addEventListener(type, onEvent);
    if (signal !== undefined && held === undefined) {
      stopListening = onAbort(signal, () => {
        reject(waitGivenUp(signal, 'unknown', runner.lastError));
        void runner.stop();
      });
    }
    runner.addEventListener('retrying', ({ error }) => {
      if (held !== undefined || !(error instanceof LocketError) || !isHopeless(error)) return;
      reject(error.cause instanceof LocketArgumentError ? error.cause : error);
      void runner.stop();
    });
    void runner.ready.then(() => {
      if (held !== undefined) resolve(new Lock(runner, held));
    });
    void runner.exited.then(({ error }) => {
      stopListening?.();
      reject(error ?? new LockLostError(runner.keys.join(), 'given up before it was held'));
    });
  });
}
