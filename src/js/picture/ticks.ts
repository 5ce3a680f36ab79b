// Round moments for an axis of time.

/** About this many ticks, one, two or five times a power of ten apart. */
export function ticksOf(fromMs: number, toMs: number, count: number): number[] {
  const rough = (toMs - fromMs) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  // A step is taken up to where the next one is as near, on a scale of ratios.
  const factor = [[Math.SQRT2, 1], [Math.sqrt(10), 2], [Math.sqrt(50), 5]].find(([upTo = 0]) => rough / power < upTo)?.[1] ?? 10;
  const step = Math.max(factor * power, 1);
  const [first, last] = [Math.ceil(fromMs / step), Math.floor(toMs / step)];
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}
