// A runner as JavaScript sees it: events, a signal, and the end.

import { afterwards, type LocketError, LockLostError } from '../../base/errors.js';
import { INSPECT, quoted, shortly } from '../../base/look.js';
import type { WaitWords } from '../../base/waiting.js';
import { Drive, type Output, type RunnerHost } from './drive.js';
import { EventStream, type RunnerEvent, runnerEvent, type RunnerEventDetails, type RunnerEventOf, type RunnerEventType, type RunnerExit } from './events.js';
import { lookFirst } from './looking-signal.js';
import type { MemberOptions, RunnerPlan } from './options.js';

/** A listener of one type of event, or of all. */
export type RunnerListener<T extends RunnerEventType = RunnerEventType> =
  | ((event: { [K in T]: RunnerEventOf<K> }[T]) => void)
  | { handleEvent(event: { [K in T]: RunnerEventOf<K> }[T]): void };

/** The options of `addEventListener`. */
type ListenerOptions = boolean | { capture?: boolean; once?: boolean; passive?: boolean; signal?: AbortSignal };

/** Whether a runner may have taken a lock, for the error of a wait that was aborted. */
export let mayHaveTaken: (runner: Runner) => boolean;

/** The state of a runner, for a line about it: `held, lease ends in 9 s`. */
export let statusOf: (runner: Runner) => string;

