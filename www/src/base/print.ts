// Prints JSON as the shipped scenarios are printed: a member of the whole a line, an entry of a list a line.

/** A value that came out of JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The whole. */
export function print(value: Json): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return inline(value);
  const members = Object.entries(value).map(([key, member]) => `  ${JSON.stringify(key)}: ${printMember(member)}`);
  return members.length === 0 ? '{}\n' : `{\n${members.join(',\n')}\n}\n`;
}

function printMember(value: Json): string {
  if (!Array.isArray(value) || value.length === 0) return inline(value);
  return `[\n${value.map((entry) => `    ${inline(entry)}`).join(',\n')}\n  ]`;
}

function inline(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${inline(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
