// The lane of the storage that only the owner may write to: a tile for each write. Where a scenario has a storage, these are its
// writes. Elsewhere they are the lines that holders would write into a file at a steady pace.

import type { SimulationNode } from '../simulation/state.js';
import type { SimulationTimeline } from '../simulation/timeline.js';
import { counted } from '../base/text.js';
import type { Names } from './names.js';
import { writesOf } from './writes.js';

/** The pace of the first story. */
const PACE = { firstMs: 800, everyMs: 2_000 };
/** A long run has room for this many lines. */
const LINES_MAX = 40;
/** How wide a tile is. */
export const TILE = 18;

/** A write. */
export interface Tile {
  client: string;
  timeMs: number;
  /** Its line in the file; `null` of a write that was refused. */
  line: number | null;
  /** Whose work it spoils: a line that it replaces, or the write of a later holder; `null` if it does no harm. */
  harms: string | null;
}

/** A lane of writes. */
export interface FileLane {
  /** The thing that is written to. */
  name: string;
  tiles: Tile[];
}

/** True if there is such a lane: that of one lock. */
export function hasFile(cast: readonly SimulationNode[]): boolean {
  const runners = cast.filter(({ isRunner }) => isRunner);
  return runners.every(({ kind }) => kind !== 'presence') && new Set(runners.map(({ key }) => key)).size === 1;
}

/** The writes of the clients of a run. */
export function fileOf(timeline: SimulationTimeline, cast: readonly SimulationNode[]): FileLane {
  return timeline.writes === null ? { name: 'The file', tiles: linesOf(timeline, cast) } : { name: 'The storage', tiles: storedOf(timeline.writes) };
}

function storedOf(writes: NonNullable<SimulationTimeline['writes']>): Tile[] {
  let lines = 0;
  return writes.map(({ client, timeMs, isTaken, after }) => (isTaken ? { client, timeMs, line: lines++, harms: after } : { client, timeMs, line: null, harms: null }));
}

function linesOf(timeline: SimulationTimeline, cast: readonly SimulationNode[]): Tile[] {
  const clientOf = new Map(cast.map(({ name, owner }) => [owner ?? name, name]));
  const holders = timeline.holders.map(({ owner, ...span }) => ({ client: clientOf.get(owner) ?? owner, ...span }));
  const outages = timeline.outages.map(({ node, ...span }) => ({ client: node, ...span }));
  const everyMs = Math.max(PACE.everyMs, timeline.endMs / LINES_MAX);
  const writes = writesOf({ beliefs: timeline.beliefs, holders, outages }, { ...PACE, everyMs }, Infinity);
  return writes.map(({ client, line, sentMs, isStale, over }) => ({ client, timeMs: sentMs, line, harms: isStale ? (over?.client ?? null) : null }));
}

/** The writes in view that have room for a tile; those that do harm come first. */
export function tilesOf(tiles: readonly Tile[], x: (ms: number) => number, width: number): Tile[] {
  const inView = tiles.filter(({ timeMs }) => x(timeMs) >= 0 && x(timeMs) <= width);
  const inOrder = inView.sort((one, other) => Number(other.harms !== null) - Number(one.harms !== null));
  return inOrder.reduce<Tile[]>((kept, tile) => (kept.some(({ timeMs }) => Math.abs(x(timeMs) - x(tile.timeMs)) < TILE + 2) ? kept : [...kept, tile]), []);
}

/** The writes up to a moment in words, and whether one of them does harm. */
export function fileWords({ tiles }: FileLane, untilMs: number, names: Names): { words: string; isHarmed: boolean } {
  const written = tiles.filter(({ timeMs }) => timeMs <= untilMs);
  const last = written.findLast(({ harms }) => harms !== null);
  const harm = written.filter(({ client, harms }) => harms !== null && client === last?.client && harms === last.harms);
  if (last?.harms != null) return { words: `${names(last.client)} overwrote ${harm.length === 1 ? 'a line' : counted(harm.length, 'line')} of ${names(last.harms)}`, isHarmed: true };
  const refused = written.filter(({ line }) => line === null).length;
  return { words: `${counted(written.length - refused, 'line')}${refused === 0 ? '' : `, ${refused} refused`}`, isHarmed: false };
}
