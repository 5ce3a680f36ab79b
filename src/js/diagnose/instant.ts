// Moments between two bounds. `null` is an unknown bound.

/** A moment on the clock of the report, in milliseconds since the epoch. */
export interface Instant {
  /** Where it most likely is. */
  ms: number;
  /** It is no earlier; `null` if that is not known. */
  earliestMs: number | null;
  /** It is no later; `null` if that is not known. */
  latestMs: number | null;
}

/** A moment between two others, with its likeliest place. */
export function between(from: Instant | null, to: Instant | null, likelyMs: number): Instant {
  const earliestMs = from?.earliestMs ?? null;
  const latestMs = to?.latestMs ?? null;
  const leastMs = earliestMs ?? likelyMs;
  return { ms: Math.min(Math.max(likelyMs, leastMs), Math.max(latestMs ?? likelyMs, leastMs)), earliestMs, latestMs };
}

/** The moment so much later. */
export const shifted = (at: Instant, byMs: number): Instant => sum(at, { ms: byMs, earliestMs: byMs, latestMs: byMs });

/** The moment so much later, by a time that has bounds itself. */
export function sum(a: Instant, b: Instant): Instant {
  return { ms: a.ms + b.ms, earliestMs: plus(a.earliestMs, b.earliestMs), latestMs: plus(a.latestMs, b.latestMs) };
}

/** The moment, with bounds so much wider. */
export function widened({ ms, earliestMs, latestMs }: Instant, beforeMs: number, afterMs: number): Instant {
  return { ms, earliestMs: plus(earliestMs, -beforeMs), latestMs: plus(latestMs, afterMs) };
}

/** True if one moment certainly is before the other. */
export function isBefore(a: Instant, b: Instant): boolean {
  return a.latestMs !== null && b.earliestMs !== null && a.latestMs < b.earliestMs;
}

/** A moment that was at the latest at another, if that says more. */
export function noLaterThan(at: Instant, { latestMs }: Instant): Instant {
  return latestMs !== null && at.earliestMs !== null && latestMs < at.earliestMs ? at : { ...at, latestMs: lesser(at.latestMs, latestMs) };
}

/** A moment that was at the earliest at another, if that says more. */
export function noEarlierThan(at: Instant, { earliestMs }: Instant): Instant {
  return earliestMs !== null && at.latestMs !== null && earliestMs > at.latestMs ? at : { ...at, earliestMs: greater(at.earliestMs, earliestMs) };
}

/** The later of two moments. */
export function later(a: Instant, b: Instant): Instant {
  return { ms: Math.max(a.ms, b.ms), earliestMs: greater(a.earliestMs, b.earliestMs), latestMs: both(Math.max, a.latestMs, b.latestMs) };
}

/** The earlier of two moments. */
export function earlier(a: Instant, b: Instant): Instant {
  return { ms: Math.min(a.ms, b.ms), earliestMs: both(Math.min, a.earliestMs, b.earliestMs), latestMs: lesser(a.latestMs, b.latestMs) };
}

/** True if two moments are apart, whatever the clocks. */
export function isApart(a: Instant, b: Instant): boolean {
  const [first, second] = a.ms <= b.ms ? [a, b] : [b, a];
  if (first.latestMs === null || second.earliestMs === null) return second.ms - first.ms > FAR_MS;
  return second.earliestMs - first.latestMs > EXACT_MS || second.ms - first.ms > FAR_MS;
}

/** True if a moment is known well enough to say how long before another it was. */
export const isExact = ({ earliestMs, latestMs }: Instant): boolean => earliestMs !== null && latestMs !== null && latestMs - earliestMs < 1_000;

/** A moment that is known this well counts as known: a smaller error changes nothing for a person. */
export const EXACT_MS = 200;

/** Too far for a reply that was under way. */
const FAR_MS = 15_000;

const plus = (a: number | null, b: number | null) => both((x, y) => x + y, a, b);
const both = (of: (a: number, b: number) => number, a: number | null, b: number | null) => (a === null || b === null ? null : of(a, b));
const greater = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b));
const lesser = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b));
