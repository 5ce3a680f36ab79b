// The comments of TypeScript, JavaScript and Svelte, and the sentences in their literals.

import { parse } from '@babel/parser';
import { parse as parseSvelte } from 'svelte/compiler';

import { asBlank, asWord, coverCode, lineAt, paragraphs, passage } from './passage.mjs';

export function javascript(file, source, { lang = file.endsWith('ts') ? 'ts' : 'js', begin = 0 } = {}) {
  const { program, comments } = parse(source, { sourceType: 'module', plugins: lang === 'ts' ? ['estree', 'typescript'] : ['estree'] });
  const line = (offset) => begin + lineAt(source, offset);
  const found = [...commentsOf(comments, source)].flatMap(([offset, text]) =>
    [...paragraphs(coverCode(text))].map(([inner, part]) => passage(file, line(offset) + lineAt(text, inner) - 1, part, 'comment')),
  );
  for (const node of nodesOf(program)) found.push(...strings(file, line(node.start), node));
  return found;
}

/** Each comment as `[offset, text]`, marks covered; `//` lines below one another are one comment. */
function* commentsOf(comments, source) {
  let open;
  for (const { type, value, start, end } of comments) {
    if (type === 'CommentBlock') {
      yield [start, `  ${value}  `.replace(/(?<=\n)[ \t]*\*/g, asBlank).replace(/^ {2}\*/, asBlank)];
    } else if (open !== undefined && /^\n[ \t]*$/.test(source.slice(open.end, start))) {
      open.text += `${asBlank(source.slice(open.end, start))}  ${value}`;
      open.end = end;
    } else {
      if (open !== undefined) yield [open.start, open.text];
      open = { start, end, text: `  ${value}` };
    }
  }
  if (open !== undefined) yield [open.start, open.text];
}

/** Members of a node that are not its children. */
const SKIPPED = new Set(['loc', 'leadingComments', 'innerComments', 'trailingComments', 'metadata', 'extra']);

export function* nodesOf(node) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const child of node) yield* nodesOf(child);
  } else {
    if (typeof node.type === 'string') yield node;
    for (const [name, child] of Object.entries(node)) if (!SKIPPED.has(name)) yield* nodesOf(child);
  }
}

/** The paragraphs of a literal that reads as words: two or more, and no code. */
function strings(file, line, node) {
  const text =
    node.type === 'Literal' && typeof node.value === 'string'
      ? node.value
      : node.type === 'TemplateLiteral'
        ? node.quasis.map(({ value }) => value.cooked ?? '').join('…')
        : undefined;
  if (text === undefined || !isSentence(text)) return [];
  return [...paragraphs(coverCode(text))].map(([, part]) => passage(file, line, part, 'string'));
}

const isSentence = (text) => /[a-z]['’,;:]* [(a-z]/i.test(text) && !/[{};]\s*\n|=>|^\s*[.#<]\w/.test(text);

/** Attributes whose texts are read. */
const READ = new Set(['aria-label', 'aria-description', 'alt', 'content', 'label', 'placeholder', 'title', 'text', 'hint']);

export function svelte(file, source) {
  const found = [];
  for (const [, open, script] of source.matchAll(/(<script[^>]*>)([^]*?)<\/script>/g)) {
    const begin = lineAt(source, source.indexOf(open + script)) - 1;
    found.push(...javascript(file, script, { lang: 'ts', begin }));
  }
  for (const [comment, text] of source.matchAll(/<!--([^]*?)-->/g)) found.push(passage(file, lineAt(source, source.indexOf(comment)), coverCode(text), 'comment'));
  const { fragment } = parseSvelte(source, { modern: true });
  visit(fragment);
  return found;

  function visit(node) {
    if (node.type === 'Attribute' && !READ.has(node.name)) return undefined;
    if (node.type === 'Text' && isSentence(node.data)) found.push(passage(file, lineAt(source, node.start), node.data, 'string'));
    if (node.type === 'ExpressionTag') {
      for (const inner of nodesOf(node.expression)) found.push(...strings(file, lineAt(source, inner.start), inner));
    }
    for (const [name, child] of Object.entries(node)) {
      if (name === 'expression' || child === null || typeof child !== 'object') continue;
      for (const one of Array.isArray(child) ? child : [child]) if (one?.type !== undefined || one?.nodes !== undefined) visit(one);
    }
    return undefined;
  }
}

/** Comments of a style sheet. */
export function styles(file, source) {
  return [...source.matchAll(/\/\*([^]*?)\*\//g)].map(({ index, 1: text }) => passage(file, lineAt(source, index), coverCode(text).replace(/(?<=\n)[ \t]*\*/g, asWord), 'comment'));
}
