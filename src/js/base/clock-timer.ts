// The clocks that a server can follow: their timers, and the arguments of functions that set and clear them.

import { wholeMs } from './checks.js';
import { type Duration, lengthMs } from './duration.js';

/** The part of a clock that a server needs. */
export interface Clock {
  /** Milliseconds since the clock's zero. */
  readonly now: number;
  /**
   * Calls `callback` once, `delay` from now. Returns the argument of {@link Clock.clearTimeout}.
   */
  setTimeout(callback: () => void, delay: Duration | number): ClockTimer | number;
  /** Cancels a scheduled callback. */
  clearTimeout(id: ClockTimer | number | undefined): void;
}

/** True if it has the members of a clock. */
export function isClock(given: unknown): given is Clock {
  if (typeof given !== 'object' || given === null) return false;
  const { now, setTimeout, clearTimeout } = given as Partial<Clock>;
  return typeof now === 'number' && typeof setTimeout === 'function' && typeof clearTimeout === 'function';
}

/**
 * A scheduled callback: the result of a clock's `setTimeout`. It also converts to a number that
 * clears it.
 */
export class ClockTimer {
  readonly #id: number;
  readonly #live: Map<number, ClockTimer>;
  readonly #start: () => () => void;
  #stop: (() => void) | undefined;
  #isClosed = false;
  #hasRef = true;

  /** Internal: clocks create timers. `live` has the timers that a number can clear. */
  constructor(id: number, live: Map<number, ClockTimer>, start: () => () => void) {
    this.#id = id;
    this.#live = live;
    this.#start = start;
    this.refresh();
  }

  /** Restarts its whole delay, even if it has already run. A cleared timer stays cleared. */
  refresh(): this {
    if (this.#isClosed) return this;
    this.#stop?.();
    this.#live.set(this.#id, this);
    this.#stop = this.#start();
    return this;
  }

  /**
   * As in Node. No process waits for a virtual clock, so only {@link ClockTimer.hasRef} changes.
   */
  ref(): this {
    this.#hasRef = true;
    return this;
  }

  /** The opposite of {@link ClockTimer.ref}. */
  unref(): this {
    this.#hasRef = false;
    return this;
  }

  /**
   * True if {@link ClockTimer.ref} was called last, rather than {@link ClockTimer.unref}; true at
   * first.
   */
  hasRef(): boolean {
    return this.#hasRef;
  }

  /** Cancels the callback. */
  close(): this {
    this.#isClosed = true;
    this.#stop?.();
    this.#live.delete(this.#id);
    return this;
  }

  /** Its number, for `clearTimeout`. */
  [Symbol.toPrimitive](): number {
    return this.#id;
  }

  /** {@link ClockTimer.close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }
}

/** The argument of a clock's `clearTimeout`. */
export type TimerId = ClockTimer | number | string | undefined;

/** The number of a timer id; NaN for any other value. */
export function numberOf(id: unknown): number {
  return typeof id === 'number' || typeof id === 'string' || id instanceof ClockTimer ? Number(id) : NaN;
}

/** Clocks can replace a platform's timers, so they also accept a number of milliseconds. */
export function timerMs(field: string, duration: Duration | number): number {
  return typeof duration === 'number' ? wholeMs(field, duration) : lengthMs(field, duration);
}
