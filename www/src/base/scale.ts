// From a value, most often a time, to a place in pixels, and back.

export interface Scale {
  (value: number): number;
  invert: (px: number) => number;
}

type Ends = readonly [first: number, last: number];

/** A linear scale; outside of its ends it goes on, unless `isClamped`. */
export function linear([from, to]: Ends, [left, right]: Ends, isClamped = false): Scale {
  const each = (right - left) / (to - from || 1);
  const place = (value: number): number => left + (value - from) * each;
  const within = (value: number): number => place(Math.min(Math.max(value, from), to));
  return Object.assign(isClamped ? within : place, { invert: (px: number) => from + (px - left) / each });
}
