// The page of all names to call, with the first sentence of each from the declarations of the built package.

import { readdirSync, readFileSync } from 'node:fs';

const PACKAGE = new URL('../pkg/', import.meta.url);
/** They need their test runner, and have the names of /testing. Of their own they have functions. */
const OF_RUNNERS = ['./testing/jest', './testing/vitest'];

/** The names of each entry. */
export async function namesOfEntries() {
  const { exports } = JSON.parse(readFileSync(new URL('package.json', PACKAGE), 'utf8'));
  const entries = Object.keys(exports).filter((entry) => !/\.(json|proto|wasm)$/.test(entry) && !OF_RUNNERS.includes(entry));
  const modules = await Promise.all(entries.map(async (entry) => [entry, Object.keys(await import(`locket-wasm${entry.slice(1)}`))]));
  const own = OF_RUNNERS.map((entry) => {
    const text = readFileSync(new URL(exports[entry].import.types, PACKAGE), 'utf8');
    return [entry, [...text.matchAll(/^export declare function (\w+)/gm)].map(([, name]) => name)];
  });
  return Object.fromEntries([...modules, ...own]);
}

/** The page, without its first line. */
export async function namesPage() {
  const entries = await namesOfEntries();
  const names = [...new Set(Object.values(entries).flat())].sort((a, b) => a.localeCompare(b, 'en'));
  const declarations = readdirSync(new URL('dist', PACKAGE), { recursive: true })
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => readFileSync(new URL(`dist/${file}`, PACKAGE), 'utf8'));
  const rows = names.map((name) => {
    const where = Object.keys(entries).filter((entry) => entries[entry].includes(name)).map((entry) => (entry === '.' ? '`locket-wasm`' : `\`${entry.slice(1)}\``));
    return `| \`${name}\` | ${where.join(', ')} | ${sentence(name, declarations)} |`;
  });
  return `
# All names

Classes, functions and values, with the entries that have them. The entries \`/testing/vitest\` and \`/testing/jest\` have the names of
\`/testing\`. [Types](entries.md#types) are in \`/types\`.

| name | import from | what it is |
|---|---|---|
${rows.join('\n')}

Next: [which entry to import](entries.md).
`;
}

/** The first sentence of what a declaration says about itself. */
function sentence(name, declarations) {
  const declared = new RegExp(String.raw`/\*\*((?:(?!\*/)[^])*)\*/\s*(?:export )?(?:declare )?(?:abstract )?(?:class|const|function) ${name}\b`);
  const doc = declarations.map((text) => declared.exec(text)?.[1]).find((it) => it !== undefined);
  if (doc === undefined) throw new Error(`${name} says nothing about itself`);
  const text = doc.replaceAll(/^ *\* ?/gm, '').replaceAll(/\{@link (?:[^}|]*\| *)?([^}|]+?) *\}/g, '$1').trim().replaceAll(/\s+/g, ' ');
  return (/^.*?[.:](?= |$)/.exec(text)?.[0] ?? text).replace(/:$/, '.').replaceAll('|', '\\|');
}
