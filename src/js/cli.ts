#!/usr/bin/env node
// The command line: finds the command, and ends with its exit code. Each command is a file of its own in cli/.

import { readFileSync } from 'node:fs';

import { type Command, EXIT_USAGE, Failure } from './cli/command.js';
import { runCommand } from './cli/run.js';
import { serveCommand } from './cli/serve.js';

const COMMANDS: Record<string, Command> = { run: runCommand, serve: serveCommand };

const HELP = `Usage: locket-wasm COMMAND [OPTION...]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(9)}${summary}\n`)
  .join('')}
  locket-wasm COMMAND --help   print how a command is used
  locket-wasm --version        print the package's version
`;

main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof Failure)) throw error;
  console.error(`locket-wasm: ${error.message}`);
  process.exitCode = error.exitCode;
});

async function main([name, ...args]: string[]): Promise<void> {
  if (name === '--help' || name === '-h' || name === 'help') return print(HELP);
  if (name === '--version') return print(`${version()}\n`);
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const problem = name === undefined ? 'expected a command' : `unknown command ${JSON.stringify(name)}`;
    throw new Failure(EXIT_USAGE, `${problem}; there are ${Object.keys(COMMANDS).join(', ')}; see locket-wasm --help`);
  }
  if (args.includes('--help') || args.includes('-h')) return print(command.help);
  await command.run(args);
}

function print(text: string): void {
  process.stdout.write(text);
}

function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
