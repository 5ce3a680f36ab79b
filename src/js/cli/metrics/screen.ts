// The report for a person: faults and violations, alerts, blind spots, and the metrics over time.

import { columns, counted, cut, printable, seconds } from '../../base/text.js';
import { wrapped } from '../timeline.js';
import { length } from '../../picture.js';
import { lengthText } from '../summary/owner-lines.js';
import type { Paint } from '../terminal.js';
import type { Signal } from './alerts.js';
import { METRICS } from './catalogue.js';
import type { Alert, MetricsReport, Violation } from './report.js';

const WIDTH = 100;
const VIOLATIONS_MAX = 8;
const SIGNALS_MAX = 14;

export function screen(report: MetricsReport, paint: Paint): string {
  const { name, intervalMs, endMs, alerts } = report;
  const part = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', paint('bold', title), ...lines]);
  const lines = [
    paint('bold', printable(name)),
    paint('dim', `a sample every ${lengthText(intervalMs)}, until ${lengthText(endMs)}`),
    ...part('Faults and owners', violationLines(report, paint)),
    ...part('Alerts', alertLines(alerts, paint)),
    ...part('Blind spots', blindLines(report)),
    ...part('Metrics, as rules see them; + is the increase between two samples', signalLines(report)),
  ];
  return `${lines.join('\n')}\n`;
}

function violationLines({ fault, violations }: MetricsReport, paint: Paint): string[] {
  const locks = violations.filter(({ isPresence }) => !isPresence);
  const absent = violations.filter(({ isPresence }) => isPresence);
  const lines = locks.slice(0, VIOLATIONS_MAX).map((one) => {
    const { kind, key, fromMs, clients } = one;
    const text = kind === 'no-owner' ? `${short(key)} has no owner for ${lasting(one)}` : `✗ ${short(key)} has two owners for ${lasting(one)}: ${clients.join(', ')}`;
    return { fromMs, text };
  });
  const more = locks.length - lines.length;
  const worst = longestOf(absent);
  const presences = counted(new Set(absent.map(({ key }) => key)).size, 'presence');
  if (worst !== undefined) lines.push({ fromMs: absent[0]?.fromMs ?? 0, text: `${presences} absent for a time, ${short(worst.key)} the longest: ${lasting(worst)}` });
  if (fault !== null) lines.push({ fromMs: fault.timeMs, text: `first fault: ${fault.words}` });
  // With equal times, the fault is the cause.
  lines.sort((a, b) => a.fromMs - b.fromMs || Number(b.text.startsWith('first')) - Number(a.text.startsWith('first')));
  return [
    ...(fault === null ? ['  no fault in the scenario'] : []),
    ...lines.map(({ fromMs, text }) => (text.startsWith('✗') ? paint('red', row(fromMs, text)) : row(fromMs, text))),
    ...(violations.length === 0 ? ['  each key has one owner at every moment'] : []),
    ...(more > 0 ? [`  … and ${counted(more, 'more period')} of locks`] : []),
  ];
}

/** A key that leaves room for the rest of a line. */
const short = (key: string): string => cut(printable(key), 24);
const row = (timeMs: number, text: string): string => cut(`${seconds(timeMs).padStart(11)}  ${printable(text)}`, WIDTH - 1);

function alertLines(alerts: readonly Alert[], paint: Paint): string[] {
  const count = alerts[0]?.phases.count ?? 0;
  const cells = alerts.map(({ rule, key, source, phases, ...firing }) => [`  ${firing.firedMs === null ? '·' : '!'} ${rule}${key === null ? '' : ` (${short(key)})`}`, source, thisRun(firing), inPhases(phases)]);
  const lines = columns([['  rule', 'from', 'fires at (delay)', count === 0 ? '' : `in ${count} phases, with delays`], ...cells], WIDTH);
  return lines.map((line, index) => (index === 0 ? paint('dim', line) : line.startsWith('  !') ? paint('yellow', line) : line));
}

function thisRun({ firedMs, clearedMs, delayMs, closest, longestMs, forMs }: Pick<Alert, 'clearedMs' | 'closest' | 'delayMs' | 'firedMs' | 'forMs' | 'longestMs'>): string {
  if (firedMs !== null) return `${length(firedMs)}${delayMs === null ? '' : ` (+${length(delayMs)})`}${clearedMs === null ? '' : ` to ${length(clearedMs)}`}`;
  return longestMs > 0 ? `– (true ${length(longestMs)} of ${length(forMs)})` : closest === null ? '– (no samples)' : `– (nearest ${closest})`;
}

function inPhases({ count, fired, soonestMs, latestMs }: Alert['phases']): string {
  if (count === 0 || soonestMs === null || latestMs === null) return count === 0 ? '' : '0';
  const tenth = (ms: number): string => length(Math.round(ms / 100) * 100);
  return `${fired}, ${tenth(soonestMs)} – ${tenth(latestMs)}`;
}

