// Colours and progress, which depend on the terminal.

import { printable } from '../base/text.js';

/** How to emphasise a piece of text. */
export type Paint = (style: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string) => string;

/** Colours on a terminal that has them, unless NO_COLOR is set. */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  return stream.isTTY && stream.hasColors() ? coloured : (_, text) => text;
}

const coloured: Paint = (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`;
const CODES = { bold: 1, dim: 2, green: 32, red: 31, yellow: 33 };

/** Prints the lines of an error. All text that errors quote reaches the terminal here. */
export function complain(lines: readonly string[]): void {
  const shown = lines.map((line) => printable(oneLine(line)));
  process.stderr.write(`${shown.join('\n')}\n`);
}

/** A text of several lines as one line, with its indentation. */
function oneLine(text: string): string {
  const [first = '', ...others] = text.split(/[\r\n]+/);
  return [first, ...others.map((line) => line.trimStart())].map((line) => line.trimEnd()).join(' ').trimEnd();
}

/** The progress of several pieces of work. */
export class Progress {
  readonly #line = new StatusLine();
  #done = 0;

  constructor(readonly total: number) {}

  /** Starts the next piece of work. */
  next(what: string): void {
    this.#done += 1;
    if (this.total > 1) this.#line.show(`${this.#done}/${this.total} ${what}`);
  }

  /** Clears the line for other output. */
  clear(): void {
    this.#line.clear();
  }
}

/** A status line for long work; without a terminal, a new line every few seconds. */
export class StatusLine {
  readonly #stream = process.stderr;
  #isShown = false;
  #saidMs = performance.now();

  show(text: string): void {
    if (!this.#stream.isTTY) return this.#say(text);
    this.#stream.write(`${CLEAR_LINE}${printable(text).slice(0, this.#stream.columns - 1)}`);
    this.#isShown = true;
  }

  /** For a log: short work prints nothing. */
  #say(text: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#saidMs < SAID_EVERY_MS) return;
    this.#saidMs = nowMs;
    this.#stream.write(`${printable(text)}\n`);
  }

  /** Clears the line for other output. */
  clear(): void {
    if (this.#isShown) this.#stream.write(CLEAR_LINE);
    this.#isShown = false;
  }
}

const CLEAR_LINE = '\r\u001b[2K';
const SAID_EVERY_MS = 5000;
