// The report of a command, as a value: the command makes it, the printer prints it. It knows no terminal, and not which
// form of output is asked for.

import type { Failure } from './command.js';

/** The output and the end of a command, whole or one part after another. Functions are called before the next part is asked for. */
export interface Report {
  /** The lines for people, for a screen with this many columns. */
  text?: (columns: number) => readonly Line[];
  /** With --json: a line for each of these values instead of the text. */
  json?: readonly unknown[];
  /** With --junit: a suite of the report. */
  suite?: () => string;
  /** Files that options ask for; `-` is standard output. */
  files?: readonly OutputFile[];
  /** Hints and warnings, which are no part of the output. */
  notes?: readonly string[];
  /** On a terminal, the text takes the place of all before. */
  isScreen?: true;
  /** Why the command ends with another exit code than 0. */
  failure?: Failure | undefined;
}

/** A report, or its parts as they come. */
export type Reports = AsyncIterable<Report> | Iterable<Report> | Promise<Report> | Report;

export interface OutputFile {
  file: string;
  text: string;
}

/** How a piece of text is emphasised. */
export type Tone = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

/** A piece of a line. */
export type Span = string | { tone: Tone; text: string };

/** A line of text. */
export type Line = Span | readonly Span[];

/** An emphasised piece of text. */
export const toned = (tone: Tone, text: string): Span => ({ tone, text });

/** The pieces of a line. */
export const spansOf = (line: Line): readonly Span[] => (Array.isArray(line) ? (line as readonly Span[]) : [line as Span]);

/** The text of a line alone. */
export const plainText = (line: Line): string => spansOf(line).map((span) => (typeof span === 'string' ? span : span.text)).join('');

/** A line with a text before it. */
export const indented = (by: string, line: Line): Line => [by, ...spansOf(line)];
