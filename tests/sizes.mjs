// What the package may weigh. Prints what it does weigh, and fails if that is more than docs/reference/sizes.md promises: `make lint`.
//
//   node tests/sizes.mjs           checks the built package and the table of that page
//   node tests/sizes.mjs --write   writes the table anew, after a budget was changed below

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { buildSync } from 'esbuild';

const ROOT = new URL('../', import.meta.url);
const PAGE = new URL('docs/reference/sizes.md', ROOT);
const TABLE = /(?<=<!-- tests\/sizes\.mjs -->\n\n)[^]*?(?=\n\n)/;

/** In thousands of bytes, gzipped as servers do it; half a percent above what is there, so that a change is noticed and a fix is not. */
const BUDGETS = [
  { what: '`locket-wasm`, minified by a bundler', bundled: "import * as it from 'locket-wasm'; globalThis.it = it;", kilobytes: 47 },
  { what: 'its module', file: 'simulator.wasm', kilobytes: 370 },
  { what: 'its module of messages, for calls over a network', file: 'messages.wasm', kilobytes: 118 },
  { what: '`locket-wasm/check`, as it is', file: 'check-web.js', kilobytes: 28 },
  { what: 'its module', file: 'checker.wasm', kilobytes: 521 },
  { what: '`locket-wasm/client`, minified by a bundler', bundled: "import * as it from 'locket-wasm/client'; globalThis.it = it;", kilobytes: 27 },
  { what: 'its module', file: 'client.wasm', kilobytes: 126 },
  { what: 'a bundle of `LocketError` alone', bundled: "import { LocketError } from 'locket-wasm/client'; globalThis.it = LocketError;", kilobytes: 5 },
  { what: 'the tarball, with all entries and pages', kilobytes: 3316 },
];

const rows = BUDGETS.map(({ what, kilobytes }) => `| ${what} | ${kilobytes} KB |`);
const table = ['| gzipped | at most |', '|---|---:|', ...rows].join('\n');
const page = readFileSync(PAGE, 'utf8');
if (process.argv[2] === '--write') {
  writeFileSync(PAGE, page.replace(TABLE, () => table));
} else {
  const problems = BUDGETS.map(problemOf).filter(Boolean);
  if (TABLE.exec(page)?.[0] !== table) problems.push("docs/reference/sizes.md has another table of sizes: 'node tests/sizes.mjs --write' writes it anew");
  for (const problem of problems) console.error(`sizes: ${problem}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

function problemOf({ what, file, bundled, kilobytes }) {
  const size = file ? gzipped(readFileSync(new URL(`pkg/dist/${file}`, ROOT))) : bundled ? gzipped(bundle(bundled)) : tarballSize();
  const name = file ?? (bundled ? 'bundle' : 'tarball');
  console.log(`${name.padEnd(18)} ${(size / 1000).toFixed(1).padStart(7)} KB of ${kilobytes}`);
  return size > kilobytes * 1000 && `${name} has ${size} bytes, more than ${kilobytes} KB: make it smaller, or say in ${fileURLToPath(import.meta.url)} why not (${what})`;
}

function gzipped(bytes) {
  return gzipSync(bytes, { level: 9 }).length;
}

/** What a program's bundler makes of it beside chunks that it does not load. */
function bundle(program) {
  const stdin = { contents: program, resolveDir: fileURLToPath(new URL('tests/', ROOT)) };
  const { outputFiles } = buildSync({ stdin, bundle: true, minify: true, format: 'esm', splitting: true, outdir: 'out', write: false });
  return outputFiles.find(({ path }) => path.endsWith('stdin.js')).contents;
}

function tarballSize() {
  return JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', './pkg'], { cwd: ROOT }).toString())[0].size;
}
