// Texts for people: in columns, and without characters that would garble a terminal.

/** Lines of cells, each column as wide as its longest cell; cells longer than `max` are cut. */
export function columns(cells: readonly (readonly string[])[], max = CELL_MAX): string[] {
  const shown = cells.map((line) => line.map((text) => cut(printable(text), max)));
  const widths = (shown[0] ?? []).map((_, index) => shown.reduce((widest, line) => Math.max(widest, line[index]?.length ?? 0), 0));
  return shown.map((line) => line.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  ').trimEnd());
}

const CELL_MAX = 60;

/** A moment or a duration, to the millisecond. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`;
}

/** A long time in minutes or hours: `12.5 min`, `3.0 h`. */
export function longTime(ms: number): string {
  return ms < 7_200_000 ? `${(ms / 60_000).toFixed(1)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

/** A number with at most two digits after the point, and commas between thousands. */
export function number(value: number): string {
  return numberTo(2, value);
}

/**
 * The same with at most this many digits. The first call of `toLocaleString` would load the data of
 * languages, which takes longer than all the rest of a report.
 */
export function numberTo(digits: number, value: number): string {
  const [whole = '', ...fraction] = String(Number(value.toFixed(digits))).split('.');
  return [grouped(whole), ...fraction].join('.');
}

/** With a comma before each three digits. One expression for it would read the rest of the number at each digit. */
function grouped(whole: string): string {
  return /^-?\d{4,}$/.test(whole) ? `${grouped(whole.slice(0, -3))},${whole.slice(-3)}` : whole;
}

/** A number with its noun: `1 fault`, `2 faults`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : several}`;
}

/** A text, cut if it is longer than `max`. */
export function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

/**
 * Characters that a terminal interprets instead of showing: control characters, and those that
 * change the direction of text.
 */
const SPOILING = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/gu;

/** A text in one line, without characters that a terminal would interpret. */
export function printable(text: string): string {
  return text.replace(SPOILING, '\ufffd');
}

/**
 * A value as JSON in one line: complete, and without characters that a terminal would interpret.
 */
export function printableJson(value: unknown): string {
  return withoutSpoiling(JSON.stringify(value));
}

/** The same on several lines, for people. */
export function printableJsonLines(value: unknown): string {
  return JSON.stringify(value, undefined, 2).split('\n').map(withoutSpoiling).join('\n');
}

function withoutSpoiling(json: string): string {
  return json.replace(SPOILING, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text for XML and HTML, without the characters that XML cannot hold. */
export function escaped(text: string): string {
  const possible = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
  return possible.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/**
 * The text without slashes at its end. A regular expression takes quadratic time for many slashes
 * in the middle.
 */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
