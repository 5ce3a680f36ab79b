// The comments of Rust, and the sentences in its literals.

import { asBlank, coverCode, lineAt, paragraphs, passage } from './passage.mjs';

/** In this order, at each place: comments, texts and what merely looks like one of them. */
const TOKENS =
  /(?<comment>(?:\/\/[^\n]*(?:\n[ \t]*(?=\/\/))?)+|\/\*[^]*?\*\/)|(?<raw>b?r(?<marks>#*)"[^]*?"\k<marks>)|(?<text>b?"(?:\\[^]|[^"\\])*")|'(?:\\[^']+|[^'\\])'|\w+/g;

export function rust(file, source) {
  const found = [];
  for (const { index, groups } of source.matchAll(TOKENS)) {
    const { comment, raw, text } = groups;
    if (comment !== undefined) found.push(...comments(file, lineAt(source, index), comment));
    else if (isSentence(raw ?? text)) found.push(...strings(file, lineAt(source, index), raw ?? text));
  }
  return found;
}

function comments(file, line, comment) {
  const text = withoutExamples(comment.replace(/^[ \t]*\/\/[/!]?|^\/\*+|\*\/$/gm, asBlank));
  return [...paragraphs(coverCode(text))].map(([offset, part]) => passage(file, line + lineAt(text, offset) - 1, part, 'comment'));
}

function strings(file, line, literal) {
  return [...paragraphs(coverCode(continued(literal)))].map(([, part]) => passage(file, line, part, 'string'));
}

const withoutExamples = (text) => text.replace(/```[^]*?```/g, asBlank);

/** A backslash at the end of a line joins it with the next. Values stand in braces. */
const continued = (text) => text.replace(/\\\n\s*/g, ' ').replace(/\\n/g, '\n').replace(/\{[^{}]*\}/g, '…').replace(/^b?r?#*"|"#*$/g, ' ');

const isSentence = (text) => text !== undefined && /[a-z]['’,;:]* [(a-z]/i.test(text) && !/[{};]\s*\n/.test(text);
