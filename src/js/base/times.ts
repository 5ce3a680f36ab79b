// Times as readers write them. This is a file of its own in the package, so that a page that only
// prints durations loads nothing else.

/**
 * `21.0 s`: at least one digit after the point, so that the width of a running time stays the same.
 */
export function seconds(ms: number): string {
  const text = (ms / 1000).toFixed(3).replace(/0{1,2}$/, '');
  return `${text} s`;
}

/** A length of time: `5 s`, `0.2 s`. */
export function length(ms: number): string {
  return `${Number((ms / 1000).toFixed(3))} s`;
}

/** A moment on an axis that ends at `untilMs`: `12 s`, `1:40` minutes, `1:02:11` hours. */
export function clock(ms: number, untilMs: number): string {
  if (untilMs <= 180_000) return length(ms);
  const whole = Math.floor(ms / 1000);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  const part = ms % 1000 === 0 ? '' : `.${String(Math.round(ms % 1000)).padStart(3, '0').replace(/0{1,2}$/, '')}`;
  return untilMs < 3_600_000 ? `${minutes}:${two(rest)}${part}` : `${hours}:${two(minutes)}:${two(rest)}${part}`;
}
