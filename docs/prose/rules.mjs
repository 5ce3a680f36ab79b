// What is wrong with a passage: words of the table, long sentences, clauses as subjects.

import { split } from 'sentence-splitter';

import { lineAt } from './passages/passage.mjs';
import { CLAUSE_AS_SUBJECT, README_TERMS, WORDS } from './words.mjs';

export const LONGEST_SENTENCE = 35;
export const AVERAGE_SENTENCE = 18;

const RULES = WORDS.flatMap(({ not, say }) => not.map((pattern) => ({ pattern: new RegExp(pattern.source.replaceAll(/ (?!\?)/g, '\\s+'), 'gi'), say })));

/** `{ file, line, words, say }` of each finding in a passage. */
export function* findings(passage) {
  const { file, text } = passage;
  const at = (offset) => passage.line + lineAt(text, offset) - 1;
  for (const { pattern, say } of RULES) {
    for (const { 0: words, index } of text.matchAll(pattern)) yield { file, line: at(index), words: flat(words), say };
  }
  for (const { words, offset, text: sentence } of sentences(passage)) {
    if (words > LONGEST_SENTENCE) yield { file, line: at(offset), words: `${words} words: ${beginning(sentence)}`, say: `sentences of at most ${LONGEST_SENTENCE} words` };
    if (words > 2 && passage.block !== 'Header' && CLAUSE_AS_SUBJECT.test(sentence)) yield { file, line: at(offset), words: beginning(sentence), say: 'name the subject instead of a clause' };
  }
}

/** Names of observations, such as B42, that no page explains. `names` are those of docs/understand/behaviour.md. */
export function* unknownNames(passage, names) {
  for (const { 0: words, index } of passage.text.matchAll(/\b[BCDST]\d{1,3}(?=[a-z]?\b)/g)) {
    if (names.has(words)) continue;
    yield { file: passage.file, line: passage.line + lineAt(passage.text, index) - 1, words, say: 'the fact, or a name of docs/understand/behaviour.md' };
  }
}

/** The sentences of a passage, with the number of their words. */
export function* sentences({ text }) {
  for (const { type, range, raw } of split(text)) {
    if (type !== 'Sentence') continue;
    const sentence = raw.replace(/^[\s*_("“']+/, '');
    // A dash, an arrow or a number's sign is no word.
    const words = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    if (words > 0) yield { words, offset: range[0], text: sentence };
  }
}

/** How many words the sentences of passages have on average. Cells of tables and headings are no sentences. */
export function averageSentence(passages) {
  const lengths = passages.filter(({ block }) => block === 'Paragraph').flatMap((one) => [...sentences(one)].map(({ words }) => words));
  return lengths.reduce((sum, words) => sum + words, 0) / Math.max(lengths.length, 1);
}

/** Terms that a page uses before it explains them: the first use is the explanation, in bold. */
export function* unexplained(file, passages, terms = README_TERMS) {
  for (const term of terms) {
    const word = new RegExp(`(\\*\\*)?(?<![\\w-])${term}s?(?![\\w-])`, 'i');
    const first = passages.find(({ text }) => word.test(text));
    if (first === undefined) continue;
    const { index, 1: bold } = first.text.match(word);
    if (bold === undefined) yield { file, line: first.line + lineAt(first.text, index) - 1, words: term, say: 'explain the term where it is first used, in **bold**' };
  }
}

const flat = (text) => text.replace(/\s+/g, ' ');
const beginning = (text) => `${flat(text).slice(0, 60)}…`;
