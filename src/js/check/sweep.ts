// Runs a scenario with many seeds, all of them or a share; reports of shares merge to the report of
// all.

import { LocketArgumentError } from '../base/errors.js';
import { checkObject } from '../base/checks.js';
import { callback, checkedOptions, whole } from '../base/options.js';
import { readShard } from '../base/shard.js';
import { inSlices } from '../base/slices.js';
import { init, Simulation } from '../node.js';
import type { FailedSeed, SeedRuns } from '../simulation/seed-runs.js';
import { scenarioText } from '../simulation/scenario-text.js';
import type { Scenario } from '../simulation/scenario-value.js';
import { STEPS, type StepsOption } from '../simulation/steps.js';
import { WAITING } from './long-work.js';
import { type Monitor, checkMonitors } from './monitors.js';

/** The report of a sweep, or of a share of it. It is a plain value that you can save as JSON. */
export interface Sweep {
  /** The scenario's name. */
  name: string;
  /** The first seed of the whole sweep. */
  firstSeed: number;
  /** The number of seeds of the whole sweep. */
  seeds: number;
  /** The shares that were run; `['1/1']` if all were. */
  shards: string[];
  /** The number of runs. */
  runs: number;
  /** The seeds that failed, in ascending order. */
  failed: FailedSeed[];
  /** The number of seeds that tested each monitor; empty without monitors. */
  exercised: Record<string, number>;
  /**
   * The sum of the digests of all runs, in 16 hexadecimal digits. It does not depend on the shares.
   */
  digest: string;
}

/** The progress of a sweep. */
export interface SweepProgress {
  /** The number of finished runs. */
  runs: number;
  /** The number of all runs. */
  total: number;
  /** The number of failed runs. */
  failed: number;
}

/** Options of {@link sweepSeeds}. */
export interface SweepOptions extends StepsOption {
  /** The number of seeds, up to 1,000,000,000. */
  seeds: number;
  /** The first seed; 0 by default. */
  firstSeed?: number;
  /** The share of the seeds to run: `2/4` is the second of four. All of them by default. */
  shard?: string;
  /**
   * Creates the monitors of one run, by name: see {@link checkMonitors}. A seed whose run violates
   * one fails. Runs with monitors take several times as long.
   */
  monitors?: () => Record<string, Monitor>;
  /** Aborts the sweep; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called some hundred times a second with the progress. */
  onProgress?: (progress: SweepProgress) => void;
}

const SEEDS_MAX = 1_000_000_000;
const OPTIONS = {
  monitors: callback,
  seeds: whole(1, SEEDS_MAX),
  firstSeed: whole(0, Number.MAX_SAFE_INTEGER - SEEDS_MAX, 0),
  shard: (field: string, shard: unknown) => readShard(field, shard ?? '1/1'),
  ...STEPS,
  ...WAITING,
};

/**
 * Runs a scenario once with each seed, without keeping events. The event loop stays responsive.
 *
 * @example
 * ```ts
 * const { failed } = await sweepSeeds(scenario, { seeds: 10_000 });
 * for (const { seed, failures } of failed) console.log(seed, failures);
 * ```
 *
 * @param scenario one with `"random": true`: without it, the runs of all seeds are alike
 * @throws `ScenarioError` with line and column of the first validation error
 */
export async function sweepSeeds(scenario: string | Scenario, options: SweepOptions): Promise<Sweep> {
  await init();
  const { seeds, firstSeed, shard: [share, of], maxSteps } = checkedOptions(options, OPTIONS);
  const { signal, onProgress, monitors } = options;
  signal?.throwIfAborted();
  const text = scenarioText(scenario);
  // A validation error refers to the text as given.
  Simulation.runSeeds(text, 0, of, 0, maxSteps);
  const value = JSON.parse(text) as Scenario;

  const failed: FailedSeed[] = [];
  const exercised: Record<string, number> = {};
  const total = Math.floor((seeds - share) / of) + 1;
  let runs = 0;
  let sum = 0n;
  const take = (part: SeedRuns) => {
    failed.push(...part.failed);
    sum += BigInt(`0x${part.digest}`);
  };
  await inSlices(
    (budget) => {
      // A run costs much more than a state, the unit of slices.
      const count = Math.min(total - runs, Math.ceil(budget / STATES_PER_RUN));
      const from = firstSeed + share - 1 + runs * of;
      if (monitors === undefined) take(JSON.parse(Simulation.runSeeds(text, from, of, count, maxSteps)) as SeedRuns);
      else for (let seed = from; seed < from + count * of; seed += of) take(monitored(new Simulation({ ...value, seed }, { maxSteps }), seed, monitors(), exercised));
      runs += count;
      return runs === total;
    },
    { signal, onSlice: () => onProgress?.({ runs, total, failed: failed.length }) },
  );
  return { name: value.name, firstSeed, seeds, shards: [`${share}/${of}`], runs, failed, exercised, digest: hexadecimal(sum) };
}

