// Clocks that are far from the others, or that were set.

import type { Case } from '../case.js';
import type { ClockReading } from '../clocks.js';
import type { Machine } from '../evidence.js';
import { certainly, type Found, found, quoted, span } from './finding.js';

/** Smaller differences change no finding. */
const LEAST_MS = 1_000;

/** One finding for each clock that is far from the others, and for each time that it was set. */
export function clockFindings(whole: Case): Found[] {
  return whole.machines.flatMap((machine) => {
    const own = machine.clocks.flatMap((clock) => whole.clocks.readings.get(clock) ?? []);
    const [first] = own;
    if (first === undefined || machine.events.length === 0) return [];
    if (own.length > 1) return settings(machine, own, whole);
    return Math.abs(first.aheadMs) < LEAST_MS ? [] : [skew(machine, first, whole)];
  });
}

function skew(machine: Machine, reading: ClockReading, whole: Case): Found {
  const { clocks, endMs } = whole;
  const from = clocks.instantOf(machine.events[0] as (typeof machine.events)[0]);
  const { aheadMs, earliestMs, latestMs, isContradictory } = reading;
  const excludesZero = (earliestMs !== null && earliestMs > LEAST_MS / 2) || (latestMs !== null && latestMs < -LEAST_MS / 2);
  const to = { ms: Math.max(endMs, from.ms), earliestMs: null, latestMs: null };
  return found('warning', 'clock-skew', isContradictory || whole.clocks.isGuessed(machine) ? 'possible' : excludesZero ? 'certain' : 'likely', { from, to, isOpen: true }, () => ({
    processes: [machine.name],
    owners: machine.events[0]?.owner === '' ? [] : [machine.events[0]?.owner as string],
    summary: `The clock of ${quoted(machine.name)} is ${span(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} the others${errorOf(reading)}.`,
    cause: certainly('clock-skew', 'Its clock is not synchronized, or its times are of another time zone.'),
    lines: machine.events.slice(0, 2),
  }));
}

/** The times at which a clock was set, as far as the readings before and after it differ. */
function settings(machine: Machine, own: readonly ClockReading[], { clocks }: Case): Found[] {
  const { events } = machine;
  return events.flatMap((event, index) => {
    const before = events[index - 1];
    const [a, b] = [before, event].map((one) => own[machine.clocks.indexOf(one?.clock ?? event.clock)]);
    const byMs = (b?.aheadMs ?? 0) - (a?.aheadMs ?? 0);
    if (before === undefined || Math.abs(byMs) < LEAST_MS) return [];
    const told = () => ({
      processes: [machine.name],
      summary: `The clock of ${quoted(machine.name)} was set ${byMs > 0 ? 'ahead' : 'back'} by about ${span(Math.abs(byMs))}, or lines of two machines stand in its file.`,
      cause: certainly('clock-skew', 'Its lines before and after do not fit to one clock.'),
      lines: [before, event],
    });
    return [found('warning', 'clock-skew', 'likely', { from: clocks.instantOf(before), to: clocks.instantOf(event) }, told)];
  });
}

function errorOf({ aheadMs, earliestMs, latestMs }: ClockReading): string {
  if (earliestMs === null || latestMs === null) return ', an estimate without bounds';
  return `, with an error of at most ${span(Math.max(aheadMs - earliestMs, latestMs - aheadMs, 1))}`;
}
