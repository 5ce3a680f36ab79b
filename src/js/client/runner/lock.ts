// A held lock, and the wait for it.

import { onAbort } from '#glue';

import { LocketArgumentError, LocketError, LockLostError, LockTimeoutError } from '../../base/errors.js';
import { type Duration, lengthMs } from '../../base/duration.js';
import { INSPECT, quoted } from '../../base/look.js';
import { abortSignal, checkedOptions, listener, optional } from '../../base/options.js';
import { isHopeless, waitGivenUp } from '../failure.js';
import type { RunnerHost } from './drive.js';
import { RUNNER_EVENT_TYPES, type RunnerEventType, type RunnerExit } from './events.js';
import type { RunnerPlan } from './options.js';
import { mayHaveTaken, Runner, type RunnerListener, statusOf } from './runner.js';

/** Options of the wait of {@link LocketClient.acquire} and {@link LocketClient.withLock}. */
export interface AcquireOptions {
  /**
   * Ends the wait: no lock is held then, and what an attempt has taken is released. It has no effect
   * once the promise is fulfilled.
   */
  signal?: AbortSignal;
  /**
   * The longest wait; then the wait rejects with a {@link LockTimeoutError}. By default there is no
   * limit. `0s` makes one attempt and waits for its answer.
   */
  maxWait?: Duration;
  /** Called with every event of the runner, from the first attempt on. */
  onEvent?: RunnerListener;
}

/**
 * A held lock: the result of {@link LocketClient.acquire}. It is renewed until it is released or
 * lost.
 *
 * @example
 * ```ts
 * await using lock = await client.acquire({ key: 'bbs', owner: 'bbs-0' });
 * await doWork({ signal: lock.signal });
 * ```
 */
export class Lock {
  /** The key. */
  readonly key: string;
  /** The owner. */
  readonly owner: string;
  /**
   * Aborts when the lock is no longer held; with the safe runner, before another owner can get it.
   * Its reason is a {@link LockLostError} if the lock was lost, and a `DOMException` named
   * `AbortError` if it was given up. Its `aborted` and `throwIfAborted` check the clocks, as
   * {@link Lock.held} does, so they are right even when timers are late.
   */
  readonly signal: AbortSignal;
  /** The runner that renews the lock, with its events. */
  readonly runner: Runner;

  /** Internal: use {@link LocketClient.acquire}. */
  constructor(runner: Runner, signal: AbortSignal) {
    this.key = runner.key;
    this.owner = runner.owner;
    this.runner = runner;
    this.signal = signal;
  }

  /** True if the lock is held now: {@link Runner.held}. */
  get held(): boolean {
    return this.runner.held;
  }

  /** Fulfilled with the result when the runner has ended. Never rejects. */
  get exited(): Promise<RunnerExit> {
    return this.runner.exited;
  }

  /**
   * Releases the lock, so that other owners get it at their next attempt: {@link Runner.stop}.
   * Releasing twice is fine, and asks Locket again if the first Release failed.
   */
  release(): Promise<RunnerExit> {
    return this.runner.stop();
  }

  [INSPECT](): string {
    return `Lock ${quoted(this.key)} of ${this.owner}, ${statusOf(this.runner)}`;
  }

