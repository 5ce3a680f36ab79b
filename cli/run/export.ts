// `run --export`: writes a run in a format for other tools.

import { Option } from 'commander';
import type { Simulation } from 'locket-wasm';
import { runPicture } from 'locket-wasm/picture';
import type { TraceFormat } from 'locket-wasm/types';

import type { Report } from '../report.js';
import { withScenario } from '../scenario-file.js';
import { type EachOptions, withSeed } from './each.js';
import { WholeRun } from './whole-run.js';

/** The formats; `--junit` is a separate option. */
const FORMATS = {
  'json-lines': 'one event a line, for programs',
  mermaid: 'a sequence diagram',
  'rust-test': 'a Rust test that repeats the run',
  svg: 'a picture',
  'typescript-test': "a test for Node's test runner that repeats the run",
} satisfies Record<Exclude<TraceFormat, 'junit'> | 'svg', string>;

type Format = keyof typeof FORMATS;

/** The values of the option, for the help. */
export const FORMATS_HELP = `Formats of --export:

${Object.entries(FORMATS)
  .map(([name, meaning]) => `  ${name.padEnd(16)}${meaning}\n`)
  .join('')}`;

export interface ExportOptions extends EachOptions {
  export: Format;
  output?: string;
}

export function exportOption(): Option {
  return new Option('--export <format>', 'write the run in a format for other tools').choices(Object.keys(FORMATS));
}

export const EXPORT = {
  by: 'export',
  takes: ['seed', 'maxSteps', 'output'],
  work: exportScenario,
};

function exportScenario(file: string, { export: format, output = '-', seed, maxSteps }: ExportOptions): Report {
  const steps = maxSteps === undefined ? {} : { maxSteps };
  return withScenario(file, (text) => {
    using whole = new WholeRun(seed === undefined ? text : withSeed(text, seed), steps);
    return exportSimulation(whole, format, output);
  });
}

/** A simulation in a format. */
export function exportSimulation(simulation: WholeRun | Simulation, format: Format, output = '-'): Report {
  return { files: [{ file: output, text: format === 'svg' ? runPicture(simulation) : simulation.export(format) }] };
}
