// `locket-wasm replay`: tells what a link points at.

import type { Command } from 'commander';

import { printableJson } from '../base/text.js';
import { ScenarioError, Simulation } from '../node.js';
import type { SimulationOptions } from '../types.js';
import { stories } from '../stories.js';
import { ending, EXIT_FAILED, EXIT_USAGE, Failure, newCommand, withSteps } from './command.js';
import { readText } from './files.js';
import { paintFor } from './terminal.js';
import { type Told, timeline } from './timeline.js';

const DESCRIPTION = `Tells what a link points at: the scenario, with all that was done to it from
outside, up to the moment at which the link was made.`;

const EXAMPLES = `
Exit code 1 says that the story has become another one, since the link was
made by a version with other rules; or, with --to-end, that an expectation does
not hold.

A link from a program (Simulation.link()), and where it leads:

  locket-wasm replay l2..Q_g3DLVWSRKDIBC8…
  locket-wasm replay --to-end - < link.txt
`;

interface Options {
  json?: true;
  toEnd?: true;
  maxSteps?: number;
}

export function replayCommand(): Command {
  return withSteps(newCommand('replay', 'tell what a link points at'))
    .description(DESCRIPTION)
    .argument('<link>', 'the link, or a URL that ends in it; - reads it from standard input')
    .option('--to-end', "go on to the scenario's end")
    .option('--json', 'print it as JSON')
    .addHelpText('after', EXAMPLES)
    .action(replay);
}

async function replay(given: string, { json, toEnd, ...steps }: Options): Promise<void> {
  const simulation = await openLink('replay', given, steps);
  const { isFaithful } = simulation;
  if (toEnd) simulation.seek({ timeMs: simulation.endMs });
  const told: Told = {
    name: simulation.name,
    description: '',
    events: simulation.trace(),
    failures: toEnd ? simulation.failures() : [],
    digest: simulation.digest(),
  };
  const { nowMs, endMs } = simulation;
  const table = simulation.state().rows;
  simulation.close();
  if (json) {
    process.stdout.write(`${printableJson({ ...told, table, nowMs, endMs, isFaithful })}\n`);
  } else {
    process.stdout.write(timeline(told, paintFor(process.stdout)));
    process.stdout.write(`at ${(nowMs / 1000).toFixed(3)} s of ${(endMs / 1000).toFixed(3)} s\n`);
  }
  if (!isFaithful) throw new Failure(EXIT_FAILED, 'the link was made by a version with other rules; this is another story');
  if (told.failures.length > 0) throw new Failure(EXIT_FAILED, 'expectations do not hold');
}

/** The simulation that a link points at; of a URL, its fragment is the link. */
export async function openLink(command: string, given: string, steps: SimulationOptions): Promise<Simulation> {
  const text = (given === '-' ? readText('-') : given).trim();
  const link = text.slice(Math.max(text.lastIndexOf('#'), text.lastIndexOf('=')) + 1);
  return ending(command, { link: 'link' }, () => {
    try {
      return Simulation.fromLink(link, { stories, ...steps });
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      throw new Failure(EXIT_USAGE, `link: a mistake in its scenario: ${error.message}`, error);
    }
  });
}
