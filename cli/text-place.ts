// A place in a text that the user wrote, and the error that shows it.

import { EXIT_USAGE, Failure } from './command.js';

/** Lines and columns count from 1, columns in characters, as editors do. */
export interface Place {
  line: number;
  column: number;
}

/** Wrong usage, at a place of a file: the usual form of it, which terminals and editors open. */
export function failureAt(file: string, text: string, place: Place, message: string, cause?: unknown): Failure {
  return new Failure(EXIT_USAGE, `${file}:${place.line}:${place.column}: ${message}`, cause, excerpt(text, place));
}

/** The most characters of a line to show. */
const WIDTH = 120;

/** The line, and a mark under the place. Of a long line it shows the part around the place. */
function excerpt(text: string, { line, column }: Place): [line: string, mark: string] {
  const whole = (text.split('\n')[line - 1] ?? '').replaceAll('\t', ' ').trimEnd();
  const start = whole.length > WIDTH ? Math.max(0, column - 1 - WIDTH / 2) : 0;
  return [`  ${whole.slice(start, start + WIDTH)}`, `  ${' '.repeat(column - 1 - start)}^`];
}
