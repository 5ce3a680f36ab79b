// A clock with the platform's timer functions. The classes that extend it decide how time passes.

import { onAbort } from '#glue';

import { abortSignal, checkedOptions } from '../base/options.js';
import { checkFunction } from '../base/checks.js';
import { ClockTimer, numberOf, type TimerId, timerMs } from '../base/clock-timer.js';
import { type Duration, lengthMs } from '../base/duration.js';

/** Options of {@link VirtualClock.sleep}. */
export interface SleepOptions {
  /** Ends the sleep: it rejects with the signal's reason. */
  signal?: AbortSignal;
}

/**
 * The timers of a clock. All members are bound, so you can destructure them.
 *
 * @example
 * ```ts
 * const { setTimeout, clearTimeout } = server.clock;
 * ```
 */
export abstract class TimerClock {
  readonly #timers = new Map<number, ClockTimer>();
  #lastId = 0;

  constructor() {
    for (const name of BOUND) Object.defineProperty(this, name, { value: this[name].bind(this), configurable: true, writable: true });
  }

  /** Milliseconds since the clock's zero. */
  abstract readonly now: number;

  /**
   * Calls `callback` once, `delayMs` from now. Returns a function that cancels it.
   *
   * @internal
   */
  protected abstract start(delayMs: number, callback: () => void): () => void;

  /**
   * Notes a sleeper. Returns a function that removes it.
   *
   * @internal
   */
  protected abstract noteSleep(wakesMs: number): () => void;

  /**
   * Calls `callback` once with `args`, `delay` from now: a {@link Duration}, or milliseconds,
   * rounded down. Returns the argument of {@link TimerClock.clearTimeout}.
   */
  setTimeout<A extends unknown[]>(callback: (...args: A) => void, delay?: Duration | number, ...args: A): ClockTimer {
    checkFunction('callback', callback);
    const delayMs = delayOf('delay', delay);
    const id = ++this.#lastId;
    const run = (): void => {
      this.#timers.delete(id);
      callback(...args);
    };
    return new ClockTimer(id, this.#timers, () => this.start(delayMs, run));
  }

  /**
   * Calls `callback` with `args` every `interval`, which is at least 1 ms. Returns the argument of
   * {@link TimerClock.clearInterval}.
   */
  setInterval<A extends unknown[]>(callback: (...args: A) => void, interval?: Duration | number, ...args: A): ClockTimer {
    checkFunction('callback', callback);
    const intervalMs = Math.max(1, delayOf('interval', interval));
    let stop: () => void;
    // Scheduled first, so that the callback can clear it.
    const again = (): void => {
      stop = this.start(intervalMs, () => {
        again();
        callback(...args);
      });
    };
    return new ClockTimer(++this.#lastId, this.#timers, () => {
      again();
      return () => stop();
    });
  }

  /**
   * Calls `callback` with `args` at this instant, after everything already due. Returns the
   * argument of {@link TimerClock.clearImmediate}.
   */
  setImmediate<A extends unknown[]>(callback: (...args: A) => void, ...args: A): ClockTimer {
    return this.setTimeout(callback, 0, ...args);
  }

  /** Cancels a scheduled callback; unknown ids are ignored. */
  clearTimeout(id: TimerId): void {
    this.#timers.get(numberOf(id))?.close();
  }

  /** Cancels a repeated callback; unknown ids are ignored. */
  clearInterval(id: TimerId): void {
    this.clearTimeout(id);
  }

  /** Cancels a callback of {@link TimerClock.setImmediate}; unknown ids are ignored. */
  clearImmediate(id: TimerId): void {
    this.clearTimeout(id);
  }

  /** A promise that is fulfilled `duration` from now on this clock. */
  sleep(duration: Duration, options: SleepOptions = {}): Promise<void> {
    const ms = lengthMs('duration', duration);
    const { signal } = checkedOptions(options, SLEEP_OPTIONS);
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = (settle: () => void): void => {
        timer.close();
        stopListening?.();
        leave();
        settle();
      };
      const timer = this.setTimeout(() => end(resolve), ms);
      const stopListening = signal && onAbort(signal, () => end(() => reject(signal.reason)));
      const leave = this.noteSleep(this.now + ms);
    });
  }
}

const BOUND = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate', 'sleep'] as const;
const SLEEP_OPTIONS = { signal: abortSignal };

/** The delay of a timer, which accepts what platforms accept: no delay, fractions, and negative delays. */
function delayOf(field: string, delay: Duration | number | undefined): number {
  if (delay === undefined) return 0;
  return timerMs(field, typeof delay === 'number' ? Math.max(0, Math.floor(delay)) : delay);
}
