// Which TTLs and retry intervals the map has: round ones around what production runs, and always the visitor's own.

import type { Settings } from './settings.js';

/** Seconds; production runs 15 and 5. */
const TTLS = [10, 12, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30];
const RETRIES = [1, 2, 3, 4, 5, 6];

export const mapTtls = (own: Settings | undefined): number[] => withOwn(TTLS, own?.ttlMs);
export const mapRetries = (own: Settings | undefined): number[] => withOwn(RETRIES, own?.retryIntervalMs);

/** Fractions of a second are left out: the map's steps are whole ones. */
function withOwn(usual: readonly number[], ownMs = 0): number[] {
  const own = ownMs / 1_000;
  const all = Number.isInteger(own) && own > 0 ? [...usual, own] : usual;
  return [...new Set(all)].sort((a, b) => a - b);
}
