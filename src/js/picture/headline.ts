// The content of a whole run as one sentence: two owners, one at a time, none, a wrong write, or a
// missing presence.

import type { SimulationNode } from '../simulation/state.js';
import type { SimulationSpan, SimulationTimeline } from '../simulation/timeline.js';
import { seconds } from '../base/times.js';

/** The content of a run, at any moment of it. */
export interface Outcome {
  /** When two or more clients believe they hold one key, by time. */
  overlaps: SimulationSpan[];
  /** The sum of the overlaps. */
  overlapMs: number;
  /**
   * True if a client ever held a lock or believed it did; a client without a runner believes
   * nothing.
   */
  hasOwner: boolean;
  /**
   * For a run with presences: how long one was missing after it existed; `undefined` for others.
   */
  gapMs: number | undefined;
  /** How many writes the storage took after one of a later holder; `undefined` without a storage. */
  wrongWrites: number | undefined;
}

/** The content of a run with these nodes. */
export function outcomeOf(timeline: SimulationTimeline, cast: readonly SimulationNode[]): Outcome {
  const overlaps = timeline.twoOwners.map(({ fromMs, toMs }) => ({ fromMs, toMs })).sort((a, b) => a.fromMs - b.fromMs);
  return {
    overlaps,
    overlapMs: overlaps.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0),
    hasOwner: timeline.beliefs.length > 0 || timeline.holders.length > 0,
    gapMs: gapOf(timeline, cast),
    wrongWrites: timeline.writes === null ? undefined : timeline.wrongWrites,
  };
}

function gapOf({ holders, endMs }: SimulationTimeline, cast: readonly SimulationNode[]): number | undefined {
  const kept = cast.filter(({ isRunner }) => isRunner);
  if (kept.length === 0 || kept.some(({ kind }) => kind !== 'presence')) return undefined;
  const keys = new Set(kept.map(({ key }) => key));
  return [...keys].reduce((sum, key) => {
    let [missing, lastMs] = [0, undefined as number | undefined];
    for (const { fromMs, toMs } of holders.filter((span) => span.key === key)) {
      if (lastMs !== undefined) missing += Math.max(fromMs - lastMs, 0);
      lastMs = Math.max(lastMs ?? 0, toMs);
    }
    return sum + missing + (lastMs === undefined ? 0 : endMs - lastMs);
  }, 0);
}

/** The names of the clients with a runner. */
export function runnersOf(cast: readonly SimulationNode[]): ReadonlySet<string> {
  return new Set(cast.filter(({ isRunner }) => isRunner).map(({ name }) => name));
}

/** The sentence, and its most important part. */
export function headlineOf({ overlaps, overlapMs, hasOwner, gapMs, wrongWrites = 0 }: Outcome): { strong: string; rest: string } {
  if (!hasOwner) return { strong: 'No client held the lock in this run.', rest: '' };
  if (gapMs !== undefined) return { strong: gapMs > 0 ? `No presence for ${seconds(gapMs)} in this run.` : 'A presence at every moment of this run.', rest: '' };
  const [first] = overlaps;
  if (first === undefined && wrongWrites > 0) return { strong: `The storage took ${wrongWrites === 1 ? 'a wrong write' : `${wrongWrites} wrong writes`} in this run.`, rest: '' };
  if (first === undefined) return { strong: 'One owner at a time in this run.', rest: '' };
  if (overlaps.length > 1) return { strong: `Two owners ${overlaps.length} times in this run,`, rest: `for ${seconds(overlapMs)} in all.` };
  return { strong: `Two owners for ${seconds(overlapMs)} in this run,`, rest: `from ${seconds(first.fromMs)} to ${seconds(first.toMs)}.` };
}
