// A diagnosis as text for a terminal: the summary, a timeline, and each finding with its cause and
// log lines.

import { madeBy } from '../base/checks.js';
import { checkedOptions, whole } from '../base/options.js';
import { columns, counted, cut, printable } from '../base/text.js';
import { span } from './findings/finding.js';
import { othersOf } from './groups.js';
import type { Bounds, Diagnosis, Finding, KeyTimeline, Lane, LanePart } from './model.js';
import { EXACT_MS } from './instant.js';
import { clockTime, type DiagnosisView, diagnosisView } from './view.js';

/** Options of {@link diagnosisText}. */
export interface ReportOptions {
  /** The most findings to print, each with those that are one with it; 5 by default. */
  findings?: number;
}

const OPTIONS = { findings: whole(0, Number.MAX_SAFE_INTEGER, 5) };
/** The characters of a timeline. */
const WIDTH = 64;
/** Of a finding whose cause is told before, the first line is enough. */
const LINES_MAX = 3;
/** More keys than that fill a screen. */
const KEYS_MAX = 3;
/** A longer name of a client is cut. */
const NAME_MAX = 30;
const TEXT_MAX = 160;

/** A diagnosis as text for people. It has no control characters, whatever the logs contain. */
export function diagnosisText(diagnosis: Diagnosis, options: ReportOptions = {}): string {
  const { findings } = checkedOptions(options, OPTIONS);
  return madeBy('diagnose()', 'diagnosis', diagnosis, (it) => textOf(it, findings));
}

