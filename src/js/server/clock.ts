// The clocks that a server can follow: a virtual one that moves when told to, and the surrounding program's.

import { LocketArgumentError } from '../base/errors.js';
import { kindOf, knownFields, safeInteger } from '../base/checks.js';
import { type Duration } from '../base/duration.js';
import { seconds } from '../base/text.js';
import type { WaitWords } from '../base/waiting.js';
import { checkCallback, type ClockTimer, numberOf, TimerClock, timerMs } from './timers.js';

/** What a server needs of a clock. */
export interface Clock {
  /** Milliseconds since the clock's zero. */
  readonly now: number;
  /** Calls `callback` once, `delay` from now. Returns what {@link Clock.clearTimeout} takes. */
  setTimeout(callback: () => void, delay: Duration | number): ClockTimer | number;
  /** Takes a scheduled callback back. */
  clearTimeout(id: ClockTimer | number | undefined): void;
}

/** Something that a virtual clock drives. Times are those of the clock. */
export interface ClockFollower {
  /** When it has to do something next, if ever. */
  deadline(): number | undefined;
  /** Lets it do what is due by `now`. */
  advanceTo(now: number): void;
  /** How many things it has to do. */
  pending(): number;
  /** What waits for it. */
  waits?(): WaitWords[];
}

/** Options of {@link VirtualClock.runUntil}. */
export interface RunUntilOptions {
  /** How much time may pass at most; by default any. */
  within?: Duration | number;
}

/** A sleeper or a client that waits for a clock. */
export interface ClockWait {
  /** What it waits for, as a sentence. */
  readonly text: string;
  /** When it goes on, on the clock; `undefined` if that is not known. */
  readonly atMs: number | undefined;
}

interface Timer {
  readonly id: number;
  readonly callback: () => void;
  readonly time: number;
}

/** More instants than this without an end are a loop. */
const INSTANTS_MAX = 1_000_000;

const followers = new WeakMap<VirtualClock, Set<ClockFollower>>();

/** Makes a clock drive something. Returns how to stop that. */
export function follow(clock: VirtualClock, follower: ClockFollower): () => void {
  const all = followers.get(clock);
  all?.add(follower);
  return () => all?.delete(follower);
}