/**
 * Keeps a lock, a presence, or several locks together. {@link LocketClient.lockRunner},
 * {@link LocketClient.presence} and {@link LocketClient.jointLock} create runners. A runner runs
 * until it is stopped, or until its lock is lost.
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
  /** The keys that it holds or wants, in order. */
  readonly keys: readonly string[];
  /** The owner; for a joint lock, the first lock's owner. */
  readonly owner: string;
  /**
   * Fulfilled with `true` when everything is held for the first time, or with `false` when the
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
  /** The error of each member's last attempt; the latest is at the end. */
  readonly #lastErrors = new Map<number, LocketError>();
  /** The error of each member's Release; `undefined` if Locket confirmed it. */
  readonly #releases = new Map<number, LocketError | undefined>();
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
   * which never rejects, has settled; `onFirstHold` is called when everything is held for the first time.
   */
  constructor(plan: RunnerPlan, host: RunnerHost, onFirstHold?: (signal: AbortSignal) => void, free?: Promise<unknown>) {
    super();
    this.#onFirstHold = onFirstHold;
    this.keys = plan.members.map(({ key }) => key);
    this.owner = plan.members[0]?.owner ?? '';
    this.#plan = plan;
    this.#host = host;
    this.ready = new Promise((resolve) => (this.#onReady = resolve));
    this.exited = new Promise((resolve) => (this.#onExited = resolve));
    this.#drive = new Drive(plan.settings, plan.members, host, {
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
   * Whether everything is held now, by the runner's clocks. It is exact even when timers are late,
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
   * The error of the last attempt; `undefined` if it succeeded or none has ended. For a joint lock,
   * the last failure.
   */
  get lastError(): LocketError | undefined {
    return [...this.#lastErrors.values()].at(-1);
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
   * Gives everything up: waits for an attempt under way, then sends the Release. The lock counts as
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

  /** The facts of its line in a console, and `exit` once it has ended. */
  toJSON(): { keys: readonly string[]; owner: string; held: boolean; leaseLeftMs: number | undefined; exit: RunnerExit | undefined } {
    const { keys, owner, held, leaseLeftMs } = this;
    return { keys, owner, held, leaseLeftMs, exit: this.#exit };
  }

  [INSPECT](): string {
    return `Runner of ${quoted(this.keys)} for ${this.owner}, ${this.#status()}`;
  }

  #status(): string {
    const { held, leaseLeftMs } = this;
    if (held) return leaseLeftMs === undefined ? 'held' : `held, lease ends in ${shortly(leaseLeftMs)}`;
    return this.#exit === undefined ? 'not held' : `ended: ${this.#exit.reason}`;
  }

  /** Whether it only releases what it had: it was stopped, or the end of its lock ends it. */
  #leaves({ settings }: RunnerPlan): boolean {
    return this.#isLeaving || (this.#wasHeld && settings.members[0]?.afterLoss === 'exit' && !this.held);
  }

  /** The description of a wait for this runner. */
  #waitsFor({ members }: RunnerPlan): WaitWords | undefined {
    if (this.#hold !== undefined) return undefined;
    const what = members[0]?.kind === 'presence' ? 'presence' : 'lock';
    return { words: `waits for ${what} ${quoted(this.keys)}; its next attempt is`, atMs: this.#drive.dueMs, wants: members };
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
    return new DOMException(`${this.keys.join(', ')}: the lock was ${what}`, 'AbortError');
  }

  #lost(output: Output, error: LocketError | undefined): LockLostError {
    const isOne = output.kind === 'lost' || this.keys.length === 1;
    const key = isOne ? (this.keys[output.member] as string) : this.keys.join(', ');
    if (isOne && error !== undefined) return new LockLostError(key, `not held any more: ${error.message}`, error);
    const last = error ?? (isOne ? this.#lastErrors.get(output.member) : this.lastError);
    const why = `${(output.words ?? '').trim()}${afterwards(error === undefined ? last : undefined)}`;
    return new LockLostError(key, `not held any more: ${why}`, last);
  }

  #report(output: Output, error: LocketError | undefined): void {
    const { kind, member } = output;
    const details: Partial<RunnerEventDetails> = { key: this.keys[member] };
    switch (kind) {
      case 'member-exited':
        return;
      case 'abandoned':
      case 'closed':
      case 'exited':
        return this.#ended(output, error);
      case 'suspended':
        details.key = undefined;
        details.suspendedMs = output.suspendedMs;
        break;
      case 'gauge':
        details.key = undefined;
        details.value = output.value;
        break;
      case 'released':
        details.error = error;
        this.#releases.set(member, error);
        break;
      case 'retrying':
        this.#failed(member, error);
        details.error = error;
        details.owner = output.owner;
        break;
      case 'lost':
        details.error = this.#lost(output, error);
        break;
      case 'renewed':
        this.#lastErrors.delete(member);
        break;
      case 'acquired':
        this.#lastErrors.delete(member);
        details.signal = this.#hold?.signal;
        break;
    }
    this.#send(kind as RunnerEventType, details);
  }

  #failed(member: number, error: LocketError | undefined): void {
    this.#lastErrors.delete(member);
    if (error !== undefined) this.#lastErrors.set(member, error);
  }

  #ended(output: Output, error: LocketError | undefined): void {
    const { released, error: releaseError } = this.#released();
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

  #released(): { released: boolean; error: LocketError | undefined } {
    const errors = [...this.#releases.values()];
    return { released: errors.filter((error) => error === undefined).length === this.keys.length, error: errors.findLast((error) => error !== undefined) };
  }

  /** A runner of this client that keeps the key by now would lose it to the Release. */
  async #releaseAgain(failed: RunnerExit): Promise<RunnerExit> {
    const { claims } = this.#host;
    if (claims.isKept(this.#plan)) return failed;
    const unconfirmed = [...this.#releases].filter(([, error]) => error !== undefined);
    const ended = Promise.all(unconfirmed.map(async ([member]) => this.#releases.set(member, await this.#host.release(this.#plan.members[member] as MemberOptions))));
    const leave = claims.add({ plan: this.#plan, isLeaving: () => true, ended });
    await ended;
    leave();
    this.#exit = { reason: 'stopped', ...this.#released() };
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

/** Starts a runner for a caller of a client, if the client does not already keep one of its keys. */
export function startRunner(plan: RunnerPlan, host: RunnerHost): Runner {
  const { free, leave } = host.claims.enter(plan);
  try {
    return new Runner(plan, host, undefined, free());
  } finally {
    // From now on the runner claims the keys itself.
    leave();
  }
}
