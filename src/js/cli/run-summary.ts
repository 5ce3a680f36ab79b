// The summary of a run, which fits a screen: owners, faults and load, and the important events.

import { columns, cut, printable, seconds } from '../base/text.js';
import { counted, latencyWords } from '../simulation/action-words.js';
import type { RequestCount } from '../simulation/load.js';
import { type KeyHistory, type KeyPeriod, lengthOf } from '../simulation/ownership.js';
import type { RunFacts } from '../simulation/run-facts.js';
import { length } from '../times.js';
import type { Paint } from './terminal.js';
import { allEventLines, digestLine, failureLines, readable, someEventLines, TEXT_WIDTH, TIME_WIDTH, titleLines, wrapped } from './timeline.js';

/** The lines of a screen, and their width. */
const SCREEN = 40;
/** With all events it may take some more. */
const SCREEN_WITH_ALL = 48;
const WIDTH = 100;
/** The most lines of each part. */
const LOCK_LINES_MAX = 12;
const PERIODS_MAX = 6;
const PRESENCES_MAX = 5;
const ACTIONS_MAX = 8;
const FAILURES_MAX = 8;
const EVENTS_MIN = 8;
/** So many presences are shown as locks are. */
const FEW_PRESENCES = 2;

/** The summary of a run; if all events fit the screen, they are part of it. */
export function runSummary(facts: RunFacts, paint: Paint): string {
  const { scenario, events, changes, failures } = facts;
  const failed = failureLines({ failures: failures.slice(0, FAILURES_MAX) }, paint);
  if (failures.length > FAILURES_MAX) failed.push(`… and ${counted(failures.length - FAILURES_MAX, 'more failure')}; --events prints all`);
  const head = [
    ...titleLines({ name: scenario.name, description: scenario.description ?? '' }, paint),
    ...wrapped(printable(settingOf(facts)), TEXT_WIDTH).map((line) => paint('dim', line)),
    ...part('Owners', ownerLines(facts, paint)),
    ...part('Faults and actions', actionLines(facts)),
    ...part('Load', loadLines(facts)),
  ];
  const foot = ['', ...failed, digestLine(facts, paint)];
  // A part has a title, and a blank line before it.
  const used = head.length + foot.length + 2;
  const all = allEventLines(events, paint);
  if (used + all.length <= SCREEN_WITH_ALL) return text([...head, ...part('Events', all), ...foot]);
  const shown = changes.first(Math.max(EVENTS_MIN, SCREEN - used - 1));
  const more = `… ${counted(readable(events).length - shown.length, 'more event')}; --events prints all`;
  return text([...head, ...part('Important events', [...someEventLines(shown, WIDTH), more]), ...foot]);

  function part(title: string, lines: readonly string[]): string[] {
    return lines.length === 0 ? [] : ['', paint('bold', title), ...lines];
  }
}

const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** The clients, the processes, the end and the network. */
function settingOf({ scenario, endMs }: RunFacts): string {
  const { clients, processes = 1, network = {}, random = false, seed = 0, database = {} } = scenario;
  const share = (what: string | undefined, words: string): string[] => (what === undefined || !random ? [] : [`${what} of ${words}`]);
  return [
    counted(clients.length, 'client'),
    counted(processes, 'Locket process', 'Locket processes'),
    `until ${seconds(endMs)}${endMs < LONG_MS ? '' : ` (${lengthText(endMs)})`}`,
    ...(network.latency === undefined ? [] : [`a message takes ${latencyWords(network.latency)}`]),
    ...share(network.loss, 'messages are lost'),
    ...share(network.duplicates, 'messages arrive twice'),
    ...share(database.replyLoss, 'database replies are lost'),
    ...(random ? [`seed ${seed}`] : []),
  ].join(', ');
}

function ownerLines({ keys, endMs }: RunFacts, paint: Paint): string[] {
  const presences = keys.filter(({ isPresence }) => isPresence);
  const many = presences.length > FEW_PRESENCES ? presences : [];
  const single = keys.filter((key) => !many.includes(key));
  const worst = [...single].sort((a, b) => b.twoOwnersMs - a.twoOwnersMs || b.freeMs - a.freeMs);
  const rowsOf = new Map<KeyHistory, string[][]>();
  let lines = 0;
  for (const key of worst) {
    const rows = periodRows(key);
    lines += rows.length;
    if (rowsOf.size > 0 && lines > LOCK_LINES_MAX) break;
    rowsOf.set(key, rows);
  }
  const shown = single.flatMap((key) => rowsOf.get(key) ?? []);
  const left = single.filter((key) => !rowsOf.has(key));
  const troubled = left.filter(isTroubled).length;
  const more = left.length === 0 ? [] : [`  … and ${counted(left.length, 'more key')}, ${troubled === 0 ? 'none' : troubled} with a gap or two owners`];
  return [...tableOf(shown, endMs, paint), ...more, ...presenceLines(many, endMs, paint)];
}

const isTroubled = ({ freeMs, twoOwnersMs }: KeyHistory): boolean => freeMs > 0 || twoOwnersMs > 0;

