// `locket-wasm compare`: the runners side by side under the same faults.

import type { Command } from 'commander';
import { compareRunners } from 'locket-wasm/check';
import type { CompareQuestion, Faults } from 'locket-wasm/types';

import { duration, EXIT_UNFINISHED, Failure, newCommand } from './command.js';
import { OPTION_OF_FIELD, withBounds } from './question.js';
import { reporting } from './printer.js';
import { type Report, toned } from './report.js';
import { status } from './terminal.js';
import { whyUnknown } from './why-unknown.js';

const DESCRIPTION = `Compares the runners under the same faults: Locket's own before October 2025 and
today, the Cloud Controller's loop with its own lease and retry interval, and
the safe runner. Each number comes from complete searches. The rows are: whether
two owners are possible and for how long; the shortest pause that causes them;
and whether an owner gives up a lock that it still holds. Two more rows allow
latency alone: how long the lock has no owner after a crash, and after its
holder is stopped.`;

const EXAMPLES = `
Exit code 5: a search had no verdict; its cell shows a ?, and the last line says
why.

  locket-wasm compare --ttl 15s --retry-interval 5s --latency 1s --fault pause=8s,1
  locket-wasm compare --ttl 15s --retry-interval 5s --fault lost-message,1
`;

interface Options extends Omit<CompareQuestion, 'faults'> {
  fault?: Faults;
  maxStates?: number;
  json?: true;
}

export function compareCommand(): Command {
  const command = newCommand('compare', 'compare the runners under the same faults')
    .description(DESCRIPTION)
    .option('--ttl <duration>', 'the lease, in whole seconds', duration, '15s')
    .option('--retry-interval <duration>', 'the retry interval; 5s by default, less for a short lease', duration);
  return withBounds(command)
    .option('--json', 'print the comparison as JSON')
    .addHelpText('after', EXAMPLES)
    .action(reporting(compare, OPTION_OF_FIELD));
}

async function compare({ maxStates, fault: faults, json: _, ...question }: Options): Promise<Report> {
  const comparison = await compareRunners(faults === undefined ? question : { ...question, faults }, {
    ...(maxStates !== undefined && { maxStates }),
    onProgress: ({ runners, states }) => status.show(`${runners} done; ${states} states of the next runner`),
  });
  const [head = '', ...rows] = comparison.text.split('\n');
  const open = whyUnknown(comparison.rows, 'runners');
  return {
    text: () => [toned('bold', head), ...rows],
    json: [comparison],
    failure: open === undefined ? undefined : new Failure(EXIT_UNFINISHED, open),
  };
}
