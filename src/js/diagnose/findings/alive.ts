// Whether a process was running at a time, by any line that it logged.

import type { Clocks } from '../clocks.js';
import type { Machine } from '../evidence.js';

/** Whether a line shows that a process was running between two times on the clock of the report. */
export function aliveWithin(machine: Machine, clocks: Clocks, fromMs: number, toMs: number): boolean {
  const { ms } = clocks.instantOf({ machine, atMs: 0 });
  return machine.life !== undefined && machine.life.isBetween(fromMs - ms, toMs - ms);
}
