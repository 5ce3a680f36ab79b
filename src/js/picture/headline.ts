// What a whole run contains, as one sentence: two owners, one at a time, none, or for how long a presence was missing.

import type { SimulationNode } from '../simulation/simulation.js';
import type { SimulationSpan, SimulationTimeline } from '../simulation/timeline.js';
import { seconds } from '../times.js';

/** What a run contains, whatever moment is looked at. */
export interface Outcome {
  /** When two clients or more believe they hold one key, by time. */
  overlaps: SimulationSpan[];
  /** For how long in all. */
  overlapMs: number;
  /** Whether a client ever held something or believed it does; one that calls by hand believes nothing. */
  hasOwner: boolean;
  /** Of a run with presences only: for how long one was missing after it was there; `undefined` in others. */
  gapMs: number | undefined;
}

/**
 * What a run contains.
 *
 * @param cast who takes part
 * @param runners the names that {@link runnersOf} gives; how nodes are at some moment does not say them
 */
export function outcomeOf(timeline: SimulationTimeline, cast: readonly SimulationNode[], runners: ReadonlySet<string>): Outcome {
  const overlaps = timeline.twoOwners.map(({ fromMs, toMs }) => ({ fromMs, toMs })).sort((a, b) => a.fromMs - b.fromMs);
  return {
    overlaps,
    overlapMs: overlaps.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0),
    hasOwner: timeline.beliefs.length > 0 || timeline.holders.length > 0,
    gapMs: gapOf(timeline, cast, runners),
  };
}

function gapOf({ holders, endMs }: SimulationTimeline, cast: readonly SimulationNode[], runners: ReadonlySet<string>): number | undefined {
  const kept = cast.filter(({ name }) => runners.has(name));
  if (kept.length === 0 || kept.some(({ kind }) => kind !== 'presence')) return undefined;
  const keys = new Set(kept.flatMap((client) => client.keys));
  return [...keys].reduce((sum, key) => {
    let [missing, lastMs] = [0, undefined as number | undefined];
    for (const { fromMs, toMs } of holders.filter((span) => span.key === key)) {
      if (lastMs !== undefined) missing += Math.max(fromMs - lastMs, 0);
      lastMs = Math.max(lastMs ?? 0, toMs);
    }
    return sum + missing + (lastMs === undefined ? 0 : endMs - lastMs);
  }, 0);
}

/** The names of the clients that keep something by themselves; the others call by hand. */
export function runnersOf(scenario: string): ReadonlySet<string> {
  const { clients = [] } = JSON.parse(scenario) as { clients?: { name: string; kind?: string }[] };
  return new Set(clients.filter((client) => 'retryInterval' in client || 'runner' in client || client.kind === 'joint').map(({ name }) => name));
}

/** The sentence, and the part of it that matters most. */
export function headlineOf({ overlaps, overlapMs, hasOwner, gapMs }: Outcome): { strong: string; rest: string } {
  if (!hasOwner) return { strong: 'No client held the lock in this run.', rest: '' };
  if (gapMs !== undefined) return { strong: gapMs > 0 ? `No presence for ${seconds(gapMs)} in this run.` : 'A presence at every moment of this run.', rest: '' };
  const [first] = overlaps;
  if (first === undefined) return { strong: 'One owner at a time in this run.', rest: '' };
  if (overlaps.length > 1) return { strong: `Two owners ${overlaps.length} times in this run,`, rest: `for ${seconds(overlapMs)} in all.` };
  return { strong: `Two owners for ${seconds(overlapMs)} in this run,`, rest: `from ${seconds(first.fromMs)} to ${seconds(first.toMs)}.` };
}
