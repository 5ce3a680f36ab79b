// The lives of Locket's processes: starts, orderly stops, crashes.

import type { Clocks } from './clocks.js';
import type { LogEvent, Machine } from './evidence.js';
import { between, type Instant } from './instant.js';

/** A period in which a Locket process was down. */
export interface Downtime {
  machine: Machine;
  from: Instant;
  /** The end of the logs, if it is not started again. */
  to: Instant;
  /** Why it was down: it was stopped, stopped itself, crashed or was killed. */
  reason: 'crash' | 'database' | 'stopped' | 'table-missing';
  isOpen: boolean;
  lines: LogEvent[];
}

/** Lines of one start, or of one stop, are so near. */
const TOGETHER_MS = 10_000;

/** When the processes were down. */
export function downtimesOf(machines: readonly Machine[], clocks: Clocks, endMs: number): Downtime[] {
  return machines.filter(({ isLocket }) => isLocket).flatMap((machine) => downtimesIn(machine, clocks, endMs));
}

function downtimesIn(machine: Machine, clocks: Clocks, endMs: number): Downtime[] {
  const found: Downtime[] = [];
  let stop: LogEvent | undefined;
  let previous: LogEvent | undefined;
  let hasStarted = false;
  let reason: Downtime['reason'] = 'stopped';
  for (const event of machine.events) {
    if (event.kind === 'locket-stopping') stop ??= event;
    if (event.kind === 'locket-unrecoverable') reason = 'table-missing';
    if (event.kind === 'health-check-failed') reason = 'database';
    if (event.kind === 'locket-started') {
      const isSame = previous?.kind === 'locket-started' && event.atMs - previous.atMs < TOGETHER_MS;
      if (!isSame && previous !== undefined && (stop !== undefined || hasStarted)) {
        const to = clocks.instantOf(event);
        const since = clocks.instantOf(stop ?? previous);
        const from = stop === undefined ? between(since, to, (since.ms + to.ms) / 2) : since;
        found.push({ machine, from, to, reason: stop === undefined ? 'crash' : reason, isOpen: false, lines: [stop ?? previous, event] });
      }
      stop = undefined;
      reason = 'stopped';
      hasStarted = true;
    }
    previous = event;
  }
  if (stop !== undefined) {
    const from = clocks.instantOf(stop);
    found.push({ machine, from, to: { ms: Math.max(endMs, from.ms), earliestMs: from.earliestMs, latestMs: null }, reason, isOpen: true, lines: [stop] });
  }
  return found;
}
