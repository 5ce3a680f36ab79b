// The clocks of runners: a server's, or those of the machine.

import { monotonicMs, startTimer, wallMs } from '#glue';

/** What drives a runner in time. */
export interface RunnerClock {
  /** What the clocks show, in milliseconds: one that only goes forward, and a second one if there is one. */
  read(): { monotonicMs: number; wallMs: number | undefined };
  /** Calls `callback` after `ms`. Returns how to stop that. */
  startTimer(ms: number, callback: () => void): () => void;
}

/** The machine's clocks and timers: the real ones, or by `ambient` the global ones at the moment of each use. */
export function machineClock(ambient: boolean): RunnerClock {
  return {
    read: () => ({ monotonicMs: Math.floor(monotonicMs(ambient)), wallMs: wallMs(ambient) }),
    startTimer: (ms, callback) => startTimer(ms, callback, ambient),
  };
}
