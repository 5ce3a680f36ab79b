// The samples that processes send: each at the ticks of its own interval. It knows no rule.

import { EXPIRY_INTERVAL_MS, type MetricName, METRICS } from './catalogue.js';
import type { History, Life, Requests, Steps } from './history.js';

/** The samples of one metric of one process, from one start to its end. */
export interface Series {
  metric: MetricName;
  labels: { process: string; key?: string; request_type?: string };
  intervalMs: number;
  /** Time and value, by time. */
  samples: (readonly [timeMs: number, value: number])[];
  /** The value before the first sample, for a total; without one, the first sample says nothing. */
  before?: number;
}

/** When and how processes send samples. */
export interface Sampling {
  intervalMs: number;
  /** When the first tick of a process is, after its start; an interval by default. */
  phaseOf?: (life: Life, intervalMs: number) => number;
  /**
   * Until then, processes ran for long and nothing changed: they also send samples before their
   * start, with the values of that moment.
   */
  settledMs?: number;
}

/** All series of a run. */
export function seriesOf(history: History, sampling: Sampling): Series[] {
  return history.lives.flatMap((life) => (life.key === null ? ofLocket(history, life, sampling) : ofClient(history, life, life.key, sampling)));
}

/** About how many samples the processes of a run send. */
export function sampleCount({ lives }: History, intervalMs: number): number {
  const perTick = (life: Life): number => (life.key === null ? 28 : 1);
  return lives.reduce((sum, life) => sum + ((life.toMs - life.fromMs) / intervalMs + 1) * perTick(life), 0);
}

function ofClient({ beliefs }: History, life: Life, key: string, sampling: Sampling): Series[] {
  const held = beliefs.get(life.process) ?? [];
  const isHeld = (_: number, atMs: number): number => (held.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs) ? 1 : 0);
  return [series('LockHeld', { process: life.process, key }, life, sampling, isHeld)];
}

const REQUEST_TYPES = ['Lock', 'Release', 'Fetch', 'FetchAll'] as const;
const NONE: Requests = { started: [], succeeded: [], failed: [], answers: { times: [], values: [] } };

function ofLocket({ rows, databaseOutages, expiries, requests }: History, life: Life, sampling: Sampling): Series[] {
  const { process } = life;
  const since = (times: readonly number[]) => (_: number, atMs: number): number => upTo(times, atMs) - upTo(times, life.fromMs - 1);
  const count = (type: 'lock' | 'presence') => (_: number, atMs: number): number | undefined =>
    databaseOutages.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs) ? undefined : valueAt(rows[type], atMs);
  const expired = expiries.get(process) ?? { lock: [], presence: [] };
  const everyMinute = { ...sampling, intervalMs: EXPIRY_INTERVAL_MS };
  const ofRequests = REQUEST_TYPES.flatMap((type) => {
    const { started, succeeded, failed, answers } = requests.get(process)?.get(type) ?? NONE;
    const labels = { process, request_type: type };
    const inFlight = (from: number, atMs: number): number => since(started)(from, atMs) - since(succeeded)(from, atMs) - since(failed)(from, atMs);
    const latencyMax = (from: number, atMs: number): number =>
      answers.values.slice(upTo(answers.times, from), upTo(answers.times, atMs)).reduce((max, latencyMs) => Math.max(max, latencyMs), 0) * NANOSECONDS;
    return [
      series('RequestsStarted', labels, life, sampling, since(started)),
      series('RequestsSucceeded', labels, life, sampling, since(succeeded)),
      series('RequestsFailed', labels, life, sampling, since(failed)),
      series('RequestsInFlight', labels, life, sampling, inFlight),
      series('RequestLatencyMax', labels, life, sampling, latencyMax),
    ];
  });
  return [
    series('ActiveLocks', { process }, life, sampling, count('lock')),
    series('ActivePresences', { process }, life, sampling, count('presence')),
    series('LocksExpired', { process }, life, everyMinute, since(expired.lock)),
    series('PresenceExpired', { process }, life, everyMinute, since(expired.presence)),
    ...ofRequests,
  ];
}

const NANOSECONDS = 1_000_000;

/** @param read the value at a moment, after the previous sample; none if it cannot be read */
function series(metric: MetricName, labels: Series['labels'], life: Life, { intervalMs, phaseOf, settledMs }: Sampling, read: (sinceMs: number, atMs: number) => number | undefined): Series {
  const isFirst = settledMs !== undefined && life.fromMs <= settledMs;
  const settled = isFirst && !('isFlow' in METRICS[metric]) ? settledMs : -Infinity;
  const samples: Series['samples'] = [];
  let sinceMs = Math.max(life.fromMs - 1, settled);
  const firstMs = life.fromMs + (phaseOf !== undefined && isFirst ? phaseOf(life, intervalMs) : intervalMs);
  /** So that a sample counts at the start of the run, with its increase. */
  const earlierMs = settled === -Infinity ? 0 : intervalMs * Math.ceil((firstMs + intervalMs) / intervalMs);
  for (const timeMs of ticks(life, firstMs - earlierMs, intervalMs)) {
    const atMs = Math.max(timeMs, settled);
    const value = read(sinceMs, atMs);
    sinceMs = atMs;
    if (value !== undefined) samples.push([timeMs, value]);
  }
  return { metric, labels, intervalMs, samples, ...(!isFirst && { before: 0 }) };
}

/** The ticks of a process. Those that a pause delays are one at its end; the rhythm stays. */
function* ticks({ toMs, pauses }: Life, firstMs: number, intervalMs: number): Generator<number> {
  let next = firstMs;
  for (const pause of pauses) {
    for (; next < pause.fromMs; next += intervalMs) yield next;
    if (pause.isFrozen) next += pause.toMs - pause.fromMs;
    else if (next < pause.toMs) {
      if (pause.toMs < toMs) yield pause.toMs;
      next += intervalMs * Math.ceil((pause.toMs - next + 1) / intervalMs);
    }
  }
  for (; next < toMs; next += intervalMs) yield next;
}

/** The value at a moment; 0 before the first. */
export function valueAt({ times, values }: Steps, atMs: number): number {
  return values[upTo(times, atMs) - 1] ?? 0;
}

/** How many of the sorted times are at or before a moment. */
function upTo(times: readonly number[], atMs: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