const STATES_PER_RUN = 64;

function monitored(simulation: Simulation, seed: number, monitors: Record<string, Monitor>, exercised: Record<string, number>): SeedRuns {
  try {
    const results = checkMonitors(simulation, monitors);
    for (const { name, outcome } of results) exercised[name] = (exercised[name] ?? 0) + Number(outcome !== 'never-exercised');
    const violated = results.filter(({ outcome }) => outcome === 'violated');
    const words = violated.map(({ name, timeMs }) => `${name}: violated at ${Number(timeMs) / 1000} s`);
    const [failures, digest] = [[...simulation.failures(), ...words], simulation.digest()];
    return { failed: failures.length > 0 ? [{ seed, failures, digest }] : [], digest };
  } finally {
    simulation.close();
  }
}

/** Merges the reports of the shares of one sweep, at least one. */
export function mergeSweeps(sweeps: readonly Sweep[]): Sweep {
  // Not with its `map`, which skips holes.
  const parts = Array.from(sweeps, (sweep: unknown, index) => readSweep(`results[${index}]`, sweep));
  const [first] = parts as [Sweep, ...Sweep[]];
  for (const [index, part] of parts.entries()) {
    for (const member of ['name', 'firstSeed', 'seeds'] as const) {
      if (part[member] === first[member]) continue;
      const [here, there] = [part[member], first[member]].map((it) => JSON.stringify(it));
      throw new LocketArgumentError(`results[${index}].${member}`, `expected the same sweep, but ${here} is not ${there}`);
    }
  }
  return {
    name: first.name,
    firstSeed: first.firstSeed,
    seeds: first.seeds,
    shards: union(parts.flatMap(({ shards }) => shards)),
    runs: parts.reduce((sum, { runs }) => sum + runs, 0),
    failed: parts.flatMap(({ failed }) => failed).sort((one, other) => one.seed - other.seed),
    exercised: sums(parts.map((part) => part.exercised)),
    digest: hexadecimal(parts.reduce((sum, { digest }) => sum + BigInt(`0x${digest}`), 0n)),
  };
}

/** The fewest shares that make up all of these. */
function union(shards: string[]): string[] {
  const read = shards.map((shard) => readShard('shard', shard));
  const all = read.reduce((multiple, [, of]) => (multiple / gcd(multiple, of)) * of, 1);
  if (all > SEEDS_MAX) throw new LocketArgumentError('shards', 'expected shares whose counts have a smaller common multiple');
  const have = new Set<number>();
  for (const [share, of] of read) {
    for (let place = share - 1; place < all; place += of) {
      if (have.has(place)) throw new LocketArgumentError('shards', `the share ${share}/${of} was run twice, or a part of it`);
      have.add(place);
    }
  }
  const isUnionOf = (of: number) => all % of === 0 && [...have].every((place) => have.has((place + of) % all));
  let of = 1;
  while (!isUnionOf(of)) of += 1;
  const places = [...have].filter((place) => place < of).sort((one, other) => one - other);
  return places.map((place) => `${place + 1}/${of}`);
}

function sums(counts: Record<string, number>[]): Record<string, number> {
  const names = new Set(counts.flatMap((it) => Object.keys(it)));
  return Object.fromEntries([...names].map((name) => [name, counts.reduce((sum, it) => sum + (it[name] ?? 0), 0)]));
}

function gcd(one: number, other: number): number {
  return other === 0 ? one : gcd(other, one % other);
}

/** A report from a file may be any value. */
function readSweep(field: string, value: unknown): Sweep {
  checkObject(field, value);
  const { name, firstSeed, seeds, shards, runs, failed, exercised, digest } = value as Partial<Sweep>;
  const isReport =
    typeof name === 'string' &&
    [firstSeed, seeds, runs].every((count) => Number.isSafeInteger(count)) &&
    Array.isArray(shards) &&
    Array.isArray(failed) &&
    failed.every((it) => Number.isSafeInteger((it as Partial<FailedSeed> | null)?.seed)) &&
    typeof exercised === 'object' &&
    exercised !== null &&
    Object.values(exercised).every((count) => Number.isSafeInteger(count)) &&
    typeof digest === 'string' &&
    /^[\da-f]{16}$/.test(digest);
  if (!isReport) throw new LocketArgumentError(field, 'expected a report that sweepSeeds returned');
  for (const shard of shards) readShard(`${field}.shards`, shard);
  return value as Sweep;
}

function hexadecimal(sum: bigint): string {
  return BigInt.asUintN(64, sum).toString(16).padStart(16, '0');
}
