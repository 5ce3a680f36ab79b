// Standard error: errors, hints and progress.

import { printable } from '../src/js/base/text.js';

/** Prints lines of an error or a hint. All text that errors quote reaches the terminal here. */
export function complain(lines: readonly string[]): void {
  if (lines.length === 0) return;
  status.clear();
  const shown = lines.map((line) => printable(oneLine(line)));
  process.stderr.write(`${shown.join('\n')}\n`);
}

/** A text of several lines as one line, with its indentation. */
function oneLine(text: string): string {
  const [first = '', ...others] = text.split(/[\r\n]+/);
  return [first, ...others.map((line) => line.trimStart())].map((line) => line.trimEnd()).join(' ').trimEnd();
}

/** A status line for long work; without a terminal, a new line every few seconds. */
class StatusLine {
  readonly #stream = process.stderr;
  #isShown = false;
  /** Short work prints nothing. */
  #saidMs: number | undefined;

  show(text: string): void {
    if (!this.#stream.isTTY) return this.#say(text);
    this.#stream.write(`${CLEAR_LINE}${printable(text).slice(0, this.#stream.columns - 1)}`);
    this.#isShown = true;
  }

  /** For a log. */
  #say(text: string): void {
    const nowMs = performance.now();
    this.#saidMs ??= nowMs;
    if (nowMs - this.#saidMs < SAID_EVERY_MS) return;
    this.#saidMs = nowMs;
    this.#stream.write(`${printable(text)}\n`);
  }

  /** For other output. */
  clear(): void {
    if (this.#isShown) this.#stream.write(CLEAR_LINE);
    this.#isShown = false;
    this.#saidMs = undefined;
  }
}

/** The status line of the command. Any other output clears it. */
export const status = new StatusLine();

const CLEAR_LINE = '\r\u001b[2K';
const SAID_EVERY_MS = 5000;
