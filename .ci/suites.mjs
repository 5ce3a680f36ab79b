// Runs the test suites in rows: those of a row one after another, the rows side by side. Some suites need a core, and others
// mostly wait. The output of a suite is shown in one piece, when it ends.
//
//   node .ci/suites.mjs 'NAME NAME...' 'NAME...' ...   a row each
//
// The first suite that fails ends all others; under `make -k` they go on.

import { spawn } from 'node:child_process';

import { recall, summaryLine } from './counts.mjs';

const rows = process.argv.slice(2).map((row) => row.split(' '));
const { MAKEFLAGS = '' } = process.env;
/** Its first word has make's options of one letter. */
const keepsGoing = /^\w*k/.test(MAKEFLAGS);
/** The make of a suite is not one of this make's jobs. Behind a pipe, tools would drop their colours. */
const colours = process.stdout.isTTY ? { CARGO_TERM_COLOR: 'always', FORCE_COLOR: '1' } : {};
const environment = { ...process.env, ...colours, MAKEFLAGS: MAKEFLAGS.replace(/ -j\S*| --jobserver-\S+/g, '') };
const running = new Set();
const passed = [];
const failed = [];

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (endAll(), process.exit(1)));
await Promise.all(rows.map(runRow));
summarize();

async function runRow(names) {
  for (const name of names) {
    if (failed.length > 0 && !keepsGoing) return;
    console.log(`── suite ${name} begins`);
    const { output, code, isEnded } = await runSuite(name);
    // A suite that others ended has no result.
    if (isEnded) return;
    process.stdout.write(output);
    (code === 0 ? passed : failed).push(name);
    if (code !== 0 && !keepsGoing) endAll();
  }
}

/** In a process group of its own, so that its browsers and servers end with it. */
function runSuite(name) {
  const child = spawn('make', ['--no-print-directory', `test-${name}`], { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: environment });
  const suite = { child, isEnded: false };
  running.add(suite);
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  return new Promise((resolve) => {
    child.on('error', ({ message }) => resolve({ output: `${message}\n`, code: 1, isEnded: false }));
    child.on('close', (code) => {
      running.delete(suite);
      resolve({ output: Buffer.concat(chunks), code, isEnded: suite.isEnded });
    });
  });
}

function endAll() {
  for (const suite of running) {
    suite.isEnded = true;
    process.kill(-suite.child.pid, 'SIGTERM');
  }
}

function summarize() {
  const counts = rows.flat().filter((name) => passed.includes(name)).map((name) => [name, recall(name)]);
  console.log('');
  for (const [name, count] of counts) console.log(summaryLine(name, count));
  if (failed.length > 0) {
    console.error(`\nfailed: ${failed.join(', ')}`);
    process.exit(1);
  }
  console.log(`\n${counts.reduce((total, [, { passed: count }]) => total + count, 0)} passed, 0 failed`);
}
