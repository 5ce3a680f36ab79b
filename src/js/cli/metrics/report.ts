// The answer to "which alerts fire, and when": the trouble of a run, and each rule in this run and
// for other moments at which the processes could have started.

import { durationMs } from '../../node.js';
import type { ScenarioAction, SimulationSpan } from '../../types.js';
import { actionWords } from '../summary/action-words.js';
import type { RunFacts } from '../summary/run-facts.js';
import { type Firing, firingOf, type Signal, signalsOf } from './alerts.js';
import type { History, Life } from './history.js';
import { type Rule, usualRules } from './rules.js';
import { type Sampling, type Series, seriesOf, valueAt } from './series.js';

/** A period in which a key has not exactly one owner. */
interface Period extends SimulationSpan {
  kind: 'no-owner' | 'two-owners';
  key: string;
  isPresence: boolean;
  /** The clients that believe; empty for `no-owner`. */
  clients: readonly string[];
}

/** The same, and whether metrics show it. */
export interface Trouble extends Period {
  /** Whether `ActiveLocks` or `ActivePresences` has another value than before the first fault. */
  isCounted: boolean;
  /** In how many phases two or more of the clients send `LockHeld` 1 in this period. */
  reportedPhases: number;
}

/** A rule, and when it fires. */
export interface Alert extends Firing {
  rule: string;
  source: string;
  key: string | null;
  forMs: number;
  /** After the first fault; `null` if there is none, or the alert is older. */
  afterFaultMs: number | null;
  /** After the first moment in which a key has not exactly one owner. */
  afterTroubleMs: number | null;
  /** In other phases: how many there are, in how many it fires, and how long after the fault. */
  phases: { count: number; fired: number; soonestMs: number | null; medianMs: number | null; latestMs: number | null };
}

/** The report. */
export interface Report {
  name: string;
  intervalMs: number;
  endMs: number;
  fault: { timeMs: number; words: string } | null;
  trouble: Trouble[];
  alerts: Alert[];
  /** The signals as rules see them in this run. */
  signals: Signal[];
}

/** What a report needs. */
export interface Input {
  facts: RunFacts;
  history: History;
  fault: Report['fault'];
  intervalMs: number;
  lookbackMs: number | undefined;
  /** The usual ones if there are none. */
  rules: readonly Rule[];
  phases: number;
}

/** Requests and notes, which are no faults. */
const HARMLESS = new Set<ScenarioAction['do']>(['fetch', 'fetch-all', 'lock', 'note', 'release']);

/** The first fault of a scenario. */
export function firstFault({ actions = [] }: RunFacts['scenario']): Report['fault'] {
  const faults = actions.filter((action) => !HARMLESS.has(action.do)).map((action) => ({ timeMs: durationMs(action.at), words: actionWords(action) }));
  return faults.reduce<Report['fault']>((first, fault) => (first === null || fault.timeMs < first.timeMs ? fault : first), null);
}

/** The report on a run. */
export function reportOf({ facts, history, fault, intervalMs, lookbackMs, rules, phases }: Input): Report {
  const { endMs } = history;
  const periods = troubleOf(facts, endMs);
  const startMs = fault?.timeMs ?? periods[0]?.fromMs ?? 0;
  const settledMs = startMs - 1;
  const before = { lock: valueAt(history.rows.lock, settledMs), presence: valueAt(history.rows.presence, settledMs) };
  const seriesIn = (phaseOf?: Sampling['phaseOf']): Series[] => seriesOf(history, { intervalMs, settledMs, ...(phaseOf && { phaseOf }) });
  const signals = signalsOf(seriesIn(), endMs, lookbackMs);
  const usual = usualRules(before.lock || keyCount(facts, false), before.presence || keyCount(facts, true));
  const cases = (rules.length > 0 ? rules : usual).flatMap((rule) => namedSignals(rule, signals, endMs).map((signal) => ({ rule, signal, delays: [] as number[] })));
  const reported = periods.map(() => 0);
  for (let phase = 1; phase <= phases; phase += 1) {
    const series = seriesIn(randomPhases(history.lives, phase));
    const inPhase = signalsOf(series, endMs, lookbackMs);
    for (const [index, period] of periods.entries()) reported[index] = (reported[index] ?? 0) + Number(areReported(period, series));
    for (const { rule, signal, delays } of cases) {
      const same = inPhase.find(({ metric, key }) => metric === signal.metric && key === signal.key) ?? signal;
      const { firedMs } = firingOf(rule, same);
      if (firedMs !== null) delays.push(firedMs - startMs);
    }
  }
  const alerts = cases.map(({ rule: { text: rule, source, forMs }, rule: met, signal, delays }): Alert => {
    const firing = firingOf(met, signal);
    const after = (ms: number | undefined): number | null => (firing.firedMs === null || ms === undefined || firing.firedMs < ms ? null : firing.firedMs - ms);
    const key = signal.key ?? null;
    return { rule, source, key, forMs, ...firing, afterFaultMs: after(fault?.timeMs), afterTroubleMs: after(periods[0]?.fromMs), phases: spreadOf(delays, phases) };
  });
  const trouble = periods.map((period, index) => ({ ...period, isCounted: isCounted(history, before, period), reportedPhases: reported[index] ?? 0 }));
  return { name: facts.scenario.name, intervalMs, endMs, fault, trouble, alerts, signals };
}

