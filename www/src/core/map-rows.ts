// Which TTLs and retry intervals the map has: round ones around what production runs, and always the visitor's own.

/** Seconds; production runs 15 and 5. */
const TTLS = [10, 12, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30];
const RETRIES = [1, 2, 3, 4, 5, 6];

/** The visitor's own settings, in seconds as the map has them. */
export interface Own { ttlSeconds: number; retrySeconds: number }

export function mapTtls({ ttlSeconds }: Own): number[] {
  return withOwn(TTLS, ttlSeconds);
}

export function mapRetries({ retrySeconds }: Own): number[] {
  return withOwn(RETRIES, retrySeconds);
}

/** Fractions of a second are left out: the map's steps are whole ones. */
function withOwn(usual: readonly number[], own: number): number[] {
  const all = Number.isInteger(own) && own > 0 ? [...usual, own] : usual;
  return [...new Set(all)].sort((a, b) => a - b);
}
