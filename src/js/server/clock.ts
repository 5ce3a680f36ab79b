// The clock that a test moves.

import { nextTask, startTimer } from '#glue';

import { LocketArgumentError } from '../base/errors.js';
import { booleanAnswer, checkFunction, safeInteger } from '../base/checks.js';
import { type Duration, lengthMs } from '../base/duration.js';
import type { Clock } from '../base/clock-timer.js';
import { type CallUnderWay, callsUnderWay, type ClockFollower, follow, FOLLOWERS } from '../base/in-process.js';
import { INSPECT, seen } from '../base/look.js';
import { length } from '../base/times.js';
import { checkedOptions, optional, whole } from '../base/options.js';
import { seconds } from '../base/text.js';
import type { WaitWords, WantedKey } from '../base/waiting.js';
import { TimerClock } from './timers.js';

/** Options of {@link VirtualClock.runUntil}. */
export interface RunUntilOptions {
  /** The most time that may pass; by default without a limit. */
  within?: Duration;
}

/** A sleeper or a client that waits for a clock. */
export interface ClockWait {
  /** A description of the wait, as a sentence. */
  readonly text: string;
  /** When the wait ends, on the clock; `undefined` if that is not known. */
  readonly atMs: number | undefined;
  /** The key that a client waits for, with its own owner. */
  readonly wants?: WantedKey | undefined;
}

interface Timer {
  readonly id: number;
  readonly callback: () => void;
  readonly time: number;
}

const CLOCK_OPTIONS = { now: whole(0, Number.MAX_SAFE_INTEGER, 0) };
const UNTIL_OPTIONS = { within: optional(lengthMs) };

/** After this many instants without an end, the condition counts as an endless loop. */
const INSTANTS_MAX = 1_000_000;

/** For so much real time the clock waits for an answer that comes over another transport than a server's `fetch`. */
const ANSWER_MS = 250;

/**
 * A clock that moves only when the test moves it, and stops on the way at every time at which
 * something is due.
 *
 * At one instant, rows expire first; then callbacks run in the order of their scheduling. Methods
 * that end in `Async` let promises settle between instants; use them when callbacks or sleepers
 * call the server. The clock can replace a platform's timers. It therefore accepts milliseconds as
 * well as durations such as `'5s'`, and has `setInterval` and `setImmediate`.
 *
 * @example
 * ```ts
 * const server = new LocketServer();
 * server.clock.setInterval(renew, '5s');
 * await server.clock.advanceAsync('1m');
 * ```
 */
export class VirtualClock extends TimerClock implements Clock {
  #now: number;
  #lastId = 0;
  /** Latest first, so that the next one is at the end. */
  readonly #timers: Timer[] = [];
  /** @internal */
  readonly [FOLLOWERS] = new Set<ClockFollower>();
  readonly #sleeps = new Set<WaitWords>();

  constructor(options: { now?: number } = {}) {
    super();
    this.#now = checkedOptions(options, CLOCK_OPTIONS).now;
  }

  /** Milliseconds since the clock's zero. */
  override get now(): number {
    return this.#now;
  }

  /** The number of scheduled callbacks, and of rows that will expire on the servers that follow this clock. */
  get pending(): number {
    let count = this.#timers.length;
    for (const follower of this[FOLLOWERS]) count += follower.pending?.() ?? 0;
    return count;
  }

  [INSPECT](): string {
    return `VirtualClock at ${length(this.#now)}, ${seen(() => this.pending)} pending`;
  }

