#!/usr/bin/env node
// The command line: hands the arguments to their command, and ends with its exit code. cli/commands.ts lists the commands.

import { inspect } from 'node:util';

import { EXIT_USAGE, Failure, failureOf } from './cli/command.js';
import { program } from './cli/commands.js';
import { serveJobs } from './cli/jobs.js';
import { complain } from './cli/terminal.js';

// Who reads only the first lines, as `head` does, has what he wants.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// Threads of a command have work of their own.
if (!serveJobs()) main(process.argv.slice(2)).catch(end);

async function main(args: string[]): Promise<void> {
  const locketWasm = program();
  if (args.length === 0) {
    const names = locketWasm.commands.map((command) => command.name()).join(', ');
    throw new Failure(EXIT_USAGE, `expected a command; there are ${names}; see locket-wasm --help`);
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
