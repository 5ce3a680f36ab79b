// `locket-wasm export`: a run in a form that other tools read.

import { type Command, Option } from 'commander';

import { exportTrace, runScenario } from '../node.js';
import type { TraceFormat } from '../types.js';
import { EXIT_USAGE, Failure, newCommand, withSteps } from './command.js';
import { SCENARIO_HELP, withScenario, writeText } from './files.js';
import { openLink } from './replay.js';

const FORMATS = {
  chrome: 'for ui.perfetto.dev and chrome://tracing',
  'json-lines': 'an event a line, for programs',
  junit: 'a report with the expectations as test cases',
  mermaid: 'a sequence diagram',
  'rust-test': 'a Rust test that tells the same run again',
  shiviz: 'a log with vector clocks, for bestchai.bitbucket.io/shiviz',
  'typescript-test': "the same as a test for Node's test runner",
} satisfies Record<TraceFormat, string>;

const EXAMPLES = `
Formats:

${Object.entries(FORMATS)
  .map(([name, meaning]) => `  ${name.padEnd(16)}${meaning}\n`)
  .join('')}
Examples:

  locket-wasm export story.json --format mermaid
  locket-wasm export story.json --format chrome --output trace.json
  locket-wasm export --link l2..Q_g3DLVWSRKDIBC8… --format typescript-test
`;

interface Options {
  format: TraceFormat;
  link?: string;
  output: string;
  maxSteps?: number;
}

export function exportCommand(): Command {
  return withSteps(newCommand('export', 'write a run in a form that other tools read'))
    .description('Runs a scenario, or goes where a link points, and writes what happened.')
    .argument('[scenario]', SCENARIO_HELP)
    .addOption(new Option('-f, --format <format>', 'the form').choices(Object.keys(FORMATS)).makeOptionMandatory())
    .option('--link <link>', 'instead of a scenario: what this link points at')
    .option('-o, --output <file>', 'where to write it', '-')
    .addHelpText('after', EXAMPLES)
    .action(exportRun);
}

async function exportRun(file: string | undefined, { format, link, output, ...steps }: Options): Promise<void> {
  if ((file === undefined) === (link === undefined)) {
    throw new Failure(EXIT_USAGE, 'export takes either a scenario or --link; see locket-wasm export --help');
  }
  if (file !== undefined) return writeText(output, withScenario(file, (text) => exportTrace(runScenario(text, steps), format)));
  const simulation = await openLink('export', link as string, steps);
  writeText(output, exportTrace(simulation, format));
}
