// Values of JSON that are written over several lines, as jq and most exports write them. This file knows nothing of what they say.

/** A text, and the number of the line with which it begins. */
export interface NumberedText {
  text: string;
  number: number;
}

/** A longer value is no line of a log. */
const LENGTH_MAX = 65_536;

/** Joins the lines of each value. */
export class Values {
  #open: NumberedText | undefined;
  #depth = 0;

  /** A line that stands alone, or the value that ends with it; `undefined` if a value goes on, and for what only separates values. */
  take(line: string, number: number): NumberedText | undefined {
    const text = line.trim();
    // The next line of a log ends a value that was cut.
    if (this.#open !== undefined && (text.startsWith('{"') || this.#open.text.length > LENGTH_MAX)) this.#open = undefined;
    if (this.#open === undefined) {
      if (text.length < 3 && SEPARATORS.has(text)) return undefined;
      if (text !== '{' && text !== '[{') return { text: line, number };
      this.#open = { text: '', number };
      this.#depth = 0;
    }
    const value = this.#open;
    value.text += text;
    // A text need not be closed: looking for its end from each quote would take the square of the line.
    const bare = text.replace(/"(?:[^"\\]|\\.)*"?/g, '');
    this.#depth += bare.split('{').length - bare.split('}').length;
    if (this.#depth > 0) return undefined;
    this.#open = undefined;
    return value;
  }
}

const SEPARATORS = new Set(['[', ']', '],']);
