// What the package weighs, in KB: the parts of it that docs/reference/sizes.md promises to keep small. ceilings.mjs compares.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { buildSync } from 'esbuild';

const ROOT = new URL('../', import.meta.url);
const PAGE = new URL('docs/reference/sizes.md', ROOT);
const TABLE = /(?<=<!-- tests\/sizes\.mjs -->\n\n)[^]*?(?=\n\n)/;

/** Each part with what it is, and how its bytes are counted. */
const PARTS = {
  'locket-wasm': { what: '`locket-wasm`, minified by a bundler', size: bundleOf("import * as it from 'locket-wasm'; globalThis.it = it;") },
  'simulator.wasm': { what: 'its module', size: carried('simulator') },
  'messages.wasm': { what: 'its module of messages, for calls over a network', size: carried('messages') },
  'check-web.js': { what: '`locket-wasm/check`, as it is', size: fileOf('check-web.js') },
  'checker.wasm': { what: 'its module', size: carried('checker') },
  'locket-wasm/client': { what: '`locket-wasm/client`, minified by a bundler', size: bundleOf("import * as it from 'locket-wasm/client'; globalThis.it = it;") },
  'client.wasm': { what: 'its module', size: carried('client') },
  LocketError: { what: 'a bundle of `LocketError` alone', size: bundleOf("import { LocketError } from 'locket-wasm/client'; globalThis.it = LocketError;") },
  tarball: { what: 'the tarball, with all entries and pages', size: tarballSize },
};

/** The size of each part in thousands of bytes: a module as it is carried, the rest gzipped as servers do it. */
export async function sizes() {
  const sized = Object.entries(PARTS).map(async ([name, { size }]) => [name, Math.ceil((await size()) / 1000)]);
  return Object.fromEntries(await Promise.all(sized));
}

/** Writes the ceilings into the table of the page. */
export function writeTable(ceilings) {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(PAGE, page.replace(TABLE, () => tableOf(ceilings)));
}

/** True if the page has the ceilings. */
export function isInTable(ceilings) {
  return TABLE.exec(readFileSync(PAGE, 'utf8'))?.[0] === tableOf(ceilings);
}

function tableOf(ceilings) {
  const rows = Object.entries(PARTS).map(([name, { what }]) => `| ${what} | ${ceilings[name]} KB |`);
  return ['| gzipped | at most |', '|---|---:|', ...rows].join('\n');
}

function fileOf(name) {
  return () => gzipped(readFileSync(new URL(`pkg/dist/${name}`, ROOT)));
}

function carried(module) {
  return async () => (await import(new URL(`pkg/dist/${module}-module.js`, ROOT))).gzipped.length;
}

function gzipped(bytes) {
  return gzipSync(bytes, { level: 9 }).length;
}

/** What a program's bundler makes of it beside chunks that it does not load. */
function bundleOf(program) {
  const stdin = { contents: program, resolveDir: fileURLToPath(new URL('tests/', ROOT)) };
  return () => {
    const { outputFiles } = buildSync({ stdin, bundle: true, minify: true, format: 'esm', splitting: true, outdir: 'out', write: false });
    return gzipped(outputFiles.find(({ path }) => path.endsWith('stdin.js')).contents);
  };
}

function tarballSize() {
  return JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', './pkg'], { cwd: ROOT }).toString())[0].size;
}
