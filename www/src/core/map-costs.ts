// What safe cells of the map cost, and which TTL of each column is the cheapest.

import type { MapCell } from 'locket-wasm/types';

/** A safe cell's price. */
export interface Cost {
  /** How long the lock has no owner at most after its holder crashed. */
  waitMs: number;
  renewalsPerHour: number;
}

const HOUR_MS = 3_600_000;

/** Whether a cell is safe with a freeze of so long: what breaks it is longer, or what is proved safe is as long. */
export function isSafe({ breaksAt, safeUpTo, isComplete }: MapCell, freezeMs: number): boolean {
  if (breaksAt !== null) return isComplete && breaksAt > freezeMs;
  return safeUpTo !== null && safeUpTo >= freezeMs;
}

/** How far a bar reaches: the shortest freeze that breaks the cell, or the longest that is proved safe. */
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