  /**
   * The waits for this clock: sleepers, and clients of the servers that follow it. Used in the
   * report of a hanging test.
   */
  waits(): ClockWait[] {
    const all = [...this.#sleeps, ...[...this[FOLLOWERS]].flatMap((follower) => follower.waits?.() ?? [])];
    return all.map(({ words, atMs, wants }) => ({ text: atMs === undefined ? `${words} at an unknown time.` : `${words} at ${seconds(atMs)}.`, atMs, wants }));
  }

  /** @internal */
  protected override noteSleep(wakesMs: number): () => void {
    const sleep = { words: 'clock.sleep ends', atMs: wakesMs };
    this.#sleeps.add(sleep);
    return () => this.#sleeps.delete(sleep);
  }

  /**
   * Lets `duration` pass, with everything that is due in it. Throws before it does if a runner
   * would lose its lock for want of a promise: interceptors and a stalled database answer by
   * promises, which settle only in {@link VirtualClock.advanceAsync}.
   */
  advance(duration: Duration): void {
    this.#pass('advance', this.#later(lengthMs('duration', duration)));
  }

  /**
   * Lets time pass until `time`, in milliseconds since the clock's zero, as
   * {@link VirtualClock.advance} does. The clock cannot go back.
   */
  advanceTo(time: number): void {
    this.#pass('advanceTo', this.#target(time));
  }

  /**
   * Goes to the next instant at which something is due, and runs it. Returns the time; `undefined`
   * if nothing is due.
   */
  next(): number | undefined {
    return this.#next('next');
  }

  /** Goes from instant to instant until `done()` is true. Throws if that cannot happen. */
  runUntil(done: () => boolean, options: RunUntilOptions = {}): void {
    const limit = this.#limitOf(done, options);
    for (let instants = 0; !booleanAnswer('done', done()); instants += 1) {
      this.#checkProgress(instants, limit);
      this.#next('runUntil');
    }
  }

  /** Like {@link VirtualClock.advance}, but lets promises settle before and after each instant. */
  async advanceAsync(duration: Duration): Promise<void> {
    await this.#passAsync(this.#later(lengthMs('duration', duration)));
  }

  /**
   * Like {@link VirtualClock.advanceTo}, but lets promises settle before and after each instant.
   */
  async advanceToAsync(time: number): Promise<void> {
    await this.#passAsync(this.#target(time));
  }

  /** Like {@link VirtualClock.next}, but lets promises settle before and after. */
  async nextAsync(): Promise<number | undefined> {
    await this.#settle();
    const now = this.#step(Number.MAX_SAFE_INTEGER);
    await this.#settle();
    return now;
  }

  /** Like {@link VirtualClock.runUntil}, but lets promises settle before and after each instant. */
  async runUntilAsync(done: () => boolean, options: RunUntilOptions = {}): Promise<void> {
    const limit = this.#limitOf(done, options);
    await this.#settle();
    for (let instants = 0; !booleanAnswer('done', done()); instants += 1) {
      this.#checkProgress(instants, limit);
      this.#step(Number.MAX_SAFE_INTEGER);
      await this.#settle();
    }
  }

  /** @internal */
  protected override start(delayMs: number, callback: () => void): () => void {
    this.#lastId += 1;
    const timer = { id: this.#lastId, callback, time: this.#later(delayMs) };
    this.#insert(timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  /**
   * Calls `listener` at every instant at which time stops, after rows expire and before the
   * callbacks, and at the end. Returns a function that removes it.
   */
  onInstant(listener: () => void): () => void {
    checkFunction('listener', listener);
    return follow(this, { advanceTo: listener });
  }

  #pass(method: string, target: number): void {
    this.#checkPromises(method, target);
    this.#collectErrors((run) => {
      for (let next = this.#nextInstant(target); next !== undefined; next = this.#nextInstant(target)) {
        this.#checkPromises(method, next);
        this.#doNextInstant(target, run);
      }
      this.#checkPromises(method, target);
      this.#arrive(target);
    });
  }

  async #passAsync(target: number): Promise<void> {
    await this.#settle();
    while (this.#step(target) !== undefined) await this.#settle();
    this.#arrive(target);
    await this.#settle();
  }

