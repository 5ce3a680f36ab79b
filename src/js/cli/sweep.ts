// `locket-wasm sweep` and `merge`: a scenario with many seeds, on several cores or machines.

import type { Command } from 'commander';

import { printable, printableJson } from '../base/text.js';
import { mergeSweeps, splitShard, type Sweep, sweepSeeds } from '../check-node.js';
import { runScenario } from '../node.js';
import type { SweepProgress } from '../types.js';
import { ending, EXIT_FAILED, EXIT_UNFINISHED, Failure, newCommand, wholeNumber, withSteps } from './command.js';
import { readText, writeText } from './files.js';
import { checkJobs, inJobs } from './jobs.js';
import { SCENARIO_HELP, withScenario } from './scenario-file.js';
import { type Paint, paintFor, StatusLine } from './terminal.js';

const SWEEP = `Runs a scenario once with each of many seeds, and lists the seeds whose runs
fail an expectation. The scenario needs "random": true, so that the seed decides
latencies, losses and ties.`;

const SWEEP_EXAMPLES = `
Exit code 1: an expectation does not hold with some seed.

Ten thousand seeds on two cores, then one failing seed in full:

  locket-wasm sweep faulty.json --seeds 10000 --jobs 2
  locket-wasm run faulty.json --seed 17

The second of four machines, then all four reports as one:

  locket-wasm sweep faulty.json --seeds 10000 --shard 2/4 --output part-2.json
  locket-wasm merge part-*.json
`;

const MERGE = `Merges the reports of the shares of one sweep, as sweep --output writes them.
The result equals the report of the whole sweep.`;

const MERGE_EXAMPLES = `
Exit code 1: an expectation does not hold with some seed. Exit code 5: a share
is missing.

  locket-wasm merge part-1.json part-2.json --output whole.json
`;

interface Options extends ReportOptions {
  seeds: number;
  firstSeed: number;
  shard: string;
  jobs: number;
  maxSteps?: number;
}

export function sweepCommand(): Command {
  return withSteps(newCommand('sweep', 'run a scenario with many seeds'))
    .description(SWEEP)
    .argument('<scenario>', SCENARIO_HELP)
    .option('--seeds <count>', 'the number of seeds', wholeNumber, 1000)
    .option('--first-seed <number>', 'the first seed', wholeNumber, 0)
    .option('--shard <i/n>', 'the share of the seeds to run', '1/1')
    .option('--jobs <count>', 'the number of cores to use', wholeNumber, 1)
    .option('--json', 'print the report as JSON')
    .option('-o, --output <file>', 'also write the report, for locket-wasm merge')
    .addHelpText('after', SWEEP_EXAMPLES)
    .action(sweep);
}

export function mergeCommand(): Command {
  return newCommand('merge', 'merge the reports of a sweep')
    .description(MERGE)
    .argument('<report...>', 'reports of sweep --output')
    .option('--json', 'print the report as JSON')
    .option('-o, --output <file>', 'also write the report')
    .addHelpText('after', MERGE_EXAMPLES)
    .action(merge);
}

async function sweep(file: string, { seeds, firstSeed, shard, jobs, maxSteps, ...options }: Options): Promise<void> {
  checkJobs(jobs);
  const status = new StatusLine();
  // A validation error is shown with its line.
  const steps = maxSteps === undefined ? {} : { maxSteps };
  const scenario = withScenario(file, (text) => {
    runScenario(text, { trace: false, ...steps });
    return text;
  });
  const report = await ending('sweep', { scenario: file }, async () => {
    if (jobs === 1) {
      const onProgress = ({ runs, total, failed }: SweepProgress) => status.show(`${runs} of ${total} seeds, ${failed} failed`);
      return sweepSeeds(scenario, { seeds, firstSeed, shard, onProgress, ...steps });
    }
    const pieces = splitShard(shard, jobs).map((share) => ({ scenario, seeds, firstSeed, shard: share, ...steps }));
    return mergeSweeps(await inJobs('sweep', pieces, jobs, (count) => status.show(`${count} of ${jobs} shares`)));
  });
  status.clear();
  print(report, file, options);
}

async function merge(files: string[], options: ReportOptions): Promise<void> {
  const reports = files.map((file) => {
    try {
      return JSON.parse(readText(file)) as Sweep;
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Failure(EXIT_FAILED, `${file} is not a report of a sweep: ${(error as Error).message}`, error);
    }
  });
  const fields = Object.fromEntries(files.map((file, index) => [`sweeps[${index}]`, file]));
  const report = await ending('merge', { ...fields, shards: 'the reports' }, () => mergeSweeps(reports));
  print(report, '<scenario>', options);
  const { shards } = report;
  if (!isWhole(report)) throw new Failure(EXIT_UNFINISHED, `some seeds are missing: only the shares ${shards.join(', ')} were run; merge the others too`);
}

interface ReportOptions {
  json?: true;
  output?: string;
}

function print(report: Sweep, file: string, { json, output }: ReportOptions): void {
  const text = `${printableJson(report)}\n`;
  if (output !== undefined) writeText(output, text);
  process.stdout.write(json ? text : words(report, file, paintFor(process.stdout)));
  const { failed, runs } = report;
  if (failed.length > 0) throw new Failure(EXIT_FAILED, `expectations do not hold with ${failed.length} of ${runs} seeds`);
}

const SHOWN_MAX = 10;

function words(report: Sweep, file: string, paint: Paint): string {
  const { name, firstSeed, seeds, shards, runs, failed, digest } = report;
  const isFine = failed.length === 0;
  const shares = isWhole(report) ? '' : `, shares ${shards.join(', ')}`;
  const mark = isFine ? paint('green', '✓') : paint('red', '✗');
  const lines = [`${mark} ${paint('bold', printable(name))}  ${runs} seeds from ${firstSeed} to ${firstSeed + seeds - 1}${shares}`];
  for (const it of failed.slice(0, SHOWN_MAX)) {
    lines.push(`  locket-wasm run ${printable(file)} --seed ${it.seed}`, ...it.failures.map((failure) => `    ${printable(failure)}`));
  }
  if (failed.length > SHOWN_MAX) lines.push(`  and ${failed.length - SHOWN_MAX} more`);
  return [...lines, paint('dim', `digest ${digest}`), ''].join('\n');
}

const WHOLE = '1/1';

function isWhole({ shards }: Sweep): boolean {
  return shards.join() === WHOLE;
}
