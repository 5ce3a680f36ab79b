// A run as text: one line for each event, and the table when it changes.

import type { ScenarioEvent, ScenarioRun } from 'locket-wasm';
import type { Row } from 'locket-wasm/types';

import { columns, cut, seconds } from '../src/js/base/text.js';
import { type Line, plainText, toned } from './report.js';

/** A run, or a part of one. */
export type PrintedRun = Pick<ScenarioRun, 'description' | 'digest' | 'events' | 'failures' | 'name'>;

/** The timeline of a run. */
export function timeline(run: PrintedRun): Line[] {
  return [...titleLines(run), '', ...allEventLines(run.events), '', ...failureLines(run), digestLine(run)];
}

/** The name and the description of a run. */
export function titleLines({ name, description }: Pick<PrintedRun, 'description' | 'name'>): Line[] {
  const title = toned('bold', name);
  return description === '' ? [title] : [title, ...wrapped(description, TEXT_WIDTH)];
}

/** The last line of a run. */
export function digestLine({ digest }: Pick<PrintedRun, 'digest'>): Line {
  return ['digest ', toned('bold', digest)];
}

/** All events, and the table when it changes. */
export function allEventLines(all: readonly ScenarioEvent[]): Line[] {
  const events = readable(all);
  const layout = layoutOf(events);
  const margin = `${' '.repeat(TIME_WIDTH + 2 + layout.nameWidth + 2)}│ `;
  const table = new Map<string, Row>();
  return events.flatMap((event) => (isRowEvent(event) ? rowLines(event, table).map((line) => toned('dim', margin + line)) : eventLines(event, layout)));
}

/** Some events, each in a line of at most `width` characters. */
export function someEventLines(events: readonly ScenarioEvent[], width: number): string[] {
  const layout = layoutOf(events);
  return events.map((event) => cut(plainText(eventLines(event, layout).at(-1) ?? ''), width - 1));
}

function layoutOf(events: readonly ScenarioEvent[]): Layout {
  return {
    nameWidth: events.reduce((width, { who }) => Math.max(width, who.length), 6),
    askWidth: events.reduce((width, { kind, asks }) => (kind === 'answered' ? Math.max(width, (asks ?? '').length) : width), 0),
  };
}

/** The expectations that failed. */
export function failureLines({ failures }: { failures: readonly string[] }): Line[] {
  return failures.map((failure) => toned('red', `✗ ${failure}`));
}

interface Layout {
  nameWidth: number;
  askWidth: number;
}

/**
 * The relevant events in reading order: an immediate answer stands beside its call, before the
 * changes of the call. Routine events are left out.
 */
export function readable(events: readonly ScenarioEvent[]): ScenarioEvent[] {
  const answersByCall = new Map<string, ScenarioEvent[]>();
  const callKey = (event: ScenarioEvent): string => `${event.timeMs} ${event.who} ${event.asks}`;
  for (const event of events) {
    if (event.kind !== 'answered') continue;
    const key = callKey(event);
    answersByCall.set(key, [...(answersByCall.get(key) ?? []), event]);
  }
  const shown = new Set<ScenarioEvent>();
  const ordered: ScenarioEvent[] = [];
  for (const event of events) {
    const atOnce = event.kind === 'called' ? answersByCall.get(callKey(event))?.shift() : undefined;
    const next = atOnce ?? event;
    if (shown.has(next) || next.kind === 'handled' || USUAL.has(next.runner)) continue;
    shown.add(next);
    // The expiry is the cause of the deletion, so it comes first.
    const last = ordered.at(-1);
    const isReason = next.kind === 'expired' && last?.kind === 'row-deleted' && last.path === next.path;
    ordered.splice(isReason ? -1 : ordered.length, 0, next);
  }
  return ordered;
}

const USUAL = new Set<ScenarioEvent['runner']>(['ready', 'renewed', 'retrying']);

function eventLines(event: ScenarioEvent, { nameWidth, askWidth }: Layout): Line[] {
  const time = seconds(event.timeMs).padStart(TIME_WIDTH);
  const start = `${time}  ${event.who.padEnd(nameWidth)}  `;
  if (event.kind === 'noted') return ['', [`${time}  `, toned('yellow', `# ${event.words}`)]];
  if (event.kind === 'answered') {
    const asks = (event.asks ?? '').padEnd(askWidth);
    const answer = event.answer ?? '';
    return [[`${start}${asks}  `, event.ok === true ? toned('green', `✓ ${answer}`) : toned('red', `✗ ${answer}`)]];
  }
  return [[start, toned(event.kind === 'called' ? 'dim' : 'bold', wordsOf(event))]];
}

/** An event's words; the name of its node already stands before them. */
function wordsOf({ who, words }: ScenarioEvent): string {
  return words.startsWith(`${who} `) ? words.slice(who.length + 1) : words;
}

/** The width of a moment. */
export const TIME_WIDTH = 10;

/** The width of running text. */
export const TEXT_WIDTH = 78;

function isRowEvent(event: ScenarioEvent): boolean {
  return event.kind === 'row-written' || event.kind === 'row-deleted';
}

/** Updates the table and shows it; a renewal is one line, since most changes are renewals. */
function rowLines(event: ScenarioEvent, table: Map<string, Row>): string[] {
  const path = event.path as string;
  const { row } = event;
  const before = table.get(path);
  if (row === null) table.delete(path);
  else table.set(path, row);
  const isRenewal =
    row !== null &&
    before !== undefined &&
    COLUMNS.every((column) => column === 'modified_index' || before[column] === row[column]);
  if (isRenewal) return [`${path} renewed, modified_index ${row.modified_index}`];
  return tableLines([...table.values()].sort((a, b) => (a.path < b.path ? -1 : 1)));
}

/** The table in columns, or a note that it is empty. */
function tableLines(rows: Row[]): string[] {
  if (rows.length === 0) return ['locks: no rows'];
  return columns([COLUMNS, ...rows.map((row) => COLUMNS.map((column) => cell(row, column)))]);
}

const COLUMNS = ['path', 'owner', 'value', 'type', 'ttl', 'modified_id', 'modified_index'] as const;

/** Long texts are cut; the first digits of an id are enough. */
function cell(row: Row, column: (typeof COLUMNS)[number]): string {
  const value = row[column];
  if (value === null) return 'NULL';
  return cut(String(value), column === 'modified_id' ? 8 : 24);
}

/** A text in lines. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines[lines.length - 1] as string;
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
