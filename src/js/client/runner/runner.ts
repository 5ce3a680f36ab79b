// A runner as JavaScript sees it: events, a signal, and the end.

import { afterwards, type LocketError, LockLostError } from '../../base/errors.js';
import { INSPECT, quoted } from '../../base/look.js';
import { length } from '../../base/times.js';
import type { WaitWords } from '../../base/waiting.js';
import { Drive, type Output, type RunnerHost } from './drive.js';
import { EventStream, type RunnerEvent, runnerEvent, type RunnerEventDetails, type RunnerEventOf, type RunnerEventType, type RunnerExit } from './events.js';
import { lookFirst } from './looking-signal.js';
import type { RunnerPlan } from './options.js';

/** A listener of one type of event, or of all. */
export type RunnerListener<T extends RunnerEventType = RunnerEventType> =
  | ((event: { [K in T]: RunnerEventOf<K> }[T]) => void)
  | { handleEvent(event: { [K in T]: RunnerEventOf<K> }[T]): void };

/** The options of `addEventListener`. */
type ListenerOptions = boolean | { capture?: boolean; once?: boolean; passive?: boolean; signal?: AbortSignal };

/** True if a runner may have taken a lock, for the error of a wait that was aborted. */
export let mayHaveTaken: (runner: Runner) => boolean;

/** The state of a runner, for a line about it: `held, lease ends in 9 s`. */
export let statusOf: (runner: Runner) => string;

/**
 * Keeps a lock or a presence. {@link LocketClient.lockRunner} and {@link LocketClient.presence} create
 * runners. A runner runs until it is stopped, or until its lock is lost.
 *
 * Listeners receive its events. So does any number of loops; each sees the events since it began:
 *
 * @example
 * ```ts
 * const presence = client.presence({ key: 'cell-1', owner: 'cell-1', value: '{"zone":"z1"}' });
 * presence.addEventListener('lost', ({ error }) => console.warn(error));
 * for await (const event of presence) console.log(event.type);
 * ```
 */
export class Runner extends EventTarget {
  static {
    mayHaveTaken = (runner) => runner.#drive.mayHaveTaken;
    statusOf = (runner) => runner.#status();
  }
  /** The key that it holds or wants. */
  readonly key: string;
  /** The owner. */
  readonly owner: string;
  /**
   * Fulfilled with `true` when the lock is held for the first time, or with `false` when the
   * runner ends before that. Never rejects.
   */
  readonly ready: Promise<boolean>;
  /** Fulfilled with the result when the runner has ended. Never rejects. */
  readonly exited: Promise<RunnerExit>;
  readonly #plan: RunnerPlan;
  readonly #drive: Drive;
  readonly #host: RunnerHost;
  readonly #streams = new Set<EventStream>();
  /** Aborts when the current hold ends. */
  #hold: AbortController | undefined;
  /** Events before the caller could add a listener. */
  #early: RunnerEvent[] | undefined = [];
  #wasHeld = false;
  #lastError: LocketError | undefined;
  /** The result of the Release, if it has ended. */
  #release: { released: boolean; error: LocketError | undefined } = { released: false, error: undefined };
  #releasing: Promise<RunnerExit> | undefined;
  #exit: RunnerExit | undefined;
  #isLeaving = false;
  readonly #leaveClaims: () => void;
  readonly #leaveMachine: (() => void) | undefined;
  readonly #onFirstHold: ((signal: AbortSignal) => void) | undefined;
  #onReady: (ready: boolean) => void = () => {};
  #onExited: (exit: RunnerExit) => void = () => {};

