// `locket-wasm sweep`: a scenario with many seeds, on several cores or machines.

import type { Command } from 'commander';

import { printable, printableJson } from '../base/text.js';
import { mergeSweeps, splitShard, type Sweep, sweepSeeds } from '../check-node.js';
import { runScenario } from '../node.js';
import type { Scenario, SweepProgress } from '../types.js';
import { ending, EXIT_FAILED, Failure, newCommand, wholeNumber, withSteps } from './command.js';
import { checkJobs, inJobs } from './jobs.js';
import { SCENARIO_HELP, withScenario } from './scenario-file.js';
import { estimate, type EstimateOptions, withEstimate } from './shards/estimate.js';
import { runPart, sha256, workOf } from './shards/part.js';
import { isVerdictLeft, type ShardOptions, shardOf, shardText, withShards } from './shards/shard.js';
import { complain, type Paint, paintFor, StatusLine } from './terminal.js';

const SWEEP = `Runs a scenario once with each of many seeds, and lists the seeds whose runs
fail an expectation. With "random": true in the scenario the seed decides
latencies, losses and ties. Without it all runs are alike, and one is run.`;

const SWEEP_EXAMPLES = `
Exit code 1: an expectation does not hold with some seed. With --shard and
--output the exit code is 0 once the report is written, and merge has the
verdict.

Ten thousand seeds on two cores, then one failing seed in full:

  locket-wasm sweep faulty.json --seeds 10000 --jobs 2
  locket-wasm run faulty.json --seed 17

How long a million seeds take on eight machines:

  locket-wasm sweep faulty.json --seeds 1000000 --shard 1/8 --estimate

The second of eight machines, then all eight reports as one:

  locket-wasm sweep faulty.json --seeds 1000000 --shard 2/8 --output part-2.json
  locket-wasm merge part-*.json
`;

interface Options extends EstimateOptions, ShardOptions {
  seeds: number;
  firstSeed: number;
  maxSteps?: number;
}

export function sweepCommand(): Command {
  const command = withSteps(newCommand('sweep', 'run a scenario with many seeds'))
    .description(SWEEP)
    .argument('<scenario>', SCENARIO_HELP)
    .option('--seeds <count>', 'the number of seeds', wholeNumber, 1000)
    .option('--first-seed <number>', 'the first seed', wholeNumber, 0);
  return withEstimate(withShards(command, 'seeds'))
    .option('--jobs <count>', 'the number of cores to use', wholeNumber, 1)
    .option('--json', 'print the report as JSON')
    .addHelpText('after', SWEEP_EXAMPLES)
    .action(sweep);
}

async function sweep(file: string, given: Options): Promise<void> {
  const { firstSeed, maxSteps, output } = given;
  checkJobs(given.jobs);
  const steps = maxSteps === undefined ? {} : { maxSteps };
  // A validation error is shown with its line.
  const { name, scenario } = withScenario(file, (text) => ({ name: runScenario(text, { trace: false, ...steps }).name, scenario: text }));
  const options = isRandom(scenario) || given.shard !== undefined ? given : withOneSeed(given);
  const { seeds } = options;
  if (options.estimate) return estimateSweep(file, scenario, options);
  const inputs = { scenario: name, scenarioDigest: sha256(JSON.stringify(JSON.parse(scenario))), firstSeed, seeds, ...steps };
  const work = workOf('sweep', shardOf(options), inputs);
  const report = await runPart(work, output, () => ending('sweep', { scenario: file }, () => reportOf(scenario, options)));
  printSweep(report, file, options);
}

const isRandom = (scenario: string): boolean => (JSON.parse(scenario) as Scenario).random === true;

/** Of runs that are alike one is enough. */
function withOneSeed(options: Options): Options {
  if (options.seeds > 1) complain(['the scenario is not random, so all seeds give the same run; it is run once; "random": true lets the seed decide']);
  return { ...options, seeds: Math.min(options.seeds, 1), jobs: 1 };
}

async function reportOf(scenario: string, { seeds, firstSeed, jobs, maxSteps, ...options }: Options): Promise<Sweep> {
  const status = new StatusLine();
  const shard = shardText(shardOf(options));
  const sweeping = { seeds, firstSeed, ...(maxSteps !== undefined && { maxSteps }) };
  try {
    if (jobs === 1) {
      const onProgress = ({ runs, total, failed }: SweepProgress) => status.show(`${runs} of ${total} seeds, ${failed} failed`);
      return await sweepSeeds(scenario, { ...sweeping, shard, onProgress });
    }
    const pieces = splitShard(shard, jobs).map((share) => ({ scenario, ...sweeping, shard: share }));
    return mergeSweeps(await inJobs('sweep', pieces, jobs, (count) => status.show(`${count} of ${jobs} shares`)));
  } finally {
    status.clear();
  }
}

/** The runs of a sample are those that the sweep has, too. */
async function estimateSweep(file: string, scenario: string, { seeds, firstSeed, maxSteps, ...options }: Options): Promise<void> {
  const shard = shardOf(options);
  const limit = maxSteps === undefined ? {} : { maxSteps };
  // One run, for the validation errors of the sweep.
  await ending('sweep', { scenario: file }, () => sweepSeeds(scenario, { seeds: Math.min(seeds, 1), firstSeed, ...limit }));
  const value = JSON.parse(scenario) as Scenario;
  await estimate('run', seeds, shard, options, (place) => {
    runScenario({ ...value, seed: firstSeed + place }, { trace: false, ...limit });
    return null;
  });
}

/** Prints the report of a sweep, and ends with its verdict. */
export function printSweep(report: Sweep, file: string, options: Partial<ShardOptions> & { json?: true }): void {
  process.stdout.write(options.json ? `${printableJson(report)}\n` : words(report, file, paintFor(process.stdout)));
  const { failed, runs } = report;
  if (failed.length > 0 && !isVerdictLeft(options)) throw new Failure(EXIT_FAILED, `expectations do not hold with ${failed.length} of ${runs} seeds`);
}

const SHOWN_MAX = 10;

function words(report: Sweep, file: string, paint: Paint): string {
  const { name, firstSeed, seeds, shards, runs, failed, digest } = report;
  const isFine = failed.length === 0;
  const shares = shards.join() === WHOLE ? '' : `, shard ${shards.join(', ')}`;
  const mark = isFine ? paint('green', '✓') : paint('red', '✗');
  const lines = [`${mark} ${paint('bold', printable(name))}  ${runs} seeds from ${firstSeed} to ${firstSeed + seeds - 1}${shares}`];
  for (const it of failed.slice(0, SHOWN_MAX)) {
    lines.push(`  locket-wasm run ${printable(file)} --seed ${it.seed}`, ...it.failures.map((failure) => `    ${printable(failure)}`));
  }
  if (failed.length > SHOWN_MAX) lines.push(`  and ${failed.length - SHOWN_MAX} more`);
  return [...lines, paint('dim', `digest ${digest}`), ''].join('\n');
}

const WHOLE = '1/1';
