// `locket-wasm replay`: replays a link and prints a summary or its events.

import type { Command } from 'commander';

import { printableJson, seconds } from '../base/text.js';
import { ScenarioError, Simulation } from '../node.js';
import type { SimulationOptions } from '../types.js';
import { stories } from '../stories.js';
import { ending, EVENTS_AND_JSON, EXIT_FAILED, EXIT_USAGE, Failure, newCommand, withSteps } from './command.js';
import { readText } from './files.js';
import { runFacts } from './summary/run-facts.js';
import { runSummary } from './summary/run-summary.js';
import { paintFor } from './terminal.js';
import { type PrintedRun, timeline } from './timeline.js';

const DESCRIPTION = `Replays a link: runs its scenario with all later actions, up to the moment at
which the link was made, and prints a summary. --events prints every event
instead.`;

const EXAMPLES = `
Exit code 1: the run differs from the original, because the link was made by a
version with other rules; or, with --to-end, an expectation does not hold.

A link that a program made with Simulation.link():

  locket-wasm replay l2..Q_g3DLVWSRKDIBC8…
  locket-wasm replay --to-end - < link.txt
  locket-wasm replay --events - < link.txt
`;

interface Options {
  events?: true;
  json?: true;
  toEnd?: true;
  maxSteps?: number;
}

export function replayCommand(): Command {
  return withSteps(newCommand('replay', 'replay a link and print a summary'))
    .description(DESCRIPTION)
    .argument('<link>', 'the link, or a URL that ends in it; - reads it from standard input')
    .option('--to-end', "continue to the scenario's end")
    .option('--events', 'print all events instead of the summary')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES)
    .action(replay);
}

async function replay(given: string, { events, json, toEnd, ...steps }: Options): Promise<void> {
  if (events && json) throw new Failure(EXIT_USAGE, EVENTS_AND_JSON);
  const simulation = await openLink('replay', given, steps);
  const { isFaithful } = simulation;
  if (toEnd) simulation.seek({ timeMs: simulation.endMs });
  const run: PrintedRun = {
    name: simulation.name,
    description: '',
    events: simulation.trace(),
    failures: toEnd ? simulation.failures() : [],
    digest: simulation.digest(),
  };
  const { nowMs, endMs } = simulation;
  const table = simulation.state().rows;
  const paint = paintFor(process.stdout);
  const text = json ? '' : events ? timeline(run, paint) : runSummary(runFacts(simulation, { nowMs, ...run }), paint);
  simulation.close();
  if (json) {
    process.stdout.write(`${printableJson({ ...run, table, nowMs, endMs, isFaithful })}\n`);
  } else {
    process.stdout.write(`${text}at ${seconds(nowMs)} of ${seconds(endMs)}\n`);
  }
  if (!isFaithful) throw new Failure(EXIT_FAILED, 'this run differs from the original: the link was made by a version with other rules');
  if (run.failures.length > 0) throw new Failure(EXIT_FAILED, 'expectations do not hold');
}

/** The simulation of a link; the fragment of a URL is a link. */
export async function openLink(command: string, given: string, steps: SimulationOptions): Promise<Simulation> {
  const text = (given === '-' ? readText('-') : given).trim();
  const link = text.slice(Math.max(text.lastIndexOf('#'), text.lastIndexOf('=')) + 1);
  return ending(command, { link: 'link' }, () => {
    try {
      return Simulation.fromLink(link, { stories, ...steps });
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      throw new Failure(EXIT_USAGE, `link: its scenario is invalid: ${error.message}`, error);
    }
  });
}
