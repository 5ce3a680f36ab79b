// `locket-wasm export`: writes a run in a format for other tools.

import { type Command, Option } from 'commander';
import { exportTrace, runScenario } from 'locket-wasm';
import type { TraceFormat } from 'locket-wasm/types';

import { EXIT_USAGE, Failure, newCommand, withSteps } from './command.js';
import { reporting } from './printer.js';
import { LINK_FIELDS, openLink } from './replay.js';
import type { Report } from './report.js';
import { SCENARIO_HELP, withScenario } from './scenario-file.js';

const FORMATS = {
  'json-lines': 'one event a line, for programs',
  junit: 'a report with the expectations as test cases',
  mermaid: 'a sequence diagram',
  'rust-test': 'a Rust test that repeats the run',
  'typescript-test': "a test for Node's test runner that repeats the run",
} satisfies Record<TraceFormat, string>;

const EXAMPLES = `
Formats:

${Object.entries(FORMATS)
  .map(([name, meaning]) => `  ${name.padEnd(16)}${meaning}\n`)
  .join('')}
Examples:

  locket-wasm export story.json --format mermaid
  locket-wasm export story.json --format json-lines --output trace.jsonl
  locket-wasm export --link l2..Q_g3DLVWSRKDIBC8… --format typescript-test
`;

interface Options {
  format: TraceFormat;
  link?: string;
  output: string;
  maxSteps?: number;
}

export function exportCommand(): Command {
  return withSteps(newCommand('export', 'write a run in a format for other tools'))
    .description('Runs a scenario, or opens a link, and writes the events of the run.')
    .argument('[scenario]', SCENARIO_HELP)
    .addOption(new Option('-f, --format <format>', 'the format').choices(Object.keys(FORMATS)).makeOptionMandatory())
    .option('--link <link>', 'open this link instead of a scenario')
    .option('-o, --output <file>', 'write to this file; - is standard output', '-')
    .addHelpText('after', EXAMPLES)
    .action(reporting(exportRun, LINK_FIELDS));
}

function exportRun(file: string | undefined, { format, link, output, ...steps }: Options): Report {
  if ((file === undefined) === (link === undefined)) {
    throw new Failure(EXIT_USAGE, 'export needs either a scenario or --link; see locket-wasm export --help');
  }
  const text =
    file === undefined
      ? exportTrace(openLink(link as string, steps), format)
      : withScenario(file, (scenario) => exportTrace(runScenario(scenario, steps), format));
  return { files: [{ file: output, text }] };
}
