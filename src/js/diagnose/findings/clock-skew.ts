// Clocks that are far from the others.

import type { Case } from '../case.js';
import type { ClockReading } from '../clocks.js';
import { certainly, type Found, quoted, span } from './finding.js';

/** Smaller differences change no finding. */
const LEAST_MS = 1_000;

/** One finding for each. */
export function clockFindings({ clocks, endMs }: Case): Found[] {
  return clocks.list().flatMap((reading) => {
    const { machine, aheadMs, isContradictory } = reading;
    if (Math.abs(aheadMs) < LEAST_MS || machine.events.length === 0) return [];
    const from = clocks.instantOf(machine.events[0] as (typeof machine.events)[0]);
    return [
      {
        kind: 'clock-skew',
        severity: 'warning',
        certainty: isContradictory ? 'possible' : excludesZero(reading) ? 'certain' : 'likely',
        from,
        to: { ms: Math.max(endMs, from.ms), earliestMs: null, latestMs: null },
        isOpen: true,
        tell: () => ({
          processes: [machine.name],
          owners: machine.events[0]?.owner === '' ? [] : [machine.events[0]?.owner as string],
          summary: `The clock of ${quoted(machine.name)} is ${span(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} the others${errorOf(reading)}.`,
          cause: certainly('clock-skew', 'Its clock is not synchronized. Locket measures leases by its own clock, so leases are still right.'),
          lines: machine.events.slice(0, 2),
        }),
      },
    ];
  });
}

function excludesZero({ earliestMs, latestMs }: ClockReading): boolean {
  return (earliestMs !== null && earliestMs > LEAST_MS / 2) || (latestMs !== null && latestMs < -LEAST_MS / 2);
}

function errorOf({ aheadMs, earliestMs, latestMs }: ClockReading): string {
  if (earliestMs === null || latestMs === null) return ', an estimate without bounds';
  return `, with an error of at most ${span(Math.max(aheadMs - earliestMs, latestMs - aheadMs, 1))}`;
}
