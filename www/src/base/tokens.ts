// What the parts of a line of JSON are, for their colours. A string goes no further than its line, so each line stands for itself.

/** A part of a line. */
export interface Token {
  text: string;
  kind: 'key' | 'literal' | 'plain' | 'string';
  /** Whether a mistake is in it. */
  isWrong?: boolean;
}

/** Strings with the colon of a member, numbers and names. */
const PART = /("(?:[^"\\]|\\.)*(?:"|\\?$))(?=(\s*:)?)|(-?\d[\d.eE+-]*|\b(?:true|false|null)\b)/g;

export function tokensOf(line: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const match of line.matchAll(PART)) {
    if (match.index > at) tokens.push({ text: line.slice(at, match.index), kind: 'plain' });
    const [text, string, colon] = match;
    tokens.push({ text, kind: string === undefined ? 'literal' : colon === undefined ? 'string' : 'key' });
    at = match.index + text.length;
  }
  if (at < line.length) tokens.push({ text: line.slice(at), kind: 'plain' });
  return tokens;
}

/** The same with the character at a place, from 0, marked; behind the end of the line it is a space. */
export function withMistake(tokens: Token[], place: number): Token[] {
  const marked: Token[] = [];
  let at = 0;
  for (const { text, kind } of tokens) {
    const cut = place - at;
    at += text.length;
    if (cut < 0 || cut >= text.length) {
      marked.push({ text, kind });
      continue;
    }
    // A character of two halves stays whole.
    const wrong = String.fromCodePoint(text.codePointAt(cut) ?? 0x20);
    marked.push({ text: text.slice(0, cut), kind }, { text: wrong, kind, isWrong: true }, { text: text.slice(cut + wrong.length), kind });
  }
  if (place >= at) marked.push({ text: ' ', kind: 'plain', isWrong: true });
  return marked;
}