  /** Lets all promises settle that need no time on this clock, and calls of clients that follow it be answered. */
  async #settle(): Promise<void> {
    await settle();
    for (let call = this.#callUnderWay(); call !== undefined; call = this.#callUnderWay()) {
      let stop = (): void => {};
      await Promise.race([call.ended, new Promise<void>((resolve) => (stop = startTimer(ANSWER_MS, resolve, false)))]);
      stop();
      call.needsTime = true;
      await settle();
    }
  }

  #callUnderWay(): CallUnderWay | undefined {
    for (const call of callsUnderWay().values()) if (call.clock === this && !call.needsTime) return call;
    return undefined;
  }

  #next(method: string): number | undefined {
    this.#checkPromises(method, this.#nextInstant(Number.MAX_SAFE_INTEGER) ?? this.#now);
    return this.#step(Number.MAX_SAFE_INTEGER);
  }

  #step(limit: number): number | undefined {
    return this.#collectErrors((run) => this.#doNextInstant(limit, run));
  }

  /** Refuses to let time pass for code that is wrong unless its promises settle first. */
  #checkPromises(method: string, until: number): void {
    for (const follower of this[FOLLOWERS]) {
      const dueMs = follower.promisesDueMs?.() ?? Infinity;
      if (dueMs >= until) continue;
      const problem = `a runner's call at ${seconds(dueMs)} is answered by a promise, as with interceptors, which cannot settle in ${method}; await clock.${method}Async instead`;
      throw new LocketArgumentError(method, problem);
    }
  }

  #later(ms: number): number {
    return Math.min(this.#now + ms, Number.MAX_SAFE_INTEGER);
  }

  #target(time: number): number {
    return Math.max(this.#now, safeInteger('time', time, 0));
  }

  #limitOf(done: unknown, options: RunUntilOptions): number {
    checkFunction('done', done);
    const { within } = checkedOptions(options, UNTIL_OPTIONS);
    return within === undefined ? Number.MAX_SAFE_INTEGER : this.#later(within);
  }

  #checkProgress(instants: number, limit: number): void {
    const next = this.#nextInstant(Number.MAX_SAFE_INTEGER);
    if (next === undefined) throw new Error(`runUntil: nothing is due after ${this.#now / 1000} s, so the condition cannot become true`);
    if (next > limit) throw new Error(`runUntil: the condition is false at ${limit / 1000} s; nothing else is due before ${next / 1000} s`);
    if (instants >= INSTANTS_MAX) throw new Error(`runUntil: the condition is false after ${INSTANTS_MAX} instants`);
  }

  /** After all timers of its time; finds the place by bisection. */
  #insert(timer: Timer): void {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#timers[middle] as Timer).time > timer.time) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, timer);
  }

  /** The next time at which something is due, if it is not after `limit`. */
  #nextInstant(limit: number): number | undefined {
    let next = this.#timers.at(-1)?.time ?? Infinity;
    for (const follower of this[FOLLOWERS]) next = Math.min(next, follower.deadline?.() ?? Infinity);
    return next <= limit ? Math.max(next, this.#now) : undefined;
  }

  #doNextInstant(limit: number, run: (callback: () => void) => void): number | undefined {
    const instant = this.#nextInstant(limit);
    if (instant === undefined) return undefined;
    this.#arrive(instant);
    // Callbacks that are scheduled for this instant meanwhile belong to the next round.
    const last = this.#lastId;
    for (;;) {
      const timer = this.#timers.at(-1);
      if (timer === undefined || timer.time > instant || timer.id > last) return instant;
      this.#timers.pop();
      run(timer.callback);
    }
  }

  #arrive(time: number): void {
    // A callback may already have moved the clock further.
    this.#now = Math.max(this.#now, time);
    for (const follower of this[FOLLOWERS]) follower.advanceTo?.(this.#now);
  }

  /** Runs all callbacks even if one throws; then throws the first error. */
  #collectErrors<T>(work: (run: (callback: () => void) => void) => T): T {
    const errors: unknown[] = [];
    const result = work((callback) => {
      try {
        callback();
      } catch (error) {
        errors.push(error);
      }
    });
    if (errors.length > 0) throw errors[0];
    return result;
  }
}

// Of the platform, since the global one may be fake or hidden even before this module loads. Fakes that reach the platform are marked.
const { process: node } = globalThis as { process?: { getBuiltinModule?: (name: 'node:timers') => { setImmediate: typeof nextTask } } };
const own = node?.getBuiltinModule?.('node:timers').setImmediate;
const soon = own === undefined || 'clock' in own ? nextTask : own;

/** Lets all promises settle that need no time. */
export function settle(): Promise<void> {
  return new Promise((resolve) => soon(resolve));
}
