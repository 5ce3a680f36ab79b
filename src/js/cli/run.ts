// `locket-wasm run`: runs a scenario and tells its story.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { runScenario, ScenarioError } from '../node.js';
import { type Command, EXIT_FAILED, EXIT_USAGE, Failure, readOptions } from './command.js';
import { coloured, plain, timeline } from './timeline.js';

const help = `Usage: locket-wasm run SCENARIO.json [--json]

Runs a scenario on the reference Locket, on a virtual clock, and prints what
happened: when, who asked what, what Locket answered, and the locks table
whenever it changed. The digest at the end is the same wherever it runs.

  SCENARIO.json  the scenario's file; - reads standard input
  --json         print the run as JSON, for programs
  --help         print this

Exit codes: 0 it ran, 1 the file cannot be read, 2 wrong usage or a mistake
in the scenario (printed with line and column).

Example, a lock that expires:

  echo '{ "name": "expiry", "until": "20s",
          "clients": [{ "name": "a", "key": "bbs", "ttl": "15s" }],
          "actions": [{ "at": "0s", "node": "a", "do": "lock" }] }' |
    locket-wasm run -
`;

export const runCommand: Command = { summary: 'run a scenario and print what happened', help, run };

function run(args: string[]): void {
  const { values, positionals } = readOptions('run', () =>
    parseArgs({ args, allowPositionals: true, options: { json: { type: 'boolean', default: false } } }),
  );
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) {
    throw new Failure(EXIT_USAGE, 'run takes one scenario file; try: locket-wasm run SCENARIO.json');
  }
  runFile(file, values.json);
}

function runFile(file: string, asJson: boolean): void {
  const text = read(file);
  try {
    const run = runScenario(text);
    const paint = process.stdout.isTTY && process.env['NO_COLOR'] === undefined ? coloured : plain;
    process.stdout.write(asJson ? `${JSON.stringify(run, undefined, 2)}\n` : timeline(run, paint));
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    throw new Failure(EXIT_USAGE, `${file}:${error.message}\n${pointer(text, error)}`);
  }
}

function read(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new Failure(EXIT_FAILED, `cannot read ${file}: ${(error as Error).message}`);
  }
}

/** The line with the mistake, and a mark under it. */
function pointer(text: string, { line, column }: ScenarioError): string {
  const bytes = Buffer.from(text.split('\n')[line - 1] ?? '');
  const before = bytes.subarray(0, Math.max(0, column - 1)).toString().replace(/[^\t]/g, ' ');
  return `  ${bytes.toString()}\n  ${before}^`;
}
