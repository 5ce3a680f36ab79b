// Lines about the same fault, as one period.

import { POLL_INTERVAL_MS } from '../../base/constants.js';
import type { Case } from '../case.js';
import type { LogEvent } from '../evidence.js';
import { earlier, type Instant, later } from '../instant.js';

/** A client asks again sooner after a call has failed, and so does Locket, which scans the table meanwhile. */
const AGAIN_MS = 2 * POLL_INTERVAL_MS;

/** True if something shows that a fault had ended between two moments. */
export type HasEnded = (fromMs: number, toMs: number) => boolean;

/** Whether there is a line of some kinds between two moments, and not near them. */
export function linesBetween(kinds: readonly LogEvent['kind'][], { events, clocks }: Case, edgeMs = 0): HasEnded {
  const times = events.filter(({ kind }) => kinds.includes(kind)).map((event) => clocks.instantOf(event).ms);
  return (fromMs, toMs) => times.some((ms) => ms > fromMs + edgeMs && ms < toMs - edgeMs);
}

/** Events that follow each other closely, without a sign between them that the fault had ended. */
export function episodes(events: readonly LogEvent[], { clocks }: Case, hasEnded: HasEnded = () => false): LogEvent[][] {
  const timed = events.map((event) => ({ event, fromMs: clocks.instantOf(event, event.tookMs).ms, toMs: clocks.instantOf(event).ms }));
  const found: LogEvent[][] = [];
  let lastMs = -Infinity;
  for (const { event, fromMs, toMs } of timed.sort((a, b) => a.toMs - b.toMs)) {
    if (fromMs - lastMs > AGAIN_MS || hasEnded(lastMs, fromMs)) found.push([]);
    (found[found.length - 1] as LogEvent[]).push(event);
    lastMs = Math.max(lastMs, toMs);
  }
  return found;
}

/** From the first call that failed, most likely since it was sent, to the last. It may have begun before and ended later. */
export function extent(episode: readonly LogEvent[], { clocks }: Case): { from: Instant; to: Instant } {
  const [first, ...others] = episode.map((event) => clocks.instantOf(event)) as [Instant];
  const begunMs = Math.min(...episode.map((event) => clocks.instantOf(event, event.tookMs).ms));
  return { from: { ...others.reduce(earlier, first), ms: begunMs, earliestMs: null }, to: { ...others.reduce(later, first), latestMs: null } };
}

/** The names of the machines of events. */
export const machinesOf = (events: readonly LogEvent[]): string[] => [...new Set(events.map(({ machine }) => machine.name))];
