// A shard: the share of long work that one process does. `2/4` is the second of four, and has the
// units 2, 6, 10 and so on. Neighbours cost about the same, so shards do, too.

import { type Command, InvalidArgumentError, Option } from 'commander';

import { EXIT_USAGE, Failure, wholeNumber } from '../command.js';
import type { Report } from '../report.js';
import { rarely } from '../short-help.js';

/** The i-th of n shards, counted from 1. */
export interface Shard {
  index: number;
  of: number;
}

/** The options of work that has shards. */
export interface ShardOptions {
  shard?: Shard;
  output?: string;
  jobs: number;
}

const SHARDS_MAX = 10_000;
/** The only shard of all. */
export const ALL: Shard = { index: 1, of: 1 };

/** The options of work that has shards, as programs name them. */
export const SHARDS_TAKE: readonly string[] = ['jobs', 'output', 'shard'];

/** Adds the options of work that has shards. Its --output is a report for merge; a complete one is not done again. */
export function withShards(command: Command, units: string): Command {
  return command
    .addOption(rarely(new Option('--shard <i/n>', `do only a share of the ${units}: 2/4 is the second of four; --output is a report for merge`).argParser(readShard)))
    .addOption(rarely(new Option('--jobs <count>', `the number of cores for the ${units}`).argParser(wholeNumber).default(1)));
}

/** The shard of the options; all of the work by default. */
export const shardOf = ({ shard = ALL }: Partial<ShardOptions>): Shard => shard;

/** The shard as users write it. */
export const shardText = ({ index, of }: Shard): string => `${index}/${of}`;

/**
 * The report without a verdict, if that is left to the merge. An engine that runs shards takes another exit code than
 * 0 for a lost shard, and would run it again.
 */
export function withoutVerdict({ failure, ...report }: Report, { shard, output }: Partial<ShardOptions>): Report {
  return shard !== undefined && output !== undefined ? report : { ...report, failure };
}

/** The units of a shard. */
export function unitsOf<T>(units: readonly T[], { index, of }: Shard, unit: string): T[] {
  if (of > units.length) {
    throw new Failure(EXIT_USAGE, `--shard: expected at most ${units.length} shards, one for each ${unit}, not ${of}`);
  }
  return units.filter((_, place) => place % of === index - 1);
}

/** Shards that make up one: those of `2/3` in four are `2/12`, `5/12`, `8/12` and `11/12`. */
export function partsOf({ index, of }: Shard, count: number): Shard[] {
  return Array.from({ length: count }, (_, part) => ({ index: index + part * of, of: of * count }));
}

/** The units of all shards, in their order. */
export function interleaved<T>(shards: readonly (readonly T[])[]): T[] {
  const longest = Math.max(...shards.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) => shards.flatMap((units) => units.slice(place, place + 1))).flat();
}

/** A shard such as 2/4. */
export function readShard(text: string): Shard {
  const [index, of] = (/^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? []).slice(1).map(Number);
  if (index === undefined || of === undefined || index < 1 || index > of || of > SHARDS_MAX) {
    throw new InvalidArgumentError(`Expected a shard such as 2/4, of at most ${SHARDS_MAX}.`);
  }
  return { index, of };
}
