// Runs one test suite and counts its tests: a suite in which nothing ran is a failure, whatever its exit code says
// (wasm-pack test, for one, is content with zero tests).
//
//   node .ci/suite.mjs NAME FORMAT COMMAND...   run, show the output, note the count in target/suites/NAME.json
//   node .ci/suite.mjs --summary NAME...        one line per suite that ran, then `N passed, 0 failed`

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

// The lines by which a test runner reports its counts. A run may print several; they add up.
const FORMATS = {
  libtest: { passed: /^test result: .* (\d+) passed;/gm, failed: /^test result: .* (\d+) failed;/gm },
  node: { passed: /^(?:ℹ|#) pass (\d+)$/gm, failed: /^(?:ℹ|#) fail (\d+)$/gm },
  vectors: {
    passed: /^(\d+) passed, \d+ failed, \d+ skipped$/gm,
    failed: /^\d+ passed, (\d+) failed, \d+ skipped$/gm,
  },
};

const DIRECTORY = new URL('../target/suites/', import.meta.url);

const [first, ...rest] = process.argv.slice(2);
if (first === '--summary') summarize(rest);
else await runSuite(first, rest[0], rest.slice(1));

async function runSuite(name, format, command) {
  if (!(format in FORMATS)) throw new Error(`unknown format ${format}, known are ${Object.keys(FORMATS).join(', ')}`);
  rmSync(countsFile(name), { force: true });
  console.log(`── suite ${name}: ${command.join(' ')}`);
  const started = performance.now();
  const { output, status } = await runShowing(command);
  const seconds = (performance.now() - started) / 1000;
  const passed = sum(output, FORMATS[format].passed);
  const failed = sum(output, FORMATS[format].failed);

  const problem = status !== 0 ? status : failed > 0 ? `${failed} tests failed` : passed === 0 ? 'no test ran' : undefined;
  if (problem !== undefined) {
    console.error(`── suite ${name} FAILED (${typeof problem === 'number' ? `exit code ${problem}` : problem})`);
    process.exit(1);
  }
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(countsFile(name), JSON.stringify({ passed, seconds }));
  console.log(summaryLine(name, { passed, seconds }));
}

function summarize(names) {
  const counts = names.map((name) => [name, JSON.parse(readFileSync(countsFile(name), 'utf8'))]);
  console.log('');
  for (const [name, count] of counts) console.log(summaryLine(name, count));
  console.log(`\n${counts.reduce((total, [, { passed }]) => total + passed, 0)} passed, 0 failed`);
}

// The output goes to the terminal as it comes, and is kept for counting.
function runShowing([program, ...args]) {
  // Behind a pipe, tools would drop their colours.
  const colours = process.stdout.isTTY ? { CARGO_TERM_COLOR: 'always', FORCE_COLOR: '1' } : {};
  const child = spawn(program, args, { stdio: ['inherit', 'pipe', 'pipe'], env: { ...process.env, ...colours } });
  const chunks = [];
  child.stdout.on('data', (chunk) => (chunks.push(chunk), process.stdout.write(chunk)));
  child.stderr.on('data', (chunk) => process.stderr.write(chunk));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ output: '', status: error.message }));
    child.on('close', (code, signal) => {
      const output = stripVTControlCharacters(Buffer.concat(chunks).toString());
      resolve({ output, status: code ?? `ended by ${signal}` });
    });
  });
}

function countsFile(name) {
  return new URL(`${name}.json`, DIRECTORY);
}

function sum(output, pattern) {
  return [...output.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0);
}

function summaryLine(name, { passed, seconds }) {
  return `${name.padEnd(12)} ${String(passed).padStart(5)} passed ${seconds.toFixed(1).padStart(7)} s`;
}
