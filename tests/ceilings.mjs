// What may only shrink: lines of code in each room, what there is to learn, and what the package weighs. Prints each count with its
// ceiling in ceilings.json, and fails if one is above it: `make lint`. No ceiling is ever raised; what is new pays by deletion.
//
//   node tests/ceilings.mjs           compares
//   node tests/ceilings.mjs --lower   lowers each ceiling to its count, and writes the table of docs/reference/sizes.md

import { readFileSync, writeFileSync } from 'node:fs';

import { codeLines } from './code-lines.mjs';
import { isInTable, sizes, writeTable } from './sizes.mjs';
import { surface } from './surface.mjs';

const FILE = new URL('ceilings.json', import.meta.url);
const ceilings = JSON.parse(readFileSync(FILE, 'utf8'));
const isToLower = process.argv[2] === '--lower';
const counts = { 'lines of code': codeLines(), surface: await surface(), 'KB gzipped': await sizes() };

for (const [group, named] of Object.entries(counts)) {
  for (const [name, count] of Object.entries(named)) compare(group, name, count);
}
if (isToLower) {
  writeFileSync(FILE, `${JSON.stringify(ceilings, null, 2)}\n`);
  writeTable(ceilings['KB gzipped']);
} else if (!isInTable(ceilings['KB gzipped'])) {
  fail('docs/reference/sizes.md has other sizes; run node tests/ceilings.mjs --lower');
}

/** What has no ceiling fails, too. */
function compare(group, name, count) {
  const ceiling = ceilings[group][name];
  console.log(`${name.padEnd(28)} ${String(count).padStart(6)} of ${ceiling}`);
  if (!(count <= ceiling)) fail(`${count} ${group}: ${name}, more than ${ceiling}: delete as much as you add`);
  else if (isToLower) ceilings[group][name] = count;
}

function fail(problem) {
  console.error(`ceilings: ${problem}`);
  process.exitCode = 1;
}