/** The periods of a key, the important ones if there are many. */
function periodRows({ key, isPresence, periods }: KeyHistory): string[][] {
  const ranks: KeyPeriod['kind'][] = ['two-owners', 'free', 'owned', 'start'];
  const important = [...periods].sort((a, b) => ranks.indexOf(a.kind) - ranks.indexOf(b.kind) || lengthOf([b]) - lengthOf([a]));
  const kept = new Set(important.slice(0, PERIODS_MAX));
  const rows = periods.filter((period) => kept.has(period)).map((period, index) => periodRow(index === 0 ? key : '', period, isPresence));
  const others = periods.filter((period) => !kept.has(period));
  if (others.length === 0) return rows;
  const count = (kind: KeyPeriod['kind']): number => others.filter((period) => period.kind === kind).length;
  return [...rows, ['', '', '', '', `… and ${counted(others.length, 'more period')}: ${count('two-owners')} with two owners, ${count('free')} without an owner`]];
}

function periodRow(key: string, { kind, names, fromMs, toMs }: KeyPeriod, isPresence: boolean): string[] {
  const free = isPresence ? 'absent' : 'no owner';
  const words = kind === 'two-owners' ? `✗ ${names.length === 2 ? 'two' : names.length} owners: ${names.join(', ')}` : names[0] === undefined ? free : names[0] || "'' (an empty owner)";
  return [key, seconds(fromMs), seconds(toMs), lengthText(toMs - fromMs), words];
}

/** Many presences: those that were absent, the worst first. */
function presenceLines(presences: readonly KeyHistory[], endMs: number, paint: Paint): string[] {
  if (presences.length === 0) return [];
  const absent = presences.filter(isTroubled).sort((a, b) => b.freeMs - a.freeMs);
  const never = presences.filter(({ periods }) => periods.every(({ kind }) => kind === 'start'));
  const rows = absent.slice(0, PRESENCES_MAX).map(({ key, periods, freeMs }) => {
    const gaps = periods.filter(({ kind }) => kind === 'free');
    const longest = gaps.reduce((a, b) => (lengthOf([b]) > lengthOf([a]) ? b : a));
    const row = periodRow(key, longest, true);
    return gaps.length === 1 ? row : [...row.slice(0, -1), `absent; ${gaps.length} times, ${lengthText(freeMs)} in all`];
  });
  const more = absent.length - rows.length;
  const kept = presences.length - absent.length - never.length;
  return [
    `  ${presences.length} presences: ${kept} kept from the first row to the end, ${absent.length} absent for a time${never.length === 0 ? '' : `, ${never.length} never there`}`,
    ...tableOf(rows, endMs, paint),
    ...(more > 0 ? [`  … and ${more} more that ${more === 1 ? 'was' : 'were'} absent`] : []),
  ];
}

/** Rows of key, begin, end, length and words. */
function tableOf(rows: readonly string[][], endMs: number, paint: Paint): string[] {
  const width = seconds(endMs).length;
  const lengthWidth = rows.reduce((widest, [, , , lasted = '']) => Math.max(widest, lasted.length), 0);
  const cells = rows.map(([key = '', from = '', to = '', lasted = '', words = '']) => {
    const dash = from === '' ? ' ' : '–';
    return [`  ${cut(key, KEY_MAX)}`, `${from.padStart(width)} ${dash} ${to.padStart(width)}`, lasted.padStart(lengthWidth), words];
  });
  return columns(cells).map((line) => (line.includes('✗ ') ? paint('red', line) : line));
}

const KEY_MAX = 24;

function actionLines({ actions, endMs }: RunFacts): string[] {
  const width = Math.max(seconds(endMs).length, TIME_WIDTH);
  const lines = actions.slice(0, ACTIONS_MAX).map(({ timeMs, words, every }) => {
    const repeated = every === undefined ? '' : `, every ${length(every.intervalMs)} until ${seconds(every.untilMs)}`;
    return cut(`${seconds(timeMs).padStart(width)}  ${printable(words)}${repeated}`, WIDTH);
  });
  const more = actions.length - lines.length;
  return more === 0 ? lines : [...lines, `  … and ${counted(more, 'more action')}`];
}

function loadLines({ load, endMs }: RunFacts): string[] {
  const { requests, queries, messages, lost } = load;
  const sent = requests.reduce((sum, count) => sum + count.sent, 0);
  const kinds = requests.map((count) => `${count.sent.toLocaleString('en')} ${count.kind}${outcomes(count)}`);
  if (messages === 0) return [];
  return [
    `  ${counted(sent, 'request')}${rate(sent, endMs)}${kinds.length === 0 ? '' : `: ${kinds.join(', ')}`}`,
    `  ${counted(queries, 'query', 'queries')} to the database${rate(queries, endMs)}; ${counted(messages, 'message')}, ${lost.toLocaleString('en')} lost`,
  ];
}

function outcomes({ refused, failed }: RequestCount): string {
  const parts = [refused > 0 ? `${refused.toLocaleString('en')} refused` : '', failed > 0 ? `${failed.toLocaleString('en')} failed` : ''].filter(Boolean);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function rate(count: number, ms: number): string {
  return ms === 0 ? '' : `, ${Number(((count * 1000) / ms).toPrecision(3)).toLocaleString('en')} a second`;
}

const LONG_MS = 600_000;

/** A length of time; a long one in minutes or hours. */
function lengthText(ms: number): string {
  if (ms < LONG_MS) return seconds(ms);
  return ms < 7_200_000 ? `${(ms / 60_000).toFixed(1)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}
