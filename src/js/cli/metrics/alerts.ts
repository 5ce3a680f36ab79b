// When alerts fire: the value of a metric over time, as a rule sees it, and the periods in which the
// rule is met.

import type { SimulationSpan } from '../../types.js';
import { METRICS, type Metric, type MetricName } from './catalogue.js';
import { grouped } from './grouped.js';
import type { Rule } from './rules.js';
import type { Series } from './series.js';

/** A period in which a metric has a value, or none. */
export interface Level extends SimulationSpan {
  value: number | null;
}

/** The values of a metric for one key, or for all Locket processes. */
export interface Signal {
  metric: MetricName;
  key?: string;
  /** They cover the run. */
  levels: Level[];
}

/** One alert in one run. */
export interface Firing {
  /** `null` if it never fires. */
  firedMs: number | null;
  /** `null` if it lasts until the end. */
  clearedMs: number | null;
  /** The value that is nearest to the rule's; `null` without any. */
  closest: number | null;
  /** The longest time for which the rule was met. */
  longestMs: number;
}

/**
 * The signals of all metrics.
 *
 * @param lookbackMs how long a sample counts if no newer one comes; its interval by default
 */
export function signalsOf(series: readonly Series[], endMs: number, lookbackMs?: number): Signal[] {
  const groups = grouped(series, ({ metric, labels: { key = '' } }) => `${metric} ${key}`);
  return [...groups.values()].map((group) => {
    const { metric, labels } = group[0] as Series;
    return { metric, ...(labels.key !== undefined && { key: labels.key }), levels: levelsOf(group, METRICS[metric], endMs, lookbackMs) };
  });
}

/** The value of all series together, which changes when a sample arrives or no longer counts. */
function levelsOf(group: readonly Series[], { combine, isTotal }: Metric, endMs: number, lookbackMs?: number): Level[] {
  const changes = group.flatMap(({ samples, intervalMs, before }, index) =>
    samples.flatMap(([timeMs, total], place) => {
      const previous = samples[place - 1]?.[1] ?? before;
      const value = isTotal ? (previous === undefined ? undefined : total - previous) : total;
      const next = samples[place + 1]?.[0] ?? Infinity;
      const untilMs = timeMs + (lookbackMs ?? intervalMs);
      return [{ timeMs, index, value }, ...(untilMs < next ? [{ timeMs: untilMs, index, value: undefined }] : [])];
    }),
  );
  changes.sort((a, b) => a.timeMs - b.timeMs);
  const current = new Map<number, number>();
  const levels: Level[] = [{ fromMs: 0, toMs: endMs, value: null }];
  for (const { timeMs, index, value } of changes) {
    if (timeMs >= endMs) break;
    if (value === undefined) current.delete(index);
    else current.set(index, value);
    const atMs = Math.max(timeMs, 0);
    const last = levels.at(-1) as Level;
    const combined = current.size === 0 ? null : [...current.values()].reduce((a, b) => (combine === 'sum' ? a + b : Math.max(a, b)));
    if (combined === last.value) continue;
    if (last.fromMs === atMs) levels.pop();
    else last.toMs = atMs;
    levels.push({ fromMs: atMs, toMs: endMs, value: combined });
  }
  return levels;
}

/** When a rule fires first. */
export function firingOf({ isMet, distance, forMs }: Rule, { levels }: Signal): Firing {
  const met: SimulationSpan[] = [];
  let closest: number | null = null;
  for (const { fromMs, toMs, value } of levels) {
    if (value !== null && (closest === null || distance(value) < distance(closest))) closest = value;
    if (!isMet(value)) continue;
    const last = met.at(-1);
    if (last?.toMs === fromMs) last.toMs = toMs;
    else met.push({ fromMs, toMs });
  }
  const fired = met.find(({ fromMs, toMs }) => toMs - fromMs >= forMs);
  const endMs = levels.at(-1)?.toMs ?? 0;
  return {
    firedMs: fired === undefined ? null : fired.fromMs + forMs,
    clearedMs: fired === undefined || fired.toMs === endMs ? null : fired.toMs,
    closest,
    longestMs: met.reduce((longest, { fromMs, toMs }) => Math.max(longest, toMs - fromMs), 0),
  };
}
