// The lane of the file that only the owner may write: a tile for each line that a client writes,
// and which of them overwrite the work of another.

import type { SimulationNode } from '../simulation/state.js';
import type { SimulationTimeline } from '../simulation/timeline.js';
import type { Names } from './names.js';
import { type Write, writesOf } from './writes.js';

/** The pace of the first story. */
const PACE = { firstMs: 800, everyMs: 2_000 };
/** In a long run there is room for so many lines. */
const LINES_MAX = 40;
/** How wide a tile is. */
export const TILE = 18;

/** Whether there is a file: that of one lock. */
export function hasFile(cast: readonly SimulationNode[]): boolean {
  const runners = cast.filter(({ isRunner }) => isRunner);
  return runners.every(({ kind }) => kind !== 'presence') && new Set(runners.flatMap(({ keys }) => keys)).size === 1;
}

/** The lines that the clients of a run write into the file. */
export function fileOf(timeline: SimulationTimeline, cast: readonly SimulationNode[]): Write[] {
  const clientOf = new Map(cast.map(({ name, owner }) => [owner ?? name, name]));
  const holders = timeline.holders.map(({ owner, ...span }) => ({ client: clientOf.get(owner) ?? owner, ...span }));
  const outages = timeline.outages.map(({ node, ...span }) => ({ client: node, ...span }));
  const everyMs = Math.max(PACE.everyMs, timeline.endMs / LINES_MAX);
  return writesOf({ beliefs: timeline.beliefs, holders, outages }, { ...PACE, everyMs }, Infinity);
}

/** Whether a client without the lock has overwritten the line of another client. */
export function isHarm({ isStale, over }: Write): boolean {
  return isStale && over !== null;
}

/** The lines in view that have room for a tile; those that do harm come first. */
export function tilesOf(writes: readonly Write[], x: (ms: number) => number, width: number): Write[] {
  const inView = writes.filter(({ sentMs }) => x(sentMs) >= 0 && x(sentMs) <= width);
  const inOrder = inView.sort((one, other) => Number(other.isStale) - Number(one.isStale));
  return inOrder.reduce<Write[]>((kept, write) => (kept.some(({ sentMs }) => Math.abs(x(sentMs) - x(write.sentMs)) < TILE + 2) ? kept : [...kept, write]), []);
}

/** The lines up to a moment in words, and whether one of them does harm. */
export function fileWords(writes: readonly Write[], untilMs: number, names: Names): { words: string; isHarmed: boolean } {
  const written = writes.filter(({ sentMs }) => sentMs <= untilMs);
  const harm = written.filter(isHarm);
  const last = harm.at(-1);
  if (last?.over == null) return { words: `${written.length} lines`, isHarmed: false };
  return { words: `${names(last.client)} overwrote ${harm.length === 1 ? 'a line' : `${harm.length} lines`} of ${names(last.over.client)}`, isHarmed: true };
}
