// The clocks of runners: a server's, or those of the machine.

import { monotonicMs, startTimer, wallMs } from '#glue';

/** The clock of a runner. */
export interface RunnerClock {
  /** The readings in milliseconds: of a monotonic clock, and of a wall clock if there is one. */
  read(): { monotonicMs: number; wallMs: number | undefined };
  /** Calls `callback` after `ms`. Returns a function that cancels it. */
  startTimer(ms: number, callback: () => void): () => void;
}

/**
 * The machine's clocks and timers: the real ones, or with `ambient` the global ones at each use.
 */
export function machineClock(ambient: boolean): RunnerClock {
  return {
    read: () => ({ monotonicMs: Math.floor(monotonicMs(ambient)), wallMs: wallMs(ambient) }),
    startTimer: (ms, callback) => startTimer(ms, callback, ambient),
  };
}
