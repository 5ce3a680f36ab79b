// `locket-wasm sweep`: a scenario with many seeds, on several cores or machines.

import type { Command } from 'commander';
import { runScenario } from 'locket-wasm';
import { mergeSweeps, splitShard, type Sweep, sweepSeeds } from 'locket-wasm/check';
import type { Scenario, SweepProgress } from 'locket-wasm/types';

import { EXIT_FAILED, Failure, newCommand, wholeNumber, withSteps } from './command.js';
import { checkJobs, inJobs } from './jobs.js';
import { reporting } from './printer.js';
import { type Line, type Report, toned } from './report.js';
import { SCENARIO_HELP, withScenario } from './scenario-file.js';
import { estimate, type EstimateOptions, withEstimate } from './shards/estimate.js';
import { runPart, sha256, workOf } from './shards/part.js';
import { type ShardOptions, shardOf, shardText, withoutVerdict, withShards } from './shards/shard.js';
import { complain, status } from './terminal.js';

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
    .action(reporting(sweep, (file) => ({ scenario: file })));
}

async function sweep(file: string, given: Options): Promise<Report> {
  const { firstSeed, maxSteps, output } = given;
  checkJobs(given.jobs);
  const steps = maxSteps === undefined ? {} : { maxSteps };
  // A validation error is shown with its line.
  const { name, scenario } = withScenario(file, (text) => ({ name: runScenario(text, { trace: false, ...steps }).name, scenario: text }));
  const options = isRandom(scenario) || given.shard !== undefined ? given : withOneSeed(given);
  const { seeds } = options;
  if (options.estimate) return estimateSweep(scenario, options);
  const inputs = { scenario: name, scenarioDigest: sha256(JSON.stringify(JSON.parse(scenario))), firstSeed, seeds, ...steps };
  const work = workOf('sweep', shardOf(options), inputs);
  return withoutVerdict(sweepReport(await runPart(work, output, () => swept(scenario, options)), file), options);
}

const isRandom = (scenario: string): boolean => (JSON.parse(scenario) as Scenario).random === true;

/** Of runs that are alike one is enough. */
function withOneSeed(options: Options): Options {
  if (options.seeds > 1) complain(['the scenario is not random, so all seeds give the same run; it is run once; "random": true lets the seed decide']);
  return { ...options, seeds: Math.min(options.seeds, 1), jobs: 1 };
}

async function swept(scenario: string, { seeds, firstSeed, jobs, maxSteps, ...options }: Options): Promise<Sweep> {
  const shard = shardText(shardOf(options));
  const sweeping = { seeds, firstSeed, ...(maxSteps !== undefined && { maxSteps }) };
  if (jobs === 1) {
    const onProgress = ({ runs, total, failed }: SweepProgress) => status.show(`${runs} of ${total} seeds, ${failed} failed`);
    return sweepSeeds(scenario, { ...sweeping, shard, onProgress });
  }
  const pieces = splitShard(shard, jobs).map((share) => ({ scenario, ...sweeping, shard: share }));
  return mergeSweeps(await inJobs('sweep', pieces, jobs, (count) => status.show(`${count} of ${jobs} shares`)));
}

/** The runs of a sample are those that the sweep has, too. */
async function estimateSweep(scenario: string, { seeds, firstSeed, maxSteps, ...options }: Options): Promise<Report> {
  const shard = shardOf(options);
  const limit = maxSteps === undefined ? {} : { maxSteps };
  // One run, for the validation errors of the sweep.
  await sweepSeeds(scenario, { seeds: Math.min(seeds, 1), firstSeed, ...limit });
  const value = JSON.parse(scenario) as Scenario;
  return estimate('run', seeds, shard, options, (place) => {
    runScenario({ ...value, seed: firstSeed + place }, { trace: false, ...limit });
    return null;
  });
}

/** The report on the runs of a scenario's file. */
export function sweepReport(sweep: Sweep, file: string): Report {
  const { failed, runs } = sweep;
  return {
    text: () => linesOf(sweep, file),
    json: [sweep],
    failure: failed.length > 0 ? new Failure(EXIT_FAILED, `expectations do not hold with ${failed.length} of ${runs} seeds`) : undefined,
  };
}

const SHOWN_MAX = 10;

function linesOf({ name, firstSeed, seeds, shards, failed, digest }: Sweep, file: string): Line[] {
  const shares = shards.join() === WHOLE ? '' : `, shard ${shards.join(', ')}`;
  const mark = failed.length === 0 ? toned('green', '✓') : toned('red', '✗');
  const shown = failed.slice(0, SHOWN_MAX).flatMap(({ seed, failures }) => [`  locket-wasm run ${file} --seed ${seed}`, ...failures.map((failure) => `    ${failure}`)]);
  const more = failed.length > SHOWN_MAX ? [`  and ${failed.length - SHOWN_MAX} more`] : [];
  return [[mark, ' ', toned('bold', name), `  ${seeds} seeds from ${firstSeed} to ${firstSeed + seeds - 1}${shares}`], ...shown, ...more, toned('dim', `digest ${digest}`)];
}

const WHOLE = '1/1';
