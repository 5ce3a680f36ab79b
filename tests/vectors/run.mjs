// Replays recorded answers of the real Locket against the in-process server.
//
//   node tests/vectors/run.mjs FILE...
//
// Prints each difference, each case that is skipped with the reason, and a closing line `N passed, N failed, N skipped`.
// Exits with 1 if some failed, or none ran.

import { readFileSync } from 'node:fs';

import { parseExactly } from './exact-json.mjs';
import { databasesOf, replay } from './replay.mjs';

/** Longer texts are cut in the output. */
const SHOWN_MAX = 400;

const counts = { passed: 0, failed: 0, skipped: 0 };
// All are read first: a slip in a name shows at once.
for (const vector of process.argv.slice(2).flatMap((file) => parseExactly(readFileSync(file, 'utf8')))) {
  for (const database of databasesOf(vector)) await run(vector, database);
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;

async function run(vector, database) {
  const { skipped, differences } = await replay(vector, database);
  if (skipped !== undefined) {
    counts.skipped += 1;
    console.log(`skipped ${vector.id} on ${database}: ${skipped}`);
  } else if (differences.length === 0) {
    counts.passed += 1;
  } else {
    counts.failed += 1;
    console.log(`FAILED ${vector.id} on ${database}: ${vector.title ?? ''}`);
    for (const { step, kind, what, expected, got } of differences) {
      console.log(`  ${step === undefined ? 'at the end' : `step ${step}`} (${kind}): ${what}`);
      console.log(`    expected ${shown(expected)}`);
      console.log(`    got      ${shown(got)}`);
    }
  }
}

function shown(value) {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? 'undefined';
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}… (${text.length} characters)` : text;
}
