// The cost of the map's safe cells, and the cheapest TTL of each column.

import type { MapCell } from 'locket-wasm/types';

const HOUR_MS = 3_600_000;

/** True if a cell is safe with a freeze of this length, within the bounds. */
export function isSafe({ safeUpTo }: MapCell, freezeMs: number): boolean {
  return safeUpTo !== null && safeUpTo >= freezeMs;
}

/** The length of a bar: the shortest freeze that breaks the cell, or the longest safe one. */
export function reachOf({ breaksAt, safeUpTo }: MapCell): number {
  return breaksAt ?? safeUpTo ?? 0;
}

export function renewalsPerHour({ retryIntervalMs }: MapCell): number {
  return Math.round(HOUR_MS / retryIntervalMs);
}

/** Of each retry interval the safe cell with the shortest TTL. */
export function cheapest(cells: readonly MapCell[], freezeMs: number): MapCell[] {
  const best = new Map<number, MapCell>();
  for (const cell of cells) {
    const known = best.get(cell.retryIntervalMs);
    if (isSafe(cell, freezeMs) && (known === undefined || cell.ttlMs < known.ttlMs)) best.set(cell.retryIntervalMs, cell);
  }
  return [...best.values()].sort((a, b) => a.retryIntervalMs - b.retryIntervalMs);
}
