// A thread that runs the command line again and again, on loaded modules: a process for each would take longer to start
// than most commands to run. Each run gets a fresh copy of the program, which reads and writes as in a process of its own.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { workerData } from 'node:worker_threads';

const { program, requests, isDone } = workerData;
let runs = 0;
/** The run at the moment: what it reads, and what it has printed. */
let run = { input: '', stdout: [], stderr: [] };

for (const name of ['stdout', 'stderr']) {
  process[name].write = (chunk, encoding, written) => {
    run[name].push(Buffer.from(chunk));
    [encoding, written].find((each) => typeof each === 'function')?.();
    return true;
  };
}
const { readFileSync } = fs;
fs.readFileSync = (file, options) => {
  if (file !== 0) return readFileSync(file, options);
  return options === undefined ? Buffer.from(run.input) : run.input.toString();
};
syncBuiltinESMExports();

requests.on('message', async ({ args, input, env }) => {
  run = { input, stdout: [], stderr: [] };
  process.argv = [process.execPath, program, ...args];
  process.env = env;
  process.exitCode = undefined;
  // Each copy of the program listens for a closed pipe.
  process.stdout.removeAllListeners('error');
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
  await import(`${program}?run=${(runs += 1)}`).then(({ ended }) => ended).catch(crash);
  answer();
});
process.on('uncaughtException', (error) => {
  crash(error);
  answer();
});

/** As Node ends a program with an error that it did not catch. */
function crash(error) {
  process.exitCode = 1;
  process.stderr.write(`${inspect(error)}\n`);
}

function answer() {
  const [stdout, stderr] = [run.stdout, run.stderr].map((chunks) => Buffer.concat(chunks).toString());
  requests.postMessage({ status: process.exitCode ?? 0, stdout, stderr });
  Atomics.store(isDone, 0, 1);
  Atomics.notify(isDone, 0);
}