/**
 * A clock that stands still until it is moved, and then stops at every instant at which something is due.
 *
 * At one instant, leases end first; then callbacks run in the order of their scheduling. Methods ending in `Async` let
 * promises settle between instants; use them when callbacks or sleepers call the server. As it stands in for timers, it
 * takes numbers of milliseconds beside durations such as `'5s'`, and has what else the platform has for time: `setInterval`,
 * `setImmediate`, `Date`, `performance`.
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
  readonly #followers = new Set<ClockFollower>();
  readonly #sleeps = new Set<WaitWords>();

  constructor(options: { now?: number } = {}) {
    super();
    knownFields('options', options, new Set(['now']));
    this.#now = safeInteger('now', options.now ?? 0, 0);
    followers.set(this, this.#followers);
  }

  /** Milliseconds since the clock's zero. */
  override get now(): number {
    return this.#now;
  }

  /** How many things are scheduled: callbacks, and leases of the servers that follow this clock. */
  get pending(): number {
    let count = this.#timers.length;
    for (const follower of this.#followers) count += follower.pending();
    return count;
  }

  /** What waits for this clock: sleepers, and clients of the servers that follow it. For the report of a test that hangs. */
  waits(): ClockWait[] {
    const all = [...this.#sleeps, ...[...this.#followers].flatMap((follower) => follower.waits?.() ?? [])];
    return all.map(({ words, atMs }) => ({ text: atMs === undefined ? `${words} at an unknown time.` : `${words} at ${seconds(atMs)}.`, atMs }));
  }

  protected override noteSleep(wakesMs: number): () => void {
    const sleep = { words: 'clock.sleep goes on', atMs: wakesMs };
    this.#sleeps.add(sleep);
    return () => this.#sleeps.delete(sleep);
  }

  /** Lets `duration` pass, with everything that is due in it. */
  advance(duration: Duration | number): void {
    this.advanceTo(this.#later('duration', duration));
  }

  /** Lets time pass until `time`, in milliseconds since the clock's zero. The clock does not go back. */
  advanceTo(time: number): void {
    const target = this.#target(time);
    this.#collectErrors((run) => {
      while (this.#nextInstant(target) !== undefined) this.#doNextInstant(target, run);
      this.#arrive(target);
    });
  }

  /** Goes to the next instant at which something is due, and does it. Returns that time; `undefined` if there is none. */
  next(): number | undefined {
    return this.#collectErrors((run) => this.#doNextInstant(Number.MAX_SAFE_INTEGER, run));
  }

  /** Goes from instant to instant until `done()` is true. Throws if that never happens. */
  runUntil(done: () => boolean, options: RunUntilOptions = {}): void {
    const limit = this.#limitOf(done, options);
    for (let instants = 0; !done(); instants += 1) {
      this.#checkProgress(instants, limit);
      this.next();
    }
  }

  /** As {@link VirtualClock.advance}, and lets promises settle before and after each instant. */
  async advanceAsync(duration: Duration | number): Promise<void> {
    await this.advanceToAsync(this.#later('duration', duration));
  }

  /** As {@link VirtualClock.advanceTo}, and lets promises settle before and after each instant. */
  async advanceToAsync(time: number): Promise<void> {
    const target = this.#target(time);
    await settle();
    while (this.#nextInstant(target) !== undefined) {
      this.#collectErrors((run) => this.#doNextInstant(target, run));
      await settle();
    }
    this.#arrive(target);
    await settle();
  }

  /** As {@link VirtualClock.next}, and lets promises settle before and after. */
  async nextAsync(): Promise<number | undefined> {
    await settle();
    const now = this.next();
    await settle();
    return now;
  }

  /** As {@link VirtualClock.runUntil}, and lets promises settle before and after each instant. */
  async runUntilAsync(done: () => boolean, options: RunUntilOptions = {}): Promise<void> {
    const limit = this.#limitOf(done, options);
    await settle();
    for (let instants = 0; !done(); instants += 1) {
      this.#checkProgress(instants, limit);
      this.next();
      await settle();
    }
  }

  protected override start(delayMs: number, callback: () => void): () => void {
    this.#lastId += 1;
    const timer = { id: this.#lastId, callback, time: this.#later('delay', delayMs) };
    this.#insert(timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  /**
   * Calls `listener` at every instant that time stops at, after the leases that end then and before the callbacks, and
   * where it arrives. Returns how to stop that.
   */
  onInstant(listener: () => void): () => void {
    checkCallback(listener);
    return follow(this, { deadline: () => undefined, advanceTo: listener, pending: () => 0 });
  }

  #later(field: string, duration: Duration | number): number {
    return Math.min(this.#now + timerMs(field, duration), Number.MAX_SAFE_INTEGER);
  }

  #target(time: number): number {
    return Math.max(this.#now, safeInteger('time', time, 0));
  }

  #limitOf(done: unknown, options: RunUntilOptions): number {
    if (typeof done !== 'function') throw new LocketArgumentError('done', `expected a function, not ${kindOf(done)}`);
    knownFields('options', options, new Set(['within']));
    return options.within === undefined ? Number.MAX_SAFE_INTEGER : this.#later('within', options.within);
  }

  #checkProgress(instants: number, limit: number): void {
    const next = this.#nextInstant(Number.MAX_SAFE_INTEGER);
    if (next === undefined) throw new Error(`runUntil: nothing is pending any more at ${this.#now} ms; the condition can never hold`);
    if (next > limit) throw new Error(`runUntil: the condition does not hold by ${limit} ms; nothing else is due before ${next} ms`);
    if (instants >= INSTANTS_MAX) throw new Error(`runUntil: the condition does not hold after ${INSTANTS_MAX} instants`);
  }

  /** Behind all timers of its time, by bisection. */
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

  /** The next time at which something is due, if that is not after `limit`. */
  #nextInstant(limit: number): number | undefined {
    let next = this.#timers.at(-1)?.time ?? Infinity;
    for (const follower of this.#followers) next = Math.min(next, follower.deadline() ?? Infinity);
    return next <= limit ? Math.max(next, this.#now) : undefined;
  }

  #doNextInstant(limit: number, run: (callback: () => void) => void): number | undefined {
    const instant = this.#nextInstant(limit);
    if (instant === undefined) return undefined;
    this.#arrive(instant);
    // What is scheduled for this instant while it lasts belongs to the next round.
    const last = this.#lastId;
    for (;;) {
      const timer = this.#timers.at(-1);
      if (timer === undefined || timer.time > instant || timer.id > last) return instant;
      this.#timers.pop();
      run(timer.callback);
    }
  }

  #arrive(time: number): void {
    // A callback may have moved the clock further already.
    this.#now = Math.max(this.#now, time);
    for (const follower of this.#followers) follower.advanceTo(this.#now);
  }

  /** Runs callbacks to the end even if one throws; the first error is thrown afterwards. */
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

/**
 * The surrounding program's clock: `Date.now()` and `setTimeout` as they are at the moment of each use. So the fake
 * timers of vitest, jest and sinon drive a server that follows it.
 *
 * It never goes back. If the program's time is set back, as by fake timers that begin in 1970, the clock keeps its time
 * and goes on from there with what passes after its next use.
 */
export class AmbientClock implements Clock {
  /** How to stop each timer: by the `clearTimeout` that was there when it was set. */
  readonly #timers = new Map<number, () => void>();
  #lastId = 0;
  /** `Date.now()` at the last use, and by how much it has been set back in all. */
  #lastMs = -Infinity;
  #setBackMs = 0;

  /** `Date.now()`, and by how much that has been set back. */
  get now(): number {
    const nowMs = Date.now();
    if (nowMs < this.#lastMs) this.#setBackMs += this.#lastMs - nowMs;
    this.#lastMs = nowMs;
    return nowMs + this.#setBackMs;
  }

  /** `setTimeout`. */
  setTimeout(callback: () => void, delay: Duration | number): number {
    checkCallback(callback);
    this.#lastId += 1;
    const id = this.#lastId;
    const expire = (): void => {
      this.#timers.delete(id);
      callback();
    };
    const { setTimeout, clearTimeout } = globalThis;
    const timer = setTimeout(expire, Math.min(timerMs('delay', delay), TIMEOUT_MAX));
    this.#timers.set(id, () => clearTimeout(timer));
    return id;
  }

  /** `clearTimeout`. */
  clearTimeout(id: ClockTimer | number | undefined): void {
    const number = numberOf(id);
    this.#timers.get(number)?.();
    this.#timers.delete(number);
  }
}

/** Longer timeouts fire at once in every JavaScript engine. */
const TIMEOUT_MAX = 2 ** 31 - 1;

// As they are when this module loads: settling promises is not for fake timers to delay. jsdom hides Node's channel, and the
// timers may be fake before anything loads.
const { process: node, setTimeout: realSetTimeout } = globalThis as { process?: NodeJS.Process; setTimeout: typeof setTimeout };
const Channel = (globalThis as { MessageChannel?: typeof MessageChannel }).MessageChannel ?? channelOfNode();

function channelOfNode(): typeof MessageChannel | undefined {
  return node?.getBuiltinModule?.('node:worker_threads').MessageChannel as typeof MessageChannel | undefined;
}

/** Lets all promises settle that can without time passing. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    if (Channel === undefined) {
      realSetTimeout(resolve, 0);
      return;
    }
    const { port1, port2 } = new Channel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
