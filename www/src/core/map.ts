// What a cell of the settings map says: in words, and at a glance.

import type { MapCell } from 'locket-wasm';

import { length } from '../base/time.js';

/** How much a cell can take, beside its TTL. */
export type Level = 'fragile' | 'none' | 'safe' | 'some' | 'sturdy' | 'unknown' | 'waiting';

export function levelOf(cell: MapCell | undefined): Level {
  if (cell === undefined) return 'waiting';
  const { breaksAt, ttlMs, isComplete } = cell;
  if (breaksAt === null) return isComplete ? 'safe' : 'unknown';
  if (breaksAt === 0) return 'none';
  if (3 * breaksAt <= ttlMs) return 'fragile';
  return 3 * breaksAt <= 2 * ttlMs ? 'some' : 'sturdy';
}

/** As short as a cell is. */
export function cellText(cell: MapCell | undefined): string {
  if (cell === undefined) return '·';
  if (cell.breaksAt !== null) return length(cell.breaksAt);
  return cell.isComplete ? '✓' : '?';
}

/** A sentence. */
export function cellWords({ breaksAt, safeUpTo, isComplete }: MapCell): string {
  if (breaksAt === 0) return 'two owners are possible with a pause of 0 s, so without any';
  if (breaksAt !== null) return `two owners are possible from a pause of ${length(breaksAt)} on`;
  const safe = safeUpTo === null ? 'nothing is proved' : `proved safe with every pause up to ${length(safeUpTo)}`;
  return isComplete ? safe : `${safe}; beyond that there are more states than may be kept`;
}
