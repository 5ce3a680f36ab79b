// One source as it is read: its lines become events.

import { beginning } from './beginning.js';
import { type Reading, readingsOf } from './lager.js';
import { type LineBatch, lineBatches } from './lines.js';
import type { Machines, Process } from './machines.js';
import { isOfRecord } from './messages.js';
import type { SourceSummary } from './model.js';
import { type NumberedText, Values } from './pretty.js';
import { looksOf } from './record.js';
import { bytesOf, type LogSource } from './source.js';

/** Reads a source, some lines at a time. */
export class SourceReader {
  readonly summary: SourceSummary;
  /** The latest time of a line so far. */
  frontierMs = -Infinity;
  isDone = false;
  readonly #values = new Values();
  #process: Process | undefined;
  readonly #batches: AsyncGenerator<LineBatch>;

  constructor(
    readonly source: LogSource,
    readonly machineName: string,
    readonly machines: Machines,
    onBytes: (count: number) => void,
  ) {
    this.summary = { name: source.name, lines: 0, used: 0, broken: 0, unread: 0, rows: 0, late: 0, firsts: {}, problem: null };
    this.#batches = lineBatches(bytesOf(source, onBytes));
  }

  /** Reads on; how many events there were. `sinceMs` is the time before which all is judged. */
  async next(sinceMs: number): Promise<number> {
    try {
      const { done, value } = await this.#batches.next();
      this.isDone = done === true;
      return done ? 0 : this.#take(value, sinceMs);
    } catch (error) {
      // A file that ends early, or whose rest cannot be unpacked, has said what it has said.
      if (!(error instanceof Error) || error.name === 'LocketArgumentError') throw error;
      this.isDone = true;
      this.summary.problem = error.message;
      return 0;
    }
  }

  /** Reads no more of it. */
  async close(): Promise<void> {
    await this.#batches.return(undefined);
  }

  #take({ lines, firstNumber }: LineBatch, sinceMs: number): number {
    let count = 0;
    lines.forEach((raw, index) => {
      if (raw === '') return;
      this.summary.lines += 1;
      const value = this.#values.take(raw.endsWith('\r') ? raw.slice(0, -1) : raw, firstNumber + index);
      if (value === undefined) return;
      for (const reading of readingsOf(value.text)) count += this.#takeReading(reading, value, sinceMs);
    });
    return count;
  }

  /** How many events it has. */
  #takeReading(reading: Reading, { text: whole, number }: NumberedText, sinceMs: number): number {
    if (typeof reading === 'string') return this.#skip(reading, whole, number);
    const { atMs, source } = ('line' in reading ? reading.line : reading.sign) ?? {};
    if (atMs === undefined || source === undefined) return 0;
    // Nearly always it is that of the line before.
    if (this.#process?.source !== source) this.#process = this.machines.process(this.machineName, source);
    const process = this.#process;
    process.life.note(atMs);
    if (!('line' in reading)) return 0;
    this.frontierMs = Math.max(this.frontierMs, atMs);
    if (atMs < sinceMs) return this.#skip('late', whole, number);
    this.summary.used += 1;
    const { line, text } = reading;
    const parts = isOfRecord(line) ? looksOf(line) : [line];
    for (const part of parts) this.machines.add(process, part, { file: this.source.name, line: number, text });
    return parts.length;
  }

  #skip(reason: keyof SourceSummary['firsts'], text: string, line: number): number {
    this.summary[reason] += 1;
    this.summary.firsts[reason] ??= { line, text: beginning(text, SHOWN_MAX) };
    return 0;
  }
}

/** So much of a line is shown. */
const SHOWN_MAX = 120;
