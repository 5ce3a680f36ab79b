// `run --seeds`: a scenario with many seeds, on several cores or machines.

import { runScenario } from 'locket-wasm';
import { merge, type Sweep, sweepSeeds } from 'locket-wasm/check';
import type { Scenario } from 'locket-wasm/types';

import { EXIT_FAILED, Failure } from '../command.js';
import { checkJobs, inJobs } from '../jobs.js';
import { suiteOf, type TestCase } from '../junit.js';
import { type Line, type Report, toned } from '../report.js';
import { withScenario } from '../scenario-file.js';
import { runPart, sha256, workOf } from '../shards/part.js';
import { partsOf, SHARDS_TAKE, type ShardOptions, shardOf, shardText, withoutVerdict } from '../shards/shard.js';
import { complain, status } from '../terminal.js';

interface Options extends ShardOptions {
  seeds: number;
  seed?: number;
  maxSteps?: number;
}

export const SEEDS = {
  by: 'seeds',
  takes: ['seed', 'maxSteps', ...SHARDS_TAKE, 'json', 'junit'],
  work: runSeeds,
};

async function runSeeds(file: string, given: Options): Promise<Report> {
  const { seed: firstSeed = 0, maxSteps, output } = given;
  checkJobs(given.jobs);
  const steps = maxSteps === undefined ? {} : { maxSteps };
  // A validation error is shown with its line.
  const { name, scenario } = withScenario(file, (text) => ({ name: runScenario(text, { trace: false, ...steps }).name, scenario: text }));
  const options = isRandom(scenario) || given.shard !== undefined ? given : withOneSeed(given);
  const { seeds } = options;
  const inputs = { scenario: name, scenarioDigest: sha256(JSON.stringify(JSON.parse(scenario))), firstSeed, seeds, ...steps };
  const work = workOf('seeds', shardOf(options), inputs);
  return withoutVerdict(sweepReport(await runPart(work, output, () => swept(scenario, options)), file), options);
}

const isRandom = (scenario: string): boolean => (JSON.parse(scenario) as Scenario).random === true;

/** One seed is enough if all seeds give the same run. */
function withOneSeed(options: Options): Options {
  if (options.seeds > 1) complain(['the scenario is not random, so all seeds give the same run; it is run once; "random": true lets the seed decide']);
  return { ...options, seeds: Math.min(options.seeds, 1), jobs: 1 };
}

async function swept(scenario: string, { seeds, seed: firstSeed = 0, jobs, maxSteps, ...options }: Options): Promise<Sweep> {
  const shard = shardOf(options);
  const sweeping = { seeds, firstSeed, ...(maxSteps !== undefined && { maxSteps }) };
  if (jobs === 1) {
    const onProgress = ({ runs, total, failed }: { runs: number; total: number; failed: number }) => status.show(`${runs} of ${total} seeds, ${failed} failed`);
    return sweepSeeds(scenario, { ...sweeping, shard: shardText(shard), onProgress });
  }
  const pieces = partsOf(shard, jobs).map((part) => ({ scenario, ...sweeping, shard: shardText(part) }));
  return merge(await inJobs('seeds', pieces, jobs, (count) => status.show(`${count} of ${jobs} shares`)));
}

/** The report on the runs of a scenario's file. */
export function sweepReport(sweep: Sweep, file: string): Report {
  const { failed, runs } = sweep;
  return {
    text: () => linesOf(sweep, file),
    json: [sweep],
    suite: () => suiteOf(sweep.name, casesOf(sweep, file)),
    failure: failed.length > 0 ? new Failure(EXIT_FAILED, `expectations do not hold with ${failed.length} of ${runs} seeds`) : undefined,
  };
}

/** A case for all seeds that pass, and one for each that fails. */
function casesOf({ failed, runs, firstSeed, seeds, digest }: Sweep, file: string): TestCase[] {
  const passed = runs - failed.length;
  const of = `${passed} of ${runs} seeds from ${firstSeed} to ${firstSeed + seeds - 1}`;
  const failing = failed.map(({ seed, failures }): TestCase => ({ name: `seed ${seed}`, result: 'failure', message: failures.join('; '), text: `locket-wasm run ${file} --seed ${seed}` }));
  return [...(passed === 0 ? [] : [{ name: of, result: 'passed' as const, message: '', text: `digest ${digest}` }]), ...failing];
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
