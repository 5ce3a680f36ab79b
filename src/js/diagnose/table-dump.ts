// Dumps of the `locks` table: CSV, and what psql and mysql print. Values are foreign text; nothing of them is interpreted.

import type { DumpedRow } from './model.js';

/** How a dump separates its columns. */
type Form = 'boxed' | 'csv' | 'piped' | 'tabbed';

/** More rows than a deployment has. */
const ROWS_MAX = 100_000;
const VALUE_MAX = 300;

/** The form of a dump that has this line as its head; `undefined` if it is none. */
export function dumpFormOf(head: string): Form | undefined {
  const words = head.toLowerCase().split(/[^a-z_]/).filter(Boolean);
  if (!words.includes('path') || !words.includes('owner') || head.includes('{')) return undefined;
  if (head.trimStart().startsWith('|')) return 'boxed';
  if (head.includes('|')) return 'piped';
  return head.includes('\t') ? 'tabbed' : head.includes(',') ? 'csv' : undefined;
}

/** Reads a dump, a line at a time. */
export class TableDump {
  readonly rows: DumpedRow[] = [];
  #columns: string[] | undefined;

  constructor(
    readonly source: string,
    readonly form: Form,
  ) {}

  take(line: string): void {
    const text = line.replace(/\r$/, '');
    // Rules, row counts and empty lines.
    if (text.trim() === '' || /^[-+ ]+$/.test(text) || /^\(\d+ rows?\)$/.test(text.trim())) return;
    const cells = cellsOf(text, this.form);
    if (this.#columns === undefined) {
      this.#columns = cells.map((cell) => cell.toLowerCase());
      return;
    }
    if (cells.length !== this.#columns.length || this.rows.length >= ROWS_MAX) return;
    const cell = (name: string) => (cells[(this.#columns as string[]).indexOf(name)] ?? '').slice(0, VALUE_MAX);
    this.rows.push({
      source: this.source,
      key: cell('path'),
      owner: cell('owner'),
      type: cell('type'),
      ttlMs: secondsOf(cell('ttl')),
      modifiedIndex: wholeOf(cell('modified_index')),
      modifiedId: cell('modified_id'),
    });
  }
}

function cellsOf(text: string, form: Form): string[] {
  if (form === 'csv') return csvCells(text);
  if (form === 'tabbed') return text.split('\t');
  const cells = text.split('|').map((cell) => cell.trim());
  return form === 'boxed' ? cells.slice(1, -1) : cells;
}

/** Cells in quotes may have commas, and quotes twice. */
function csvCells(text: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === '"' && isQuoted && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (character === ',' && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  return [...cells, cell];
}

/** A column of seconds, in milliseconds. */
function secondsOf(text: string): number | null {
  const seconds = wholeOf(text);
  return seconds === null ? null : seconds * 1000;
}

function wholeOf(text: string): number | null {
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : null;
}
