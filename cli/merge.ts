// `locket-wasm merge`: the reports of all shards become the result of the whole work.

import type { Command } from 'commander';
import { merge as merged } from 'locket-wasm/check';

import { EXIT_FAILED, EXIT_UNFINISHED, Failure, newCommand, reportedBy } from './command.js';
import { mapReport } from './explore/map.js';
import { reporting } from './printer.js';
import type { Report } from './report.js';
import { sweepReport } from './run/seeds.js';
import { difference, type Part, readPart, type Results, workOf, writePart } from './shards/part.js';
import { ALL, interleaved, readShard, shardText } from './shards/shard.js';

const DESCRIPTION = `Merges the reports of the shards of run --seeds or explore --map, as --output
writes them. The result is the same as on one machine, byte for byte.`;

const EXAMPLES = `
Equal reports of one shard count once; different ones are an error. Exit code 5:
a shard is missing; the error lists which. Otherwise the exit code is that of
the whole work.

  locket-wasm merge part-1.json part-2.json
  locket-wasm merge part-*.json --json
`;

interface Options {
  json?: true;
  junit?: string;
  output?: string;
}

/** How to join the results of all shards, in their order, and the report on the whole. */
const KINDS: { [K in keyof Results]: { join: (results: Results[K][]) => Results[K]; report: (result: Results[K]) => Report } } = {
  map: { join: interleaved, report: (rows) => mapReport(merged(rows)) },
  seeds: { join: (sweeps) => merged(sweeps), report: (sweep) => sweepReport(sweep, '<scenario>') },
};

export function mergeCommand(): Command {
  return newCommand('merge', 'merge the reports of shards')
    .description(DESCRIPTION)
    .argument('<report...>', 'reports of shards, written by --output')
    .option('--json', 'print the result as JSON')
    .option('--junit <file>', 'also write a JUnit report: a case for each cell of a map, or each seed that fails')
    .option('-o, --output <file>', 'also write the report of the whole work')
    .addHelpText('after', EXAMPLES)
    .action(reporting(merge));
}

async function merge(files: string[], options: Options): Promise<Report> {
  const read = distinct(files.map((file) => ({ file, part: readPart(file) })));
  const fileOfField = Object.fromEntries(read.map(({ file }, index) => [`results[${index}]`, file]));
  const parts = read.map(({ part }) => part) as [Part, ...Part[]];
  return reportedBy('merge', fileOfField, () => mergeKind(parts[0].kind, parts, options));
}

function mergeKind<K extends keyof Results>(kind: K, parts: [Part, ...Part[]], options: Options): Report {
  const { join, report } = KINDS[kind];
  const result = join(parts.map((part) => part.result as Results[K]));
  if (options.output !== undefined) writePart(options.output, workOf(kind, ALL, parts[0].inputs), result);
  return report(result);
}

interface Read {
  file: string;
  part: Part;
}

/** One report of each shard of one work, in the order of the shards. */
function distinct(read: Read[]): Read[] {
  const [first] = read as [Read, ...Read[]];
  const { of } = readShard(first.part.shard);
  const places: (Read | undefined)[] = Array.from({ length: of });
  for (const it of read) {
    checkSame(it, first);
    const { index } = readShard(it.part.shard);
    const twin = places[index - 1];
    if (twin !== undefined && twin.part.digest !== it.part.digest) {
      throw new Failure(EXIT_FAILED, `${twin.file} and ${it.file} have different results of shard ${it.part.shard}; delete both and run the shard again`);
    }
    places[index - 1] = it;
  }
  const missing = places.flatMap((it, place) => (it === undefined ? [shardText({ index: place + 1, of })] : []));
  if (missing.length > 0) throw new Failure(EXIT_UNFINISHED, missingText(missing));
  return places as Read[];
}

function checkSame(it: Read, first: Read): void {
  const other = difference(it.part, first.part);
  if (other !== undefined) throw new Failure(EXIT_FAILED, `${it.file} has the report of other work than ${first.file}: ${other}; merge them apart`);
  const [one, all] = [it, first].map(({ part }) => readShard(part.shard).of);
  if (one !== all) throw new Failure(EXIT_FAILED, `${it.file} has shard ${it.part.shard}, but ${first.file} has ${first.part.shard}; run all shards with one count`);
}

const MISSING_SHOWN_MAX = 20;

function missingText(missing: string[]): string {
  const shown = missing.slice(0, MISSING_SHOWN_MAX).join(', ');
  const more = missing.length > MISSING_SHOWN_MAX ? ` and ${missing.length - MISSING_SHOWN_MAX} more` : '';
  const one = missing.length === 1;
  return `${one ? 'shard' : 'shards'} ${shown}${more} ${one ? 'is' : 'are'} missing; run ${one ? 'it' : 'them'} and merge again`;
}
