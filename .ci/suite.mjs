// Runs one test suite and counts its tests: a suite in which nothing ran is a failure, whatever its exit code says
// (wasm-pack test, for one, is content with zero tests).
//
//   node .ci/suite.mjs NAME FORMAT COMMAND...   run, show the output, note the count in target/suites/NAME.json

import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

import { forget, note, summaryLine } from './counts.mjs';

// The lines by which a test runner reports its counts. A run may print several; they add up.
const FORMATS = {
  libtest: { passed: /^test result: .* (\d+) passed;/gm, failed: /^test result: .* (\d+) failed;/gm },
  node: { passed: /^(?:ℹ|#) pass (\d+)$/gm, failed: /^(?:ℹ|#) fail (\d+)$/gm },
  vectors: {
    passed: /^(\d+) passed, \d+ failed, \d+ skipped$/gm,
    failed: /^\d+ passed, (\d+) failed, \d+ skipped$/gm,
  },
};

const [suite, counting, ...words] = process.argv.slice(2);
await runSuite(suite, counting, words);

async function runSuite(name, format, command) {
  if (!(format in FORMATS)) throw new Error(`unknown format ${format}, known are ${Object.keys(FORMATS).join(', ')}`);
  forget(name);
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
  note(name, { passed, seconds });
  console.log(summaryLine(name, { passed, seconds }));
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

function sum(output, pattern) {
  return [...output.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0);
}
