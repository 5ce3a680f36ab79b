// What the package may weigh. Prints what it does weigh, and fails if that is more than the README promises: `make lint`.
//
//   node tests/sizes.mjs           checks the built package and the README's table
//   node tests/sizes.mjs --write   writes the README's table anew, after a budget was changed below

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const ROOT = new URL('../', import.meta.url);
const README = new URL('README.md', ROOT);
const TABLE = /(?<=<!-- tests\/sizes\.mjs -->\n\n)[^]*?(?=\n\n)/;

/** In thousands of bytes, gzipped as servers do it; some percent above what is there, so that a change is noticed and a fix is not. */
const BUDGETS = [
  { what: '`locket-wasm`, with the module inlined', file: 'web.js', kilobytes: 760 },
  { what: 'its module alone, for `locket-wasm/slim`', file: 'locket.wasm', kilobytes: 700 },
  { what: 'the JavaScript of `locket-wasm/slim`', file: 'slim.js', kilobytes: 59 },
  { what: '`locket-wasm/client`, with its module inlined', file: 'client-web.js', kilobytes: 240 },
  { what: 'its module alone', file: 'client.wasm', kilobytes: 180 },
  { what: 'the tarball, with all entries', kilobytes: 2570 },
];

const rows = BUDGETS.map(({ what, kilobytes }) => `| ${what} | ${kilobytes} KB |`);
const table = ['| gzipped | at most |', '|---|---:|', ...rows].join('\n');
const readme = readFileSync(README, 'utf8');
if (process.argv[2] === '--write') {
  writeFileSync(README, readme.replace(TABLE, () => table));
} else {
  const problems = BUDGETS.map(problemOf).filter(Boolean);
  if (TABLE.exec(readme)?.[0] !== table) problems.push("README.md has another table of sizes: 'node tests/sizes.mjs --write' writes it anew");
  for (const problem of problems) console.error(`sizes: ${problem}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

function problemOf({ what, file, kilobytes }) {
  const size = file === undefined ? tarballSize() : gzipSync(readFileSync(new URL(`pkg/dist/${file}`, ROOT)), { level: 9 }).length;
  const name = file ?? 'tarball';
  console.log(`${name.padEnd(14)} ${(size / 1000).toFixed(1).padStart(7)} KB of ${kilobytes}`);
  return size > kilobytes * 1000 && `${name} has ${size} bytes, more than ${kilobytes} KB: make it smaller, or say in ${fileURLToPath(import.meta.url)} why not (${what})`;
}

function tarballSize() {
  return JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', './pkg'], { cwd: ROOT }).toString())[0].size;
}