  /**
   * Internal: clients create runners. The first attempt starts before this returns, or when `free`,
   * which never rejects, has settled; `onFirstHold` is called when the lock is held for the first time.
   */
  constructor(plan: RunnerPlan, host: RunnerHost, onFirstHold?: (signal: AbortSignal) => void, free?: Promise<unknown>) {
    super();
    this.#onFirstHold = onFirstHold;
    this.key = plan.resource.key;
    this.owner = plan.resource.owner;
    this.#plan = plan;
    this.#host = host;
    this.ready = new Promise((resolve) => (this.#onReady = resolve));
    this.exited = new Promise((resolve) => (this.#onExited = resolve));
    this.#drive = new Drive(plan, host, {
      held: (held, why, error) => this.#held(held, why, error),
      report: (output, error) => this.#report(output, error),
    });
    this.#leaveClaims = host.claims.add({ plan, isLeaving: () => this.#leaves(plan), ended: this.exited });
    this.#leaveMachine = host.clock.wait?.({
      describe: () => this.#waitsFor(plan),
      promisesDueMs: () => this.#drive.promisesDueMs,
      end: (error) => this.#drive.close(error),
      look: () => this.#drive.look(),
    });
    // Not `queueMicrotask`, which tests may fake.
    // oxlint-disable-next-line typescript/no-floating-promises -- to dispatch an event does not throw
    Promise.resolve().then(() => this.#sendEarly());
    if (free === undefined) this.#drive.start();
    // oxlint-disable-next-line typescript/no-floating-promises -- `free` never rejects, and a drive that fails ends the runner
    else free.then(() => this.#drive.start());
  }

  /**
   * True if the lock is held now, by the runner's clocks. It is exact even when timers are late,
   * as in a background page. Check it before each action that must not happen twice.
   */
  get held(): boolean {
    this.#drive.look();
    return this.#hold !== undefined;
  }

  /**
   * Aborts when the current hold ends; `undefined` if nothing is held. Its reason is an error with
   * the cause. Its `aborted` checks the runner's clocks, as {@link Runner.held} does.
   */
  get signal(): AbortSignal | undefined {
    this.#drive.look();
    return this.#hold?.signal;
  }

  /**
   * The error of the last attempt; `undefined` if it succeeded or none has ended.
   */
  get lastError(): LocketError | undefined {
    return this.#lastError;
  }

  /**
   * The rest of the lease if no renewal succeeds; `undefined` if nothing is held, or the runner
   * does not count its lease.
   */
  get leaseLeftMs(): number | undefined {
    this.#drive.look();
    return this.#drive.leaseLeftMs();
  }

  /**
   * Gives the lock up: waits for an attempt under way, then sends the Release. The lock counts as
   * given up as soon as the Release is sent; {@link Runner.signal} aborts then. A safe runner waits
   * for at most two retry intervals while it holds the lock, and for a TTL and a retry interval
   * while it does not. If the Release failed, a further call sends it again, for a TTL at most.
   */
  stop(): Promise<RunnerExit> {
    this.#isLeaving = true;
    this.#drive.signal();
    const exit = this.#exit;
    if (exit === undefined) return this.exited;
    if (exit.reason !== 'stopped' || exit.error === undefined) return Promise.resolve(exit);
    return (this.#releasing ??= this.#releaseAgain(exit).finally(() => (this.#releasing = undefined)));
  }

  /** Ends at once, without a Release: other owners get the lock when its TTL ends. */
  abandon(): void {
    this.#drive.abandon();
  }

  /** {@link Runner.stop}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /**
   * The events from now on, until the runner has ended. A slow reader misses repeated renewals and
   * attempts.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<RunnerEvent> {
    const stream = new EventStream((ended) => this.#streams.delete(ended));
    if (this.#exit !== undefined && this.#early === undefined) stream.end();
    else this.#streams.add(stream);
    return stream;
  }

  /** Adds a listener; {@link RunnerEventType} describes each type of event. */
  override addEventListener<T extends RunnerEventType>(type: T, listener: RunnerListener<T> | null, options?: ListenerOptions): void {
    super.addEventListener(type, listener as EventListener | null, options);
  }

  /** Removes a listener. */
  override removeEventListener<T extends RunnerEventType>(type: T, listener: RunnerListener<T> | null, options?: boolean | { capture?: boolean }): void {
    super.removeEventListener(type, listener as EventListener | null, options);
  }

  [INSPECT](): string {
    return `Runner of ${quoted(this.key)} for ${this.owner}, ${this.#status()}`;
  }

  #status(): string {
    const { held, leaseLeftMs } = this;
    if (held) return leaseLeftMs === undefined ? 'held' : `held, lease ends in ${length(leaseLeftMs)}`;
    return this.#exit === undefined ? 'not held' : `ended: ${this.#exit.reason}`;
  }

  /** True if it only releases what it had: it was stopped, or the end of its lock ends it. */
  #leaves({ settings }: RunnerPlan): boolean {
    return this.#isLeaving || (this.#wasHeld && settings.afterLoss === 'exit' && !this.held);
  }

  /** The description of a wait for this runner. */
  #waitsFor({ resource }: RunnerPlan): WaitWords | undefined {
    if (this.#hold !== undefined) return undefined;
    return { words: `waits for ${resource.kind} ${quoted(this.key)}; its next attempt is`, atMs: this.#drive.dueMs, wants: resource };
  }

  #held(held: boolean, why: Output | undefined, error: LocketError | undefined): void {
    if (held) {
      this.#hold = new AbortController();
      lookFirst(this.#hold.signal, () => this.#drive.look());
      if (this.#wasHeld) return;
      this.#wasHeld = true;
      this.#onReady(true);
      this.#onFirstHold?.(this.#hold.signal);
      return;
    }
    const hold = this.#hold;
    this.#hold = undefined;
    hold?.abort(this.#reason(why, error));
  }

  #reason(why: Output | undefined, error: LocketError | undefined): Error {
    if (why?.words !== undefined) return this.#lost(why, error);
    if (why?.kind === 'closed' && error !== undefined) return error;
    const what = why?.kind === 'abandoned' ? 'abandoned' : 'given up';
    return new DOMException(`${this.key}: the lock was ${what}`, 'AbortError');
  }

  #lost(output: Output, error: LocketError | undefined): LockLostError {
    if (error !== undefined) return new LockLostError(this.key, `not held any more: ${error.message}`, error);
    const why = `${(output.words ?? '').trim()}${afterwards(this.#lastError)}`;
    return new LockLostError(this.key, `not held any more: ${why}`, this.#lastError);
  }

  #report(output: Output, error: LocketError | undefined): void {
    const { kind } = output;
    const details: Partial<RunnerEventDetails> = { key: this.key };
    switch (kind) {
      case 'runner-exited':
        return;
      case 'abandoned':
      case 'closed':
      case 'exited':
        return this.#ended(output, error);
      case 'suspended':
        details.key = undefined;
        details.suspendedMs = output.suspendedMs;
        break;
      case 'released':
        details.error = error;
        this.#release = { released: error === undefined, error };
        break;
      case 'retrying':
        this.#lastError = error;
        details.error = error;
        details.owner = output.owner;
        break;
      case 'lost':
        details.error = this.#lost(output, error);
        break;
      case 'renewed':
        this.#lastError = undefined;
        break;
      case 'acquired':
        this.#lastError = undefined;
        details.signal = this.#hold?.signal;
        break;
    }
    this.#send(kind as RunnerEventType, details);
  }

  #ended(output: Output, error: LocketError | undefined): void {
    const { released, error: releaseError } = this.#release;
    const isFailure = output.words !== undefined;
    const exit: RunnerExit = isFailure
      ? { reason: this.#wasHeld ? 'lost' : 'failed', released, error: this.#lost(output, error) }
      : output.kind === 'closed'
        ? { reason: 'closed', released, error: error as LocketError }
        : { reason: output.kind === 'abandoned' ? 'abandoned' : 'stopped', released, error: releaseError };
    this.#exit = exit;
    this.#leaveClaims();
    this.#leaveMachine?.();
    this.#onReady(false);
    this.#onExited(exit);
    this.#send('exited', { error: isFailure ? exit.error : undefined, exit });
  }

  /** A runner of this client that keeps the key by now would lose it to the Release. */
  async #releaseAgain(failed: RunnerExit): Promise<RunnerExit> {
    const { claims } = this.#host;
    if (claims.isKept(this.#plan)) return failed;
    let error: LocketError | undefined;
    const ended = this.#host.release(this.#plan.resource).then((answer) => void (error = answer));
    const leave = claims.add({ plan: this.#plan, isLeaving: () => true, ended });
    await ended;
    leave();
    this.#exit = { reason: 'stopped', released: error === undefined, error };
    return this.#exit;
  }

  #send(type: RunnerEventType, details: Partial<RunnerEventDetails>): void {
    const event = runnerEvent(type, this.#host.clock.read().monotonicMs, details);
    if (this.#early === undefined) this.#dispatch(event);
    else this.#early.push(event);
  }

  #sendEarly(): void {
    for (let event = this.#early?.shift(); event !== undefined; event = this.#early?.shift()) this.#dispatch(event);
    this.#early = undefined;
  }

  #dispatch(event: RunnerEvent): void {
    for (const stream of this.#streams) stream.push(event);
    this.dispatchEvent(event);
    if (event.type === 'exited') for (const stream of [...this.#streams]) stream.end();
  }
}

/** Starts a runner for a caller of a client, if the client does not already keep its key. */
export function startRunner(plan: RunnerPlan, host: RunnerHost): Runner {
  const { free, leave } = host.claims.enter(plan);
  try {
    return new Runner(plan, host, undefined, free());
  } finally {
    // From now on the runner claims the key itself.
    leave();
  }
}
