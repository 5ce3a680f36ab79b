// Durations in what this entry writes. It reads no others.

/** A duration as this entry writes them: of a scenario in milliseconds, of a question in seconds. */
export function msOf(duration = '0ms'): number {
  return duration.endsWith('ms') ? Number(duration.slice(0, -2)) : Number(duration.slice(0, -1)) * 1000;
}
