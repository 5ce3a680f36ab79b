// How long work takes, from a sample of its units. Nothing of it is kept: a shard runs whole.

import { setImmediate } from 'node:timers/promises';

import { type Command, InvalidArgumentError, Option } from 'commander';

import { counted, longTime, number } from '../../src/js/base/text.js';
import { EXIT_UNFINISHED, Failure, milliseconds } from '../command.js';
import type { Report } from '../report.js';
import { rarely } from '../short-help.js';
import { status } from '../terminal.js';
import type { Shard } from './shard.js';

/** An estimate of work, on one core. */
export interface Estimate {
  /** The unit of the work. */
  unit: 'cell' | 'question' | 'run';
  sample: {
    units: number;
    seconds: number;
    /** Whether the time for the sample ended in the middle of a unit. */
    isCut: boolean;
  };
  whole: Cost;
  shards: number;
  /** The mean of all shards. */
  shard: Cost;
}

/** The cost of some units. */
export interface Cost {
  units: number;
  seconds: number;
  /** Two standard errors below and above; `null` after fewer than two units. */
  secondsRange: { from: number; to: number } | null;
  /** The states of searches; `null` for runs, which have none. */
  states: number | null;
}

/** The options of an estimate. */
export interface EstimateOptions {
  estimate?: true;
  sample: number;
  json?: true;
}

/** Runs one unit, and returns its states. */
type Measure = (place: number, signal: AbortSignal) => Promise<number | null> | number | null;

/** The options of an estimate, as programs name them. */
export const ESTIMATE_TAKES: readonly string[] = ['estimate', 'sample'];

/** Adds the options of an estimate. */
export function withEstimate(command: Command): Command {
  return command
    .addOption(rarely(new Option('--estimate', 'do not do the work; say how long it takes, from a sample')))
    .addOption(rarely(new Option('--sample <duration>', 'how long --estimate tries').argParser(sampleTime).default(SAMPLE_MS, '5s')));
}

const SAMPLE_MS = 5000;

/** Estimates work of so many units. */
export async function estimate(unit: Estimate['unit'], units: number, { of }: Shard, { sample }: EstimateOptions, measure: Measure): Promise<Report> {
  const tried = await sampled(unit, units, sample, measure);
  if (tried.costs.length === 0) throw new Failure(EXIT_UNFINISHED, `no estimate: one ${unit} takes longer than the sample; raise --sample`);
  const found = estimateOf(unit, units, of, tried);
  return { text: () => estimateLines(found), json: [found] };
}

interface Sample {
  costs: { seconds: number; states: number | null }[];
  isCut: boolean;
}

async function sampled(unit: string, units: number, sampleMs: number, measure: Measure): Promise<Sample> {
  const costs: Sample['costs'] = [];
  const signal = AbortSignal.timeout(sampleMs);
  try {
    for (const place of spread(units)) {
      const from = performance.now();
      const states = await measure(place, signal);
      costs.push({ seconds: (performance.now() - from) / 1000, states });
      status.show(`sample: ${costs.length} of ${units} ${unit}s`);
      // The signal's timer has its turn.
      await setImmediate();
      if (signal.aborted) break;
    }
    return { costs, isCut: false };
  } catch (error) {
    if (error !== signal.reason) throw error;
    return { costs, isCut: true };
  }
}

/**
 * All places, in an order whose every beginning is spread evenly: the cost of a unit often grows with
 * its place. The step is near the golden section of the number, without a common divisor.
 */
function* spread(units: number): Generator<number> {
  let step = Math.max(1, Math.round(units * 0.618));
  while (gcd(step, units) > 1) step += 1;
  for (let count = 0, place = Math.floor(units / 2); count < units; count += 1, place = (place + step) % units) yield place;
}

const gcd = (one: number, other: number): number => (other === 0 ? one : gcd(other, one % other));

function estimateOf(unit: Estimate['unit'], units: number, shards: number, { costs, isCut }: Sample): Estimate {
  const whole = costOf(units, costs);
  const share = (amount: number) => amount / shards;
  const shard: Cost = {
    units: share(units),
    seconds: share(whole.seconds),
    secondsRange: whole.secondsRange && { from: share(whole.secondsRange.from), to: share(whole.secondsRange.to) },
    states: whole.states && Math.round(share(whole.states)),
  };
  return { unit, sample: { units: costs.length, seconds: sum(costs.map(({ seconds }) => seconds)), isCut }, whole, shards, shard };
}

function costOf(units: number, costs: Sample['costs']): Cost {
  const tried = costs.length;
  const spent = costs.map(({ seconds }) => seconds);
  const seconds = (units / tried) * sum(spent);
  const mean = seconds / units;
  const variance = sum(spent.map((it) => (it - mean) ** 2)) / (tried - 1);
  // Nothing is unknown about units that were tried, which is all of them in the end.
  const error = units * Math.sqrt((variance / tried) * (1 - tried / units));
  const hasStates = costs.every(({ states }) => states !== null);
  return {
    units,
    seconds,
    secondsRange: tried < 2 ? null : { from: Math.max(sum(spent), seconds - 2 * error), to: seconds + 2 * error },
    states: hasStates ? Math.round((units * sum(costs.map(({ states }) => states ?? 0))) / tried) : null,
  };
}

const sum = (values: number[]): number => values.reduce((total, it) => total + it, 0);

function estimateLines({ unit, sample, whole, shards, shard }: Estimate): string[] {
  return [
    `the whole   ${costText(unit, whole, sample.isCut)}`,
    ...(shards > 1 ? [`each shard  ${costText(unit, shard, sample.isCut)}, of ${number(shards)} shards`] : []),
    `the sample  ${number(sample.units)} of ${counted(whole.units, unit)}, ${timeText(sample.seconds)}, on one core`,
    ...(sample.isCut ? [`The sample ended within a ${unit} that takes longer than others; a longer --sample is more exact.`] : []),
  ];
}

function costText(unit: string, { units, seconds, secondsRange, states }: Cost, isCut: boolean): string {
  const range = secondsRange === null || isCut ? '' : ` (${timeText(secondsRange.from)} to ${timeText(secondsRange.to)})`;
  const searched = states === null ? '' : `, ${counted(states, 'state')}`;
  return `${counted(Math.round(units), unit)}${searched}, ${isCut ? 'at least' : 'about'} ${timeText(seconds)}${range}`;
}

const timeText = (seconds: number): string => (seconds < 120 ? `${number(Number(seconds.toPrecision(2)))} s` : longTime(seconds * 1000));

function sampleTime(value: string): number {
  const ms = milliseconds(value);
  if (ms < 1 || ms > SAMPLE_MS_MAX) throw new InvalidArgumentError('Expected 1ms to 24h.');
  return ms;
}

const SAMPLE_MS_MAX = 24 * 3_600_000;