  /** {@link Lock.release}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }
}

/** Options of a wait after checking. */
export interface Wait {
  signal: AbortSignal | undefined;
  maxWaitMs: number | undefined;
  /** Listeners of every event of the runner. */
  listeners: readonly RunnerListener[];
}

const ACQUIRE_OPTIONS = { signal: abortSignal, maxWait: optional(lengthMs), onEvent: listener };

/** Checks options of {@link LocketClient.acquire}. */
export function planWait(options: AcquireOptions): Wait {
  const { signal, maxWait: maxWaitMs } = checkedOptions(options, ACQUIRE_OPTIONS);
  const { onEvent } = options;
  return { signal, maxWaitMs, listeners: onEvent === undefined ? [] : [onEvent] };
}

/** Implements {@link LocketClient.acquire}. */
export async function acquire(plan: RunnerPlan, host: RunnerHost, wait: Wait): Promise<Lock> {
  const { free, leave } = host.claims.enter(plan);
  try {
    return await acquireLock(plan, host, wait, free());
  } finally {
    // From now on its runner claims the key, for as long as there is one.
    leave();
  }
}

/** Waits until a lock is held; its caller has claimed the key. The first attempt starts at once, or when `free` has settled. */
export function acquireLock(plan: RunnerPlan, host: RunnerHost, wait: Wait, free?: Promise<unknown>): Promise<Lock> {
  return new Promise((resolve, reject) => {
    if (wait.signal?.aborted) return reject(waitGivenUp(wait.signal, 'no-effect'));
    new Waiting(plan, host, wait, resolve, reject).begin(free);
  });
}

/**
 * One wait for a lock: it ends with the lock, or with an error; after an error, a late grant is
 * released.
 */
class Waiting {
  readonly #plan: RunnerPlan;
  readonly #host: RunnerHost;
  readonly #wait: Wait;
  readonly #resolve: (lock: Lock) => void;
  readonly #reject: (error: Error) => void;
  readonly #begunMs: number;
  readonly #limits: (() => void)[] = [];
  #runner: Runner | undefined;
  #held: AbortSignal | undefined;

  constructor(plan: RunnerPlan, host: RunnerHost, wait: Wait, resolve: (lock: Lock) => void, reject: (error: Error) => void) {
    this.#plan = plan;
    this.#host = host;
    this.#wait = wait;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#begunMs = host.clock.read().monotonicMs;
  }

  begin(free: Promise<unknown> | undefined): void {
    const { signal, maxWaitMs = 0 } = this.#wait;
    if (signal !== undefined) this.#limits.push(onAbort(signal, () => this.#abort(signal)));
    const stopTimer = maxWaitMs > 0 ? this.#host.clock.startTimer(maxWaitMs, () => this.#timeOut()) : (): void => {};
    this.#limits.push(stopTimer);
    const onFirstHold = (held: AbortSignal): void => {
      this.#held = held;
      stopTimer();
    };
    const runner = new Runner(this.#plan, this.#host, onFirstHold, free);
    this.#runner = runner;
    for (const listener of this.#wait.listeners) {
      for (const type of RUNNER_EVENT_TYPES) runner.addEventListener<RunnerEventType>(type, listener);
    }
    runner.addEventListener('retrying', ({ error }) => this.#failed(error));
    const settled = async (): Promise<void> => {
      if ((await runner.ready) && this.#held !== undefined) {
        this.#endLimits();
        return this.#resolve(new Lock(runner, this.#held));
      }
      const { error } = await runner.exited;
      this.#fail(error ?? new LockLostError(runner.key, 'given up before it was held'));
    };
    settled().catch(this.#reject);
  }

  /**
   * An attempt failed. No retry can fix some errors, and a wait of `0s` makes no second attempt.
   */
  #failed(error: unknown): void {
    if (this.#held !== undefined || !(error instanceof LocketError)) return;
    if (isHopeless(error)) this.#fail(error.cause instanceof LocketArgumentError ? error.cause : error);
    else if (this.#wait.maxWaitMs === 0) this.#timeOut();
  }

  #abort(signal: AbortSignal): void {
    const runner = this.#runner;
    const outcome = runner !== undefined && mayHaveTaken(runner) ? 'unknown' : 'no-effect';
    this.#fail(waitGivenUp(signal, outcome, runner?.lastError));
  }

  #timeOut(): void {
    const waitedMs = this.#host.clock.read().monotonicMs - this.#begunMs;
    this.#fail(new LockTimeoutError(this.#plan.resource.key, waitedMs, this.#runner?.lastError));
  }

  #fail(error: Error): void {
    this.#endLimits();
    this.#reject(error);
    // oxlint-disable-next-line typescript/no-floating-promises -- `stop` never rejects
    this.#runner?.stop();
  }

  #endLimits(): void {
    for (const stop of this.#limits.splice(0)) stop();
  }
}
