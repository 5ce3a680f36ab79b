// The answer to "which alerts fire, and when": the violations of a run, and each rule in this run
// and for other moments at which its processes could send their samples.

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
export interface Violation extends Period {
  /** Whether `ActiveLocks` or `ActivePresences` has another value than before the first fault. */
  isCounted: boolean;
  /**
   * In how many phases samples show it: of `LockHeld` 1 of two clients, or of the number of rows.
   */
  sampledPhases: number;
}

/** A rule, and when it fires. */
export interface Alert extends Firing {
  rule: string;
  source: string;
  key: string | null;
  forMs: number;
  /** From the start of the report; `null` if it does not fire, or is older. */
  delayMs: number | null;
  /** From the first violation. */
  afterViolationMs: number | null;
  /** In other phases: how many there are, in how many it fires, and with which delay. */
  phases: { count: number; fired: number; soonestMs: number | null; medianMs: number | null; latestMs: number | null };
}

/** The report. */
export interface MetricsReport {
  name: string;
  intervalMs: number;
  endMs: number;
  /** The end of the scenario, which can be earlier. */
  scenarioEndMs: number;
  fault: { timeMs: number; words: string } | null;
  /** The first fault or the first violation, from which delays count. */
  startMs: number;
  violations: Violation[];
  alerts: Alert[];
  /** The signals as rules see them in this run. */
  signals: Signal[];
}

/** The input of a report. */
export interface Input {
  facts: RunFacts;
  history: History;
  scenarioEndMs: number;
  fault: MetricsReport['fault'];
  intervalMs: number;
  lookbackMs: number | undefined;
  /** The usual ones if there are none. */
  rules: readonly Rule[];
  phases: number;
}

/** Requests and notes, which are no faults. */
const HARMLESS = new Set<ScenarioAction['do']>(['fetch', 'fetch-all', 'lock', 'note', 'release']);

/** The first fault of a scenario. */
export function firstFault({ actions = [] }: RunFacts['scenario']): MetricsReport['fault'] {
  const faults = actions.filter((action) => !HARMLESS.has(action.do)).map((action) => ({ timeMs: durationMs(action.at), words: actionWords(action) }));
  return faults.reduce<MetricsReport['fault']>((first, fault) => (first === null || fault.timeMs < first.timeMs ? fault : first), null);
}

/** The report on a run. */
export function reportOf({ facts, history, scenarioEndMs, fault, intervalMs, lookbackMs, rules, phases }: Input): MetricsReport {
  const { endMs } = history;
  const periods = periodsOf(facts, endMs);
  const starts = [fault?.timeMs, periods[0]?.fromMs].filter((ms) => ms !== undefined);
  const settledMs = starts.length === 0 ? firstOwnersMs(facts) : Math.min(...starts) - 1;
  const startMs = settledMs + 1;
  const before = { lock: valueAt(history.rows.lock, settledMs), presence: valueAt(history.rows.presence, settledMs) };
  const seriesIn = (phaseOf?: Sampling['phaseOf']): Series[] => seriesOf(history, { intervalMs, settledMs, ...(phaseOf && { phaseOf }) });
  const signals = signalsOf(seriesIn(), endMs, lookbackMs);
  const usual = usualRules(before.lock || keyCount(facts, false), before.presence || keyCount(facts, true));
  const cases = (rules.length > 0 ? rules : usual).flatMap((rule) => namedSignals(rule, signals, endMs).map((signal) => ({ rule, signal, delays: [] as number[] })));
  const sampled = periods.map(() => 0);
  for (let phase = 1; phase <= phases; phase += 1) {
    const series = seriesIn(randomPhases(history.lives, phase));
    const inPhase = signalsOf(series, endMs, lookbackMs);
    for (const [index, period] of periods.entries()) sampled[index] = (sampled[index] ?? 0) + Number(isSampled(period, series));
    for (const { rule, signal, delays } of cases) {
      const same = inPhase.find(({ metric, key }) => metric === signal.metric && key === signal.key) ?? signal;
      const { firedMs } = firingOf(rule, same);
      if (firedMs !== null) delays.push(firedMs - startMs);
    }
  }
  const alerts = cases.map(({ rule, signal, delays }): Alert => {
    const firing = firingOf(rule, signal);
    const after = (ms: number | undefined): number | null => (firing.firedMs === null || ms === undefined || firing.firedMs < ms ? null : firing.firedMs - ms);
    const { text, source, forMs } = rule;
    return { rule: text, source, key: signal.key ?? null, forMs, ...firing, delayMs: after(startMs), afterViolationMs: after(periods[0]?.fromMs), phases: spreadOf(delays, phases) };
  });
  const violations = periods.map((period, index) => ({ ...period, isCounted: isCounted(history, before, period), sampledPhases: sampled[index] ?? 0 }));
  return { name: facts.scenario.name, intervalMs, endMs, scenarioEndMs, fault, startMs, violations, alerts, signals };
}

/** The signals of a rule's metric; an empty one if no process sends it. */
function namedSignals({ metric }: Rule, signals: readonly Signal[], endMs: number): Signal[] {
  const ofMetric = signals.filter((signal) => signal.metric === metric);
  return ofMetric.length > 0 ? ofMetric : [{ metric, levels: [{ fromMs: 0, toMs: endMs, value: null }] }];
}

/** The periods with two owners, and those without an owner after the first one. */
function periodsOf({ keys }: RunFacts, endMs: number): Period[] {
  const periods = keys.flatMap(({ key, isPresence, periods: all }) =>
    all.flatMap(({ kind, names, fromMs, toMs }): Period[] => {
      if (fromMs >= endMs || (kind !== 'free' && kind !== 'two-owners')) return [];
      const isFree = kind === 'free';
      return [{ kind: isFree ? 'no-owner' : kind, key, isPresence, clients: isFree ? [] : names, fromMs, toMs: Math.min(toMs, endMs) }];
    }),
  );
  return periods.sort((a, b) => a.fromMs - b.fromMs);
}

/** When all keys have had an owner. */
const firstOwnersMs = ({ keys }: RunFacts): number => keys.reduce((latest, { periods }) => Math.max(latest, periods.find(({ kind }) => kind === 'start')?.toMs ?? 0), 0);

const keyCount = ({ keys }: RunFacts, presences: boolean): number => keys.filter(({ isPresence }) => isPresence === presences).length;

/** Whether the number of rows shows it at any moment. */
function isCounted({ rows }: History, before: Record<'lock' | 'presence', number>, { isPresence, fromMs, toMs }: Period): boolean {
  const type = isPresence ? 'presence' : 'lock';
  const { times, values } = rows[type];
  const changed = values.filter((_, index) => fromMs <= (times[index] as number) && (times[index] as number) < toMs);
  return [valueAt(rows[type], fromMs), ...changed].some((value) => value !== before[type]);
}

/** Whether samples show a period: 1 of two clients, or a number of rows. */
function isSampled({ kind, key, isPresence, fromMs, toMs }: Period, series: readonly Series[]): boolean {
  const [name, enough] = kind === 'two-owners' ? (['LockHeld', 2] as const) : ([isPresence ? 'ActivePresences' : 'ActiveLocks', 1] as const);
  const senders = series.filter(
    ({ metric, labels, samples }) => metric === name && (labels.key ?? key) === key && samples.some(([timeMs, value]) => fromMs <= timeMs && timeMs < toMs && (name !== 'LockHeld' || value === 1)),
  );
  return senders.length >= enough;
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
