// Runs the command line as a shell does.

import { spawnSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

/** The program. */
export const CLI = fileURLToPath(new URL('../../../pkg/dist/cli.js', import.meta.url));

/** How long a command may take. */
const MS_MAX = 300_000;

/** Runs the command line: its exit code, and what it prints. It waits for the end, as `spawnSync` does. */
export function cli(args, input = '', env = {}) {
  const { requests, isDone } = (thread ??= startThread());
  Atomics.store(isDone, 0, 0);
  requests.postMessage({ args: args.map(String), input, env: { ...process.env, ...env } });
  const waited = Atomics.wait(isDone, 0, 0, MS_MAX);
  if (waited === 'timed-out') throw new Error(`locket-wasm ${args.join(' ')} did not end in ${MS_MAX / 1000} s`);
  return receiveMessageOnPort(requests).message;
}

let thread;

function startThread() {
  const { port1: requests, port2 } = new MessageChannel();
  const isDone = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { program: pathToFileURL(CLI).href, requests: port2, isDone };
  new Worker(new URL('command-line.worker.mjs', import.meta.url), { workerData, transferList: [port2] }).unref();
  return { requests, isDone };
}

/** The same in a process of its own. */
export function cliProcess(args, input = '', env = {}) {
  const options = { input, encoding: 'utf8', env: { ...process.env, ...env }, maxBuffer: 2 ** 28 };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], options);
  return { status, stdout, stderr };
}

/** Why there is no terminal, if so: `script` is that of util-linux; another one takes its arguments otherwise. */
export const noScript = !/util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout) && 'there is no terminal to be had';

/** The same on a terminal, of which there is one for both outputs. */
export function cliOnTerminal(args, env = {}) {
  const command = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ');
  // Nothing else of the environment: CI, NODE_DISABLE_COLORS and others have a say in colours.
  const options = { encoding: 'utf8', env: { PATH: process.env.PATH, TERM: 'xterm', ...env } };
  const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], options);
  return { status, stdout };
}
