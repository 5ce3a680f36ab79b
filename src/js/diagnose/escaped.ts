// Lines that an export has put into a text of its own, escaped in JSON, as Docker, Kibana, Loki and
// CloudWatch do. This file knows nothing of what they say.

/** An export of an export is the deepest that is read. */
const DEPTH_MAX = 3;

/** The log lines of a line of a file: itself, or those that stand in its texts. */
export function linesIn(text: string, depth = DEPTH_MAX): string[] {
  if (depth === 0 || !text.includes('{\\"')) return [text];
  // A text without a message is a value of the line itself.
  const lines = literals(text).filter((one) => one.includes('message'));
  return lines.length === 0 ? [text] : lines.flatMap((one) => linesIn(one, depth - 1));
}

/** The texts of JSON that begin with an object. */
function literals(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf('"{\\"'); at >= 0; at = text.indexOf('"{\\"', at + 1)) {
    const end = endOf(text, at);
    const value = end < 0 ? undefined : textOf(text.slice(at, end + 1));
    if (value !== undefined) found.push(value.trim());
    if (end < 0) break;
    at = end;
  }
  return found;
}

/** Where a text of JSON ends; -1 if it is cut. */
function endOf(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return -1;
}

function textOf(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}
