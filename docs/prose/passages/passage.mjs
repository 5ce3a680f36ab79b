// A passage: a paragraph, comment or sentence as its file has it, with a place for each character.

/**
 * `{ file, line, text, kind }`, where `kind` is `page`, `comment` or `string`. In its text, what is no prose (code, addresses, marks
 * of the language around it) has been covered, character for character, so that offsets still lead to lines.
 */
export function passage(file, line, text, kind) {
  return { file, line, text, kind };
}

export const lineAt = (source, offset) => source.slice(0, offset).split('\n').length;

/** Covers a piece of code, which counts as one word. */
export const asWord = (code) => code.replace(/[^\n]/g, 'x');
/** Covers text that is not read at all. */
export const asBlank = (text) => text.replace(/[^\n]/g, ' ');
/** Covers text that is not read, and ends a word. Unlike blanks it makes no column. */
const asMark = (text) => text.replace(/[^\n]/g, '-');

/** Code between backticks, addresses, links of doc comments and command lines. */
export function coverCode(text) {
  return text
    .replace(/(`+)[^`]+\1/g, asWord)
    .replace(/\bhttps?:\/\/\S+/g, asWord)
    .replace(/\{@link [^}]+\}/g, asWord)
    .replace(/\]\([^)\s]*\)/g, asMark)
    .replace(/^[ \t]*(\$|npx|locket-wasm) .*/gm, asBlank);
}

/** The paragraphs, list items and rows of columns of a text, each with the offset of its begin. */
export function* paragraphs(text) {
  const start = /(?:^|\n)(?=[ \t]*(?:[*+-] |\d+\. |@\w+|#+ |\||\S+(?: \S+)* {3,}\S)|[ \t]*\n)/;
  let offset = 0;
  for (const part of text.split(new RegExp(start, 'g'))) {
    const begin = text.indexOf(part, offset);
    offset = begin + part.length;
    if (/\w/.test(part)) yield [begin, part];
  }
}
