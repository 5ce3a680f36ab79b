// Times in forms that only the page has; the others are the package's.

/** The time that is left of a TTL or a wait, short enough to read while it changes: `3.4 s`. */
export function tenths(ms: number): string {
  return `${(Math.ceil(ms / 100) / 10).toFixed(1)} s`;
}

/** A length of time as scenarios have it. */
export function durationText(ms: number): `${number}ms` | `${number}s` {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
