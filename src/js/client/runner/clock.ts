// The clock of a client: of its deadlines, its runners and its polls.

import { monotonicMs, startTimer, wallMs } from '#glue';

import type { Clock } from '../../base/clock-timer.js';
import { follow } from '../../base/in-process.js';
import { spokenOf, type Waiting } from '../../base/waiting.js';

/** The clock of a client. */
export interface RunnerClock {
  /** The readings in milliseconds: of a monotonic clock, and of a wall clock if there is one. */
  read(): { monotonicMs: number; wallMs: number | undefined };
  /** Calls `callback` after `ms`. Returns a function that cancels it. */
  startTimer(ms: number, callback: () => void): () => void;
  /**
   * Lists a wait for a test that hangs. A runner's also checks the clocks before its machine is suspended. Returns a function that
   * removes it.
   */
  wait?(waiting: Waiting & { look?(): void }): () => void;
}

/** The real clocks and timers; with `ambient` the global ones at each use; or those of a server. `name` is the client's. */
export function clientClock(clock: 'real' | 'ambient' | Clock, name: string | undefined): RunnerClock {
  if (typeof clock === 'object') return serverClock(clock, name);
  const ambient = clock === 'ambient';
  return {
    read: () => ({ monotonicMs: Math.floor(monotonicMs(ambient)), wallMs: wallMs(ambient) }),
    startTimer: (ms, callback) => startTimer(ms, callback, ambient),
  };
}

function serverClock(clock: Clock, name: string | undefined): RunnerClock {
  return {
    read: () => ({ monotonicMs: clock.now, wallMs: undefined }),
    startTimer: (ms, callback) => {
      const timer = clock.setTimeout(callback, ms);
      return () => clock.clearTimeout(timer);
    },
    wait: ({ describe, promisesDueMs }) => {
      const waits = () => [describe()].filter((it) => it !== undefined).map((it) => ({ ...it, words: `${spokenOf(name)} ${it.words}` }));
      return follow(clock, { waits, promisesDueMs: () => promisesDueMs?.() });
    },
  };
}
