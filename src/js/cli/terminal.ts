// What depends on whether somebody looks: colours and progress.

import { printable } from '../text.js';

/** How to emphasise a piece of text. */
export type Paint = (style: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string) => string;

/** Colours on a terminal that has them, unless NO_COLOR is set. */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  return stream.isTTY && stream.hasColors() ? coloured : (_, text) => text;
}

const coloured: Paint = (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`;
const CODES = { bold: 1, dim: 2, green: 32, red: 31, yellow: 33 };

/** A line on the terminal that says how far long work is; nothing where nobody looks. */
export class Progress {
  readonly #stream = process.stderr;
  #done = 0;
  #isShown = false;

  constructor(readonly total: number) {}

  /** The next piece of work begins. */
  next(what: string): void {
    this.#done += 1;
    if (!this.#stream.isTTY || this.total < 2) return;
    const line = `${this.#done}/${this.total} ${printable(what)}`;
    this.#stream.write(`${CLEAR_LINE}${line.slice(0, this.#stream.columns - 1)}`);
    this.#isShown = true;
  }

  /** Makes room for other output. */
  clear(): void {
    if (this.#isShown) this.#stream.write(CLEAR_LINE);
    this.#isShown = false;
  }
}

const CLEAR_LINE = '\r\u001b[2K';
