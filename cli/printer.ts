// Prints what commands report, and ends them: the only place that writes to standard output and knows --json and --junit.

import type { Command } from 'commander';

import { printable, printableJson } from '../src/js/base/text.js';
import { type Failure, type Fields, reportedBy } from './command.js';
import { writeText } from './files.js';
import { junit } from './junit.js';
import { indented, type Line, plainText, type Report, type Reports, type Span, spansOf, type Tone } from './report.js';
import { complain, status } from './terminal.js';

/** The options of output, which mean the same for all commands that have them. */
interface Output {
  json?: true;
  junit?: string;
  quiet?: true;
}

/**
 * The action of a command: prints what `work` reports. An error about an argument names the option of `fields` that set it.
 */
export function reporting<A extends never[]>(work: (...args: A) => Reports, fields: Fields | ((...args: A) => Fields) = {}) {
  return async (...args: [...A, ...unknown[]]): Promise<void> => {
    const command = args.at(-1) as Command;
    const given = args as unknown as A;
    await reportedBy(command.name(), typeof fields === 'function' ? fields(...given) : fields, () => print(work(...given), command.opts<Output>()));
  };
}

async function print(reports: Reports, { json, junit: file, quiet }: Output): Promise<void> {
  const suites: string[] = [];
  let failure: Failure | undefined;
  for await (const report of partsOf(await reports)) {
    status.clear();
    complain(report.notes ?? []);
    process.stdout.write(json ? jsonLines(report) : textOf(report, quiet && 1));
    for (const { file: written, text } of report.files ?? []) writeText(written, text);
    if (file !== undefined && report.suite !== undefined) suites.push(report.suite());
    failure ??= report.failure;
  }
  status.clear();
  if (file !== undefined) writeText(file, junit(suites));
  if (failure !== undefined) throw failure;
}

const partsOf = (reports: Awaited<Reports>): AsyncIterable<Report> | Iterable<Report> => (Symbol.asyncIterator in reports || Symbol.iterator in reports ? reports : [reports]);

const jsonLines = ({ json = [] }: Report): string => json.map((value) => `${printableJson(value)}\n`).join('');

/** The first line of a report is its verdict. */
function textOf({ text, isScreen }: Report, lineCount?: number): string {
  const { stdout } = process;
  const paint = stdout.isTTY && stdout.hasColors() ? coloured : plain;
  const columns = stdout.columns ?? Infinity;
  const shown = text?.(columns).slice(0, lineCount).flatMap((line) => broken(line, columns)) ?? [];
  const lines = shown.map((line) => `${lineText(line, paint)}\n`);
  return `${isScreen && stdout.isTTY ? CLEAR_SCREEN : ''}${lines.join('')}`;
}

/** A line in lines that fit, broken at spaces: a terminal breaks words. A command with a long link stays whole, to be copied. */
function broken(line: Line, columns: number): Line[] {
  const text = plainText(line).trimEnd();
  const [indent = ''] = /^ */.exec(text) ?? [];
  const at = text.length > columns ? text.lastIndexOf(' ', columns) : -1;
  const [next = ''] = text.slice(at + 1).split(' ');
  if (at <= indent.length || next.length > columns) return [line];
  return [part(line, 0, at), ...broken(indented(indent, part(line, at + 1)), columns)];
}

function part(line: Line, from: number, to = Infinity): Span[] {
  let end = 0;
  return spansOf(line).map((span) => {
    const text = typeof span === 'string' ? span : span.text;
    const begin = end;
    end += text.length;
    const kept = text.slice(Math.max(from - begin, 0), Math.max(to - begin, 0));
    return typeof span === 'string' ? kept : { ...span, text: kept };
  });
}

/** All text for people passes here, wherever it is from. */
const lineText = (line: Line, paint: (span: Span) => string): string => spansOf(line).map(paint).join('');

const plain = (span: Span): string => printable(typeof span === 'string' ? span : span.text);
const coloured = (span: Span): string => (typeof span === 'string' ? plain(span) : `\u001b[${CODES[span.tone]}m${plain(span)}\u001b[0m`);

const CODES: Record<Tone, number> = { bold: 1, dim: 2, green: 32, red: 31, yellow: 33 };
const CLEAR_SCREEN = '\u001b[H\u001b[2J';
