// The program's own clock.

import { checkFunction } from './checks.js';
import { type Clock, type ClockTimer, numberOf, timerMs } from './clock-timer.js';
import type { Duration } from './duration.js';
import { INSPECT } from './look.js';
import { TIMEOUT_MAX } from './options.js';

/**
 * The program's own clock: `Date.now()` and `setTimeout` at each use. So the fake timers of vitest,
 * jest and sinon drive a server that follows it.
 *
 * It never goes back. If the program's time is set back, for example by fake timers that begin in
 * 1970, the clock keeps its time and continues from there.
 */
export class AmbientClock implements Clock {
  /**
   * For each timer, a function that clears it with the `clearTimeout` that belongs to its
   * `setTimeout`.
   */
  readonly #timers = new Map<number, () => void>();
  #lastId = 0;
  /** `Date.now()` at the last use, and the sum of all steps back. */
  #lastMs = -Infinity;
  #setBackMs = 0;

  /** `Date.now()`, corrected by the steps back. */
  get now(): number {
    const nowMs = Date.now();
    if (nowMs < this.#lastMs) this.#setBackMs += this.#lastMs - nowMs;
    this.#lastMs = nowMs;
    return nowMs + this.#setBackMs;
  }

  [INSPECT](): string {
    return `AmbientClock at ${new Date(this.now).toJSON()}`;
  }

  /** `setTimeout`. */
  setTimeout(callback: () => void, delay: Duration | number): number {
    checkFunction('callback', callback);
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