/** The signals of a rule's metric; an empty one if no process sends it. */
function namedSignals({ metric }: Rule, signals: readonly Signal[], endMs: number): Signal[] {
  const ofMetric = signals.filter((signal) => signal.metric === metric);
  return ofMetric.length > 0 ? ofMetric : [{ metric, levels: [{ fromMs: 0, toMs: endMs, value: undefined }] }];
}

/** The periods with two owners, and those without an owner after the first one. */
function troubleOf({ keys }: RunFacts, endMs: number): Period[] {
  const periods = keys.flatMap(({ key, isPresence, periods: all }) =>
    all.flatMap(({ kind, names, fromMs, toMs }): Period[] => {
      if (fromMs >= endMs || (kind !== 'free' && kind !== 'two-owners')) return [];
      const isFree = kind === 'free';
      return [{ kind: isFree ? 'no-owner' : kind, key, isPresence, clients: isFree ? [] : names, fromMs, toMs: Math.min(toMs, endMs) }];
    }),
  );
  return periods.sort((a, b) => a.fromMs - b.fromMs);
}

const keyCount = ({ keys }: RunFacts, presences: boolean): number => keys.filter(({ isPresence }) => isPresence === presences).length;

/** Whether the number of rows shows it at any moment. */
function isCounted({ rows }: History, before: Record<'lock' | 'presence', number>, { isPresence, fromMs, toMs }: Period): boolean {
  const type = isPresence ? 'presence' : 'lock';
  const { times, values } = rows[type];
  const changed = values.filter((_, index) => fromMs <= (times[index] as number) && (times[index] as number) < toMs);
  return [valueAt(rows[type], fromMs), ...changed].some((value) => value !== before[type]);
}

/** Whether two clients send 1 in a period. */
function areReported({ kind, clients, fromMs, toMs }: Period, series: readonly Series[]): boolean {
  if (kind === 'no-owner') return false;
  const senders = series.filter(({ metric, labels, samples }) => metric === 'LockHeld' && clients.includes(labels.process) && samples.some(([timeMs, value]) => value === 1 && fromMs <= timeMs && timeMs < toMs));
  return new Set(senders.map(({ labels }) => labels.process)).size > 1;
}

/** Random first ticks, the same in each run of the program. */
function randomPhases(lives: readonly Life[], seed: number): Sampling['phaseOf'] {
  let state = seed;
  // mulberry32
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const again = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((again ^ (again >>> 14)) >>> 0) / 2 ** 32;
  };
  const shares = new Map(lives.map((life) => [life, 1 - random()]));
  return (life, intervalMs) => Math.ceil((shares.get(life) ?? 1) * intervalMs);
}

function spreadOf(delays: number[], count: number): Alert['phases'] {
  const sorted = delays.sort((a, b) => a - b);
  return { count, fired: sorted.length, soonestMs: sorted[0] ?? null, medianMs: sorted[sorted.length >> 1] ?? null, latestMs: sorted.at(-1) ?? null };
}