/** Facts that an operator would not see. */
function blindLines({ violations, alerts, signals }: MetricsReport): string[] {
  const count = alerts[0]?.phases.count ?? 0;
  const overlaps = violations.filter(({ kind, isPresence }) => kind === 'two-owners' && !isPresence);
  const overlap = longestOf(overlaps);
  const gap = longestOf(violations.filter(({ kind, isCounted }) => kind === 'no-owner' && isCounted));
  const ofTwo = alerts.find(({ rule }) => rule === 'LockHeld > 1');
  const failed = signals.find(({ metric }) => metric === 'RequestsFailed');
  const ofPhases = ({ sampledPhases }: Violation): string => `in ${sampledPhases} of ${count} phases`;
  const silence = silenceOf(signals);
  const lines: string[] = [];
  if (overlap?.isCounted === false) lines.push(`ActiveLocks keeps its value while ${short(overlap.key)} has two owners: it counts rows, and a key has one row.`);
  if (overlap !== undefined && count > 0) lines.push(`Both owners send LockHeld 1 within the ${lasting(overlap)} ${ofPhases(overlap)}.`);
  if (ofTwo !== undefined && ofTwo.phases.fired > (overlap?.sampledPhases ?? 0)) lines.push('LockHeld > 1 also fires without two owners, while the last sample of a former owner still counts.');
  if (gap !== undefined && count > 0) lines.push(`A Locket process counts rows within the ${lasting(gap)} without ${short(gap.key)} ${ofPhases(gap)}.`);
  if (violations.length > 0 && failed?.levels.every(({ value }) => !value)) lines.push('RequestsFailed stays 0: collisions count as successes, and requests that get lost do not count.');
  if (silence !== undefined) lines.push(`${nameOf(silence.signal)} has no samples from ${length(silence.fromMs)} on, so only a rule with absent can fire.`);
  return lines.map((line) => `  ${cut(printable(line), WIDTH)}`);
}

/** A gauge of clients that ends without a sample. */
function silenceOf(signals: readonly Signal[]): { signal: Signal; fromMs: number } | undefined {
  const silent = signals.filter(({ metric, levels }) => metric === 'LockHeld' && levels.at(-1)?.value === null);
  return silent.map((signal) => ({ signal, fromMs: signal.levels.at(-1)?.fromMs ?? 0 }))[0];
}

const lasting = ({ fromMs, toMs }: Violation): string => length(toMs - fromMs);
const longestOf = (periods: readonly Violation[]): Violation | undefined => [...periods].sort((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs))[0];

const COLUMNS = 50;
const BLOCKS = '▁▂▃▄▅▆▇█';

/** The metrics that change, each as a line of blocks over the scenario's time; the others are named. */
function signalLines({ signals, endMs, scenarioEndMs, intervalMs }: MetricsReport): string[] {
  const untilMs = Math.min(endMs, scenarioEndMs + 2 * intervalMs);
  const known = signals.map((signal) => ({ signal, values: [...new Set(valuesOf(signal, untilMs))] }));
  const changing = known.filter(({ values }) => values.length > 1);
  const cells = changing.slice(0, SIGNALS_MAX).map(({ signal, values }) => {
    const present = values.filter((value) => value !== null);
    const [low, high] = [Math.min(...present), Math.max(...present)];
    const show = (value: number): string => (signal.metric === 'RequestLatencyMax' ? length(value / 1e6) : String(value));
    return [`  ${nameOf(signal)}`, sparkline(signal, low, high, untilMs), `${show(low)} – ${show(high)}`];
  });
  const more = changing.length - cells.length;
  const steady = known.filter(({ values }) => values.length === 1).map(({ signal, values }) => `${nameOf(signal)} ${values[0]}`);
  return [
    `  from 0 s to ${lengthText(untilMs)}`,
    ...columns(cells, WIDTH),
    ...(more > 0 ? [`  … and ${counted(more, 'more metric')}; --json has all`] : []),
    ...(steady.length > 0 ? wrapped(`constant: ${steady.slice(0, SIGNALS_MAX).join(', ')}`, WIDTH - 2).map((line) => `  ${cut(line, WIDTH)}`) : []),
  ];
}

const valuesOf = ({ levels }: Signal, untilMs: number): number[] => levels.flatMap(({ value, fromMs }) => (value === null || fromMs >= untilMs ? [] : [value]));
const nameOf = ({ metric, key }: Signal): string => `${metric}${key === undefined ? '' : ` (${short(key)})`}${'isTotal' in METRICS[metric] ? ' +' : ''}`;

/** The extreme value of each part of the run; a space without one. */
function sparkline({ levels }: Signal, low: number, high: number, endMs: number): string {
  const first = levels.find(({ value }) => value !== null)?.value ?? low;
  return Array.from({ length: COLUMNS }, (_, column) => {
    const [fromMs, toMs] = [(column * endMs) / COLUMNS, ((column + 1) * endMs) / COLUMNS];
    const values = levels.flatMap((level) => (level.value === null || level.toMs <= fromMs || level.fromMs >= toMs ? [] : [level.value]));
    if (values.length === 0) return ' ';
    // A short change is more important than the usual value.
    const value = values.reduce((a, b) => (Math.abs(b - first) > Math.abs(a - first) ? b : a));
    return BLOCKS[Math.round(((value - low) / (high - low)) * (BLOCKS.length - 1))];
  }).join('');
}
