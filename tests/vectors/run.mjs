// Replays recorded answers of the real Locket against the in-process server.
//
//   node tests/vectors/run.mjs FILE...
//
// Prints each difference, each case that is skipped with the reason, and a closing line `N passed, N failed, N skipped`.
// Exit codes: 0 all that ran passed; 1 some failed, or none ran; 2 a file cannot be read or is not of the format.

import { readFileSync } from 'node:fs';

import { parseExactly } from './exact-json.mjs';
import { databasesOf, replay } from './replay.mjs';

const EXIT_FAILED = 1;
const EXIT_UNREADABLE = 2;

/** Longer texts are cut in the output. */
const SHOWN_MAX = 400;

const counts = { passed: 0, failed: 0, skipped: 0 };
const files = process.argv.slice(2);
if (files.length === 0) giveUp('expected a file; try: node tests/vectors/run.mjs tests/vectors/*.json');
// All are read first: a slip in a name shows at once.
for (const vector of files.flatMap(read)) {
  for (const database of databasesOf(vector)) await run(vector, database);
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
if (counts.failed > 0 || counts.passed === 0) process.exitCode = EXIT_FAILED;

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

function read(file) {
  let vectors;
  try {
    vectors = parseExactly(readFileSync(file, 'utf8'));
  } catch (error) {
    giveUp(`cannot read ${file}: ${error.message}`);
  }
  const problem = problemOf(vectors);
  if (problem !== undefined) giveUp(`${file} is not a file of recorded answers: ${problem}`);
  return vectors;
}

/** What is wrong with the form of a whole file. What is wrong in a step is a difference of its case. */
function problemOf(vectors) {
  if (!Array.isArray(vectors)) return 'expected a list of cases';
  for (const [index, vector] of vectors.entries()) {
    if (typeof vector?.id !== 'string') return `case ${index + 1} has no id`;
    if (!Array.isArray(vector.steps)) return `case ${vector.id} has no list of steps`;
  }
  return undefined;
}

function shown(value) {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? 'undefined';
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}… (${text.length} characters)` : text;
}

function giveUp(message) {
  console.error(message);
  process.exit(EXIT_UNREADABLE);
}
