// Whether a process was running at a time, by any line that it logged.

import type { Clocks } from '../clocks.js';
import type { Machine } from '../evidence.js';

/** Whether a line shows that a process was running between two times on the clock of the report. */
export function aliveWithin(machine: Machine, clocks: Clocks, fromMs: number, toMs: number): boolean {
  const { life, clocks: own } = machine;
  return life !== undefined && own.some((clock) => {
    const { ms } = clocks.instantOf({ clock, atMs: 0 });
    return life.isBetween(fromMs - ms, toMs - ms);
  });
}
