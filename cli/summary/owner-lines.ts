// The owners of each key as lines: the periods of locks, and the absences of presences.

import { columns, counted, cut, longTime, seconds } from '../../src/js/base/text.js';
import { type Line, toned } from '../report.js';
import { type KeyHistory, type KeyPeriod, lengthOf } from './ownership.js';
import type { RunFacts } from './run-facts.js';

/** The most lines for locks, and the fewest periods of one of many. */
const LOCK_LINES_MAX = 10;
const PERIODS_MIN = 2;
/** So many presences are shown as locks are; of more, only absent ones are named. */
const FEW_PRESENCES = 2;
const PRESENCES_MAX = 4;
const WORDS_MAX = 100;

/** The periods of locks and presences, in columns. */
export function ownerLines({ keys, endMs }: RunFacts): Line[] {
  const presences = keys.filter(({ isPresence }) => isPresence);
  const many = presences.length > FEW_PRESENCES ? presences : [];
  const single = keys.filter((key) => !many.includes(key));
  const worst = [...single].sort((a, b) => b.twoOwnersMs - a.twoOwnersMs || b.freeMs - a.freeMs);
  const periodsMax = Math.max(PERIODS_MIN, Math.floor(LOCK_LINES_MAX / Math.max(single.length, 1)) - 1);
  const rowsOf = new Map<KeyHistory, string[][]>();
  let lines = 0;
  for (const key of worst) {
    const rows = periodRows(key, periodsMax);
    lines += rows.length;
    if (rowsOf.size > 0 && lines > LOCK_LINES_MAX) break;
    rowsOf.set(key, rows);
  }
  const shown = single.flatMap((key) => rowsOf.get(key) ?? []);
  const left = single.filter((key) => !rowsOf.has(key));
  const troubled = left.filter(isTroubled).length;
  const more = left.length === 0 ? [] : [`  … and ${counted(left.length, 'more key')}, ${troubled === 0 ? 'none' : troubled} with a gap or two owners`];
  return [...tableOf(shown, endMs), ...more, ...presenceLines(many, endMs)];
}

const isTroubled = ({ freeMs, twoOwnersMs }: KeyHistory): boolean => freeMs > 0 || twoOwnersMs > 0;

/** The periods of a key; of more than `max` the important ones, and a line for the others. */
function periodRows({ key, isPresence, periods }: KeyHistory, max: number): string[][] {
  const ranks: KeyPeriod['kind'][] = ['two-owners', 'no-client-acts', 'free', 'owned', 'start'];
  const important = [...periods].sort((a, b) => ranks.indexOf(a.kind) - ranks.indexOf(b.kind) || lengthOf([b]) - lengthOf([a]));
  const kept = new Set(important.slice(0, periods.length <= max + 1 ? periods.length : max));
  const rows = periods.filter((period) => kept.has(period)).map((period, index) => periodRow(index === 0 ? key : '', period, isPresence));
  const others = periods.filter((period) => !kept.has(period));
  if (others.length === 0) return rows;
  const count = (kind: KeyPeriod['kind']): number => others.filter((period) => period.kind === kind).length;
  return [...rows, ['', '', '', '', `… and ${others.length} more: ${count('two-owners')} with two owners, ${count('free')} without a row, ${count('no-client-acts')} idle`]];
}

function periodRow(key: string, { kind, names, fromMs, toMs }: KeyPeriod, isPresence: boolean): string[] {
  const free = isPresence ? 'absent' : 'no row';
  const words = kind === 'no-client-acts' ? 'no client acts' : kind === 'two-owners' ? `✗ ${names.length === 2 ? 'two' : names.length} owners: ${names.join(', ')}` : names[0] === undefined ? free : names[0] || "'' (an empty owner)";
  return [key, seconds(fromMs), seconds(toMs), lengthText(toMs - fromMs), words];
}

/** Many presences: those that were absent, the worst first. */
function presenceLines(presences: readonly KeyHistory[], endMs: number): Line[] {
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
    `  ${counted(presences.length, 'presence')}: ${kept} kept from the first row to the end, ${absent.length} absent for a time${never.length === 0 ? '' : `, ${never.length} never there`}`,
    ...tableOf(rows, endMs),
    ...(more > 0 ? [`  … and ${more} more that ${more === 1 ? 'was' : 'were'} absent`] : []),
  ];
}

/** Rows of key, begin, end, length and words. */
function tableOf(rows: readonly string[][], endMs: number): Line[] {
  const width = seconds(endMs).length;
  const lengthWidth = rows.reduce((widest, [, , , lasted = '']) => Math.max(widest, lasted.length), 0);
  const cells = rows.map(([key = '', from = '', to = '', lasted = '', words = '']) => {
    const dash = from === '' ? ' ' : '–';
    return [`  ${cut(key, KEY_MAX)}`, `${from.padStart(width)} ${dash} ${to.padStart(width)}`, lasted.padStart(lengthWidth), words];
  });
  return columns(cells, WORDS_MAX).map((line) => (line.includes('✗ ') ? toned('red', line) : line));
}

const KEY_MAX = 24;

/** From here on a length of time is easier to read in minutes. */
export const LONG_MS = 600_000;

/** A length of time; a long one in minutes or hours. */
export function lengthText(ms: number): string {
  return ms < LONG_MS ? seconds(ms) : longTime(ms);
}
