// Times for people.

/** `21.0 s`: at least one digit after the point, so that a running time does not jump about. */
export function seconds(ms: number): string {
  const text = (ms / 1000).toFixed(3).replace(/0{1,2}$/, '');
  return `${text} s`;
}

/** What is left of something that runs out, as short as it can be read while it does: `3.4 s`. */
export function tenths(ms: number): string {
  return `${(Math.ceil(ms / 100) / 10).toFixed(1)} s`;
}

/** A length of time for people: `5 s`, `0.2 s`. */
export function length(ms: number): string {
  return `${Number((ms / 1000).toFixed(3))} s`;
}

/** A length of time as scenarios have it. */
export function durationText(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
