// The report for a person: the trouble, the alerts, what no metric shows, and the metrics over time.

import { columns, cut, printable, seconds } from '../../base/text.js';
import { counted } from '../summary/action-words.js';
import { lengthText } from '../summary/owner-lines.js';
import type { Paint } from '../terminal.js';
import type { Signal } from './alerts.js';
import { METRICS } from './catalogue.js';
import type { Alert, Report, Trouble } from './report.js';

const WIDTH = 100;
const TROUBLE_MAX = 8;
const SIGNALS_MAX = 14;

export function screen(report: Report, paint: Paint): string {
  const { name, intervalMs, endMs, alerts } = report;
  const part = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', paint('bold', title), ...lines]);
  const lines = [
    paint('bold', printable(name)),
    paint('dim', `a sample every ${lengthText(intervalMs)}, until ${lengthText(endMs)}`),
    ...part('Trouble', troubleLines(report, paint)),
    ...part('Alerts', alertLines(alerts, paint)),
    ...part('What the metrics do not show', blindLines(report)),
    ...part('Metrics, as rules see them', signalLines(report)),
  ];
  return `${lines.join('\n')}\n`;
}

function troubleLines({ fault, trouble }: Report, paint: Paint): string[] {
  const lines = trouble.slice(0, TROUBLE_MAX).map((one) => {
    const { kind, key, fromMs, toMs, clients } = one;
    const text = kind === 'no-owner' ? `${key} has no owner for ${seconds(toMs - fromMs)}` : `✗ ${key} has two owners for ${seconds(toMs - fromMs)}: ${clients.join(', ')}`;
    const line = row(fromMs, text);
    return kind === 'no-owner' ? line : paint('red', line);
  });
  const more = trouble.length - lines.length;
  return [
    fault === null ? '  no fault in the scenario' : row(fault.timeMs, `first fault: ${fault.words}`),
    ...(trouble.length === 0 ? ['  each key has one owner at every moment'] : lines),
    ...(more > 0 ? [`  … and ${counted(more, 'more period')}`] : []),
  ];
}

const row = (timeMs: number, text: string): string => cut(`${seconds(timeMs).padStart(11)}  ${printable(text)}`, WIDTH);

function alertLines(alerts: readonly Alert[], paint: Paint): string[] {
  const cells = alerts.map((alert) => {
    const { rule, key, source, firedMs, phases } = alert;
    return [`  ${firedMs === null ? '·' : '!'} ${rule}${key === null ? '' : ` (${key})`}`, source, thisRun(alert), otherPhases(phases)];
  });
  const lines = columns([['  rule', 'from', 'this run', 'other phases'], ...cells], WIDTH);
  return lines.map((line, index) => (index === 0 ? paint('dim', line) : line.startsWith('  !') ? paint('yellow', line) : line));
}

function thisRun({ firedMs, clearedMs, afterFaultMs, closest, longestMs, forMs }: Alert): string {
  if (firedMs !== null) return `fires at ${seconds(firedMs)}${afterFaultMs === null ? '' : ` (+${seconds(afterFaultMs)})`}${clearedMs === null ? '' : `, clears at ${seconds(clearedMs)}`}`;
  if (longestMs > 0) return `silent: true for ${lengthText(longestMs)} of ${lengthText(forMs)}`;
  return closest === null ? 'silent: no samples' : `silent: ${closest} at most`;
}

function otherPhases({ count, fired, soonestMs, latestMs }: Alert['phases']): string {
  if (count === 0) return '';
  const spread = soonestMs === null || latestMs === null ? '' : `, after ${lengthText(soonestMs)} – ${lengthText(latestMs)}`;
  return `${fired} of ${count}${spread}`;
}

/** What an operator would not see. */
function blindLines({ trouble, alerts }: Report): string[] {
  const count = alerts[0]?.phases.count ?? 0;
  const overlaps = trouble.filter(({ kind, isPresence }) => kind === 'two-owners' && !isPresence);
  const longest = longestOf(overlaps);
  const gap = longestOf(trouble.filter(({ kind, isCounted }) => kind === 'no-owner' && isCounted));
  return [
    ...(longest === undefined
      ? []
      : [
          `  ${longest.isCounted ? 'ActiveLocks counts rows, not owners: its changes are no sign of two owners.' : 'ActiveLocks has its usual value while there are two owners: it counts rows, and a key has one.'}`,
          `  Both owners send LockHeld 1 during the ${seconds(longest.toMs - longest.fromMs)} in ${longest.reportedPhases} of ${count} phases.`,
        ]),
    ...(overlaps.length === 0 && alerts.some(({ rule, firedMs, phases }) => rule === 'LockHeld > 1' && (firedMs !== null || phases.fired > 0))
      ? ['  LockHeld > 1 fires without two owners: the last sample of the former owner still counts.']
      : []),
    ...(gap === undefined ? [] : [`  ${gap.key} has no row for ${seconds(gap.toMs - gap.fromMs)}; a shorter gap than the interval can fall between two samples.`]),
  ].map((line) => cut(printable(line), WIDTH));
}

const longestOf = (periods: readonly Trouble[]): Trouble | undefined => [...periods].sort((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs))[0];

const COLUMNS = 50;
const BLOCKS = '▁▂▃▄▅▆▇█';

/** The metrics that change, each as a line of blocks; the others are named. */
function signalLines({ signals, endMs }: Report): string[] {
  const known = signals.map((signal) => ({ signal, values: valuesOf(signal) }));
  const changing = known.filter(({ values }) => new Set(values).size > 1);
  const steady = known.filter(({ values }) => new Set(values).size === 1);
  const cells = changing.slice(0, SIGNALS_MAX).map(({ signal, values }) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const show = (value: number): string => (signal.metric === 'RequestLatencyMax' ? seconds(value / 1e6) : String(value));
    return [`  ${nameOf(signal)}`, sparkline(signal, low, high, endMs), `${show(low)} – ${show(high)}`];
  });
  const more = changing.length - cells.length;
  return [
    ...columns(cells, WIDTH),
    ...(more > 0 ? [`  … and ${counted(more, 'more metric')}; --json has all`] : []),
    ...(steady.length > 0 ? [`  unchanged: ${steady.map(({ signal, values }) => `${nameOf(signal)} ${values[0]}`).join(', ')}`] : []),
  ].map((line) => cut(line, WIDTH));
}

const valuesOf = ({ levels }: Signal): number[] => levels.flatMap(({ value }) => (value === undefined ? [] : [value]));
const nameOf = ({ metric, key }: Signal): string => `${metric}${key === undefined ? '' : ` (${key})`}${'isTotal' in METRICS[metric] ? ', increase' : ''}`;

/** The extreme value of each part of the run; a space without one. */
function sparkline({ levels }: Signal, low: number, high: number, endMs: number): string {
  const first = levels.find(({ value }) => value !== undefined)?.value ?? low;
  return Array.from({ length: COLUMNS }, (_, column) => {
    const [fromMs, toMs] = [(column * endMs) / COLUMNS, ((column + 1) * endMs) / COLUMNS];
    const values = levels.flatMap((level) => (level.value === undefined || level.toMs <= fromMs || level.fromMs >= toMs ? [] : [level.value]));
    if (values.length === 0) return ' ';
    // A short change is more important than the usual value.
    const value = values.reduce((a, b) => (Math.abs(b - first) > Math.abs(a - first) ? b : a));
    return BLOCKS[Math.round(((value - low) / (high - low)) * (BLOCKS.length - 1))];
  }).join('');
}
