#!/usr/bin/env node
// The command line: passes the arguments to a command and exits with its code. commands.ts
// lists the commands.

import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';

import { EXIT_USAGE, Failure, failureOf } from './command.js';
import { checkName, program } from './commands.js';
import { serveJobs } from './jobs.js';
import { complain } from './terminal.js';

// A reader such as `head` closes the pipe early; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// V8 compiles a busy wasm function again, optimized. Most commands end before that pays, so it happens
// later than usual. Other engines refuse the flag.
try {
  setFlagsFromString('--wasm-tiering-budget=20000000');
} catch {}

/** Settles when the command has ended. A command's worker threads run this file too, and have none. */
export const ended = serveJobs() ? undefined : main(process.argv.slice(2)).catch(end);

async function main(args: string[]): Promise<void> {
  const locketWasm = program();
  checkName(locketWasm, args);
  if (args.length === 0) {
    throw new Failure(EXIT_USAGE, 'no command, such as run first-look; locket-wasm --help lists all');
  }
  await locketWasm.parseAsync(args, { from: 'user' });
}

function end(error: Error): void {
  const { exitCode, message, excerpt } = failureOf(error);
  if (exitCode === 0) return;
  process.exitCode = exitCode;
  complain([`locket-wasm: ${message}`, ...excerpt]);
  if (process.argv.includes('--debug') || process.env['LOCKET_DEBUG']) complain(inspect(error).split('\n').map((line) => `  ${line}`));
}