function textOf(diagnosis: Diagnosis, most: number): string {
  const view = diagnosisView(diagnosis);
  const groups = diagnosis.groups.map((indexes) => indexes.map((index) => diagnosis.findings[index] as Finding));
  const causes = new Map<string, number>();
  const sections = [
    [diagnosis.summary],
    headOf(diagnosis),
    timelineOf(view),
    ...groups.slice(0, most).map((group, index) => findingLines(group, index + 1, causes)),
    groups.length > most ? [`${counted(groups.length - most, 'more finding')}; --all prints them.`] : [],
    diagnosis.findingCount > diagnosis.findings.length ? [`Of ${diagnosis.findingCount} findings, these are the ${diagnosis.findings.length} worst.`] : [],
    diagnosis.limits.map((limit) => `Note: ${limit}`),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map(printable).join('\n'))
    .join('\n\n')}\n`;
}

function headOf({ fromMs, toMs, sources, reference }: Diagnosis): string[] {
  if (toMs === 0) return [];
  const used = sources.reduce((sum, source) => sum + source.used, 0);
  const all = sources.reduce((sum, source) => sum + source.lines, 0);
  const isOneDay = clockTime(fromMs, true).slice(0, 10) === clockTime(toMs, true).slice(0, 10);
  return [`${clockTime(fromMs, true)} to ${clockTime(toMs, !isOneDay)}, ${used} of ${all} lines are about locks; times are of ${reference ?? 'no clock'}`];
}

// -- the timeline

function timelineOf(view: DiagnosisView): string[] {
  const { otherKeys, letters } = view;
  const keys = view.keys.slice(0, KEYS_MAX);
  if (keys.length === 0) return [];
  const others = otherKeys + view.keys.length - keys.length;
  const owners = [...letters].map(([owner, letter]) => `${letter} ${cut(owner, 40)}`);
  const legend = `capital: certain owner; small: possible owner; ·: no owner; !: two owners; -: no holder`;
  return [...keys.flatMap((timeline) => keyLines(timeline, view)), legend, ...(owners.length > 8 ? [] : owners), ...(others > 0 ? [`${counted(others, 'more key is', 'more keys are')} not drawn`] : [])];
}

function keyLines(timeline: KeyTimeline, view: DiagnosisView): string[] {
  const { key, kind, ttlMs, lanes } = timeline;
  const drawn = lanes.map((lane) => [lane.isInferred ? `${lane.name} (no log)` : lane.name, laneText(lane, view)] as const);
  const marks = markText(view.marks.filter(({ key: its }) => its === key), view);
  const rows = [...drawn, ...(marks.trim() === '' ? [] : [['', marks] as const])];
  const names = Math.max(...rows.map(([name]) => Math.min(name.length, NAME_MAX)));
  const [left, right] = [view.fromMs, view.toMs].map((ms) => clockTime(ms).slice(0, 8)) as [string, string];
  return [`${key} (${kind}${ttlMs === null ? '' : `, TTL ${ttlMs / 1000} s`})`, ...rows.map(([name, text]) => `  ${cut(name, NAME_MAX - 1).padEnd(names)}  ${text}`), `  ${''.padEnd(names)}  ${left}${right.padStart(WIDTH - left.length)}`];
}

function laneText({ parts }: Lane, view: DiagnosisView): string {
  const cells = Array.from({ length: WIDTH }, () => '·');
  for (const part of parts) drawPart(cells, part, view);
  return cells.join('');
}

/** Large letters where it certainly was so, small ones where it may have been. */
function drawPart(cells: string[], part: LanePart, view: DiagnosisView): void {
  const letter = view.letters.get(part.owner) ?? '?';
  const { cellMs, indexes } = cellsOf(Math.min(part.fromMs, part.from.earliestMs ?? part.fromMs), Math.max(part.toMs, part.to.latestMs ?? part.toMs), view);
  for (const index of indexes) {
    const atMs = view.fromMs + (index + 0.5) * cellMs;
    const isSure = atMs >= (part.from.latestMs ?? Infinity) - cellMs && atMs <= (part.to.earliestMs ?? -Infinity) + cellMs;
    if (cells[index] === '·' || isSure) cells[index] = isSure ? letter : letter.toLowerCase();
  }
}

/** The cells in which a time is, and how long each is. */
function cellsOf(fromMs: number, toMs: number, view: DiagnosisView): { cellMs: number; indexes: number[] } {
  const cellMs = (view.toMs - view.fromMs) / WIDTH;
  const first = Math.max(0, Math.floor((fromMs - view.fromMs) / cellMs));
  const last = Math.min(WIDTH - 1, Math.floor((toMs - view.fromMs) / cellMs));
  return { cellMs, indexes: Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index) };
}

function markText(findings: readonly Finding[], view: DiagnosisView): string {
  const cells = Array.from({ length: WIDTH }, () => ' ');
  for (const { kind, fromMs, toMs } of [...findings].reverse()) {
    for (const index of cellsOf(fromMs, toMs, view).indexes) cells[index] = kind === 'two-owners' ? '!' : '-';
  }
  return cells.join('').trimEnd();
}

// -- findings

/** A finding and those that are one with it. A cause that was told before is told by its number. */
function findingLines(group: readonly Finding[], number: number, causes: Map<string, number>): string[] {
  const first = group[0] as Finding;
  const { kind, severity, certainty, summary, lines } = first;
  const told = findingCause(first);
  const before = causes.get(told);
  if (before === undefined) causes.set(told, number);
  const others = othersOf(group);
  // The time before the message is said already, and the file says whose line it is.
  const quoted = lines.slice(0, before === undefined ? LINES_MAX : 1).map(({ file, line, atMs, text }) => [`     ${file}:${line}`, clockTime(atMs), cut(text.slice(Math.max(0, text.indexOf('"message"'))), TEXT_MAX)]);
  return [
    `${number}. ${kind} (${severity}, ${certainty}) ${findingTime(first)}`,
    `   ${summary}`,
    ...(others === '' ? [] : [`   ${others}`]),
    ...(told === '' ? [] : [`   ${before === undefined ? told : `${CAUSES[first.causeCertainty ?? 'certain']}: that of ${before}.`}`]),
    ...columns(quoted, TEXT_MAX + 1),
  ];
}

/** The cause of a finding and how sure it is, such as `Likely cause: …`; empty if the summary says it. */
export function findingCause({ summary, cause, causeCertainty }: Finding): string {
  return summary.includes(cause) ? '' : `${CAUSES[causeCertainty ?? 'certain']}: ${cause}`;
}

const CAUSES = { certain: 'Cause', likely: 'Likely cause', possible: 'Possible cause' };

/** When a finding was, by time of day, with the bounds of a moment where they are wide: `02:57:29.503 (−2.55 s +8.17 s)`. */
export function findingTime(finding: Finding): string {
  const { fromMs, toMs, from, to, isOpen } = finding;
  const begin = `${clockTime(fromMs)}${errorOf(fromMs, from)}`;
  if (toMs === fromMs && !isOpen) return begin;
  const end = isOpen ? 'the end of the logs' : `${clockTime(toMs)}${errorOf(toMs, to)}`;
  return `${begin} to ${end}${isOpen ? '' : `, ${span(toMs - fromMs)}`}`;
}

function errorOf(ms: number, { earliestMs, latestMs }: Bounds): string {
  const before = earliestMs === null ? Infinity : ms - earliestMs;
  const after = latestMs === null ? Infinity : latestMs - ms;
  if (Math.max(before, after) < EXACT_MS) return '';
  const error = (of: number) => (of === Infinity ? 'unknown' : span(Math.max(0, of)));
  return ` (−${error(before)} +${error(after)})`;
}
