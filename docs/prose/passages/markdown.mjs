// The prose of a Markdown page: paragraphs, headings, list items and cells, without its code.

import { parse } from '@textlint/markdown-to-ast';

import { asBlank, asWord, coverCode, passage } from './passage.mjs';

export function markdown(file, source) {
  const found = [];
  visit(parse(source));
  return found;

  function visit(node) {
    if (node.type === 'Paragraph' || node.type === 'Header' || node.type === 'TableCell') {
      found.push({ ...passage(file, node.loc.start.line, covered(node, source), 'page'), block: node.type });
    } else for (const child of node.children ?? []) visit(child);
  }
}

function covered(node, source) {
  const [begin] = node.range;
  let text = source.slice(...node.range);
  const cover = ([from, to], as) => {
    text = text.slice(0, from - begin) + as(text.slice(from - begin, to - begin)) + text.slice(to - begin);
  };
  visit(node);
  return node.type === 'Header' ? text.replace(/^#+/, asBlank) : text;

  function visit({ type, range, raw, children = [] }) {
    if (type === 'Code' || type === 'Image') cover(range, asWord);
    if (type === 'Html' || type === 'HtmlBlock' || type === 'Comment') cover(range, asBlank);
    // A link is its words, unless they are the name of a file.
    if (type === 'Link' && /^\S+\.\w+$/.test(raw.match(/^\[([^\]]+)\]/)?.[1] ?? '')) cover(range, asWord);
    else if (type === 'Link' && children.length > 0) {
      cover([range[0], children[0].range[0]], asBlank);
      cover([children.at(-1).range[1], range[1]], asBlank);
    }
    for (const child of children) visit(child);
  }
}

/** The prose in the code blocks of a page: what programs print. Each column of a line is a sentence or part of one. */
export function printed(file, source) {
  const blocks = parse(source).children.filter(({ type }) => type === 'CodeBlock');
  return blocks.flatMap(({ value, loc }) =>
    value.split('\n').flatMap((line, index) =>
      line
        .split(/ {2,}/)
        .filter((part) => part.trim().split(/\s+/).length >= 2)
        .map((part) => passage(file, loc.start.line + 1 + index, coverCode(part), 'string')),
    ),
  );
}
