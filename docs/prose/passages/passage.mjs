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
/** Covers what is not read at all. */
export const asBlank = (text) => text.replace(/[^\n]/g, ' ');

/** Code between backticks, addresses, links of doc comments and command lines. */
export function coverCode(text) {
  return text
    .replace(/(`+)[^`]+\1/g, asWord)
    .replace(/\bhttps?:\/\/\S+/g, asWord)
    .replace(/\{@link [^}]+\}/g, asWord)
    .replace(/\]\([^)\s]*\)/g, asBlank)
    .replace(/^[ \t]*(\$|npx|locket-wasm) .*/gm, asBlank);
}

/** The paragraphs and list items of a text, each with the offset of its begin. */
export function* paragraphs(text) {
  const start = /(?:^|\n)(?=[ \t]*(?:[*+-] |\d+\. |@\w+|#+ |\|)|[ \t]*\n)/;
  let offset = 0;
  for (const part of text.split(new RegExp(start, 'g'))) {
    const begin = text.indexOf(part, offset);
    offset = begin + part.length;
    if (/\w/.test(part)) yield [begin, part];
  }
}
