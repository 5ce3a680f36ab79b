// A run as text: one line for each event, and the table when it changes.

import { columns, cut, printable } from '../base/text.js';
import type { ScenarioEvent, ScenarioRun } from '../node.js';
import type { Row } from '../types.js';
import type { Paint } from './terminal.js';

/** A run, or a part of one. */
export type PrintedRun = Pick<ScenarioRun, 'description' | 'digest' | 'events' | 'failures' | 'name'>;

/** The timeline of a run. */
export function timeline(run: PrintedRun, paint: Paint): string {
  const events = readable(run.events);
  const layout: Layout = {
    nameWidth: Math.max(6, ...events.map(({ who }) => who.length)),
    askWidth: Math.max(0, ...events.map(({ kind, asks }) => (kind === 'answered' ? (asks ?? '').length : 0))),
    paint,
  };
  const lines = [paint('bold', printable(run.name))];
  if (run.description !== '') lines.push(...wrapped(printable(run.description), 78));
  lines.push('');
  const margin = `${' '.repeat(TIME_WIDTH + 2 + layout.nameWidth + 2)}│ `;
  const table = new Map<string, Row>();
  for (const event of events) {
    const shown = isRowEvent(event) ? rowLines(event, table).map((line) => paint('dim', margin + line)) : undefined;
    lines.push(...(shown ?? eventLines(event, layout)));
  }
  lines.push('', ...failureLines(run, paint));
  lines.push(`digest ${paint('bold', run.digest)}`);
  return `${lines.join('\n')}\n`;
}

/** The expectations that failed. */
export function failureLines({ failures }: PrintedRun, paint: Paint): string[] {
  return failures.map((failure) => paint('red', `✗ ${printable(failure)}`));
}

interface Layout {
  nameWidth: number;
  askWidth: number;
  paint: Paint;
}

/**
 * The relevant events in reading order: an immediate answer stands beside its call, before the
 * changes of the call. Routine events are left out.
 */
function readable(events: ScenarioEvent[]): ScenarioEvent[] {
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

function eventLines(event: ScenarioEvent, { nameWidth, askWidth, paint }: Layout): string[] {
  const time = `${(event.timeMs / 1000).toFixed(3)} s`.padStart(TIME_WIDTH);
  const start = `${time}  ${printable(event.who).padEnd(nameWidth)}  `;
  if (event.kind === 'noted') return ['', `${time}  ${paint('yellow', `# ${printable(event.words)}`)}`];
  if (event.kind === 'answered') {
    const asks = printable(event.asks ?? '').padEnd(askWidth);
    const answer = printable(event.answer ?? '');
    return [`${start}${asks}  ${event.ok === true ? paint('green', `✓ ${answer}`) : paint('red', `✗ ${answer}`)}`];
  }
  // The line already begins with the name.
  const words = event.words.startsWith(`${event.who} `) ? event.words.slice(event.who.length + 1) : event.words;
  return [start + paint(event.kind === 'called' ? 'dim' : 'bold', printable(words))];
}

const TIME_WIDTH = 10;

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
  if (isRenewal) return [`${printable(path)} renewed, modified_index ${row.modified_index}`];
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

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines[lines.length - 1] as string;
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
