// `locket-wasm replay`: replays a link and prints a summary or its events.

import type { Command } from 'commander';
import { ScenarioError, Simulation } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';
import type { SimulationOptions } from 'locket-wasm/types';

import { seconds } from '../src/js/base/text.js';
import { EVENTS_AND_JSON, EXIT_FAILED, EXIT_USAGE, Failure, newCommand, withSteps } from './command.js';
import { readText } from './files.js';
import { type Mode, modeOf } from './modes.js';
import { reporting } from './printer.js';
import type { Report } from './report.js';
import { type ExportOptions, exportOption, exportSimulation, FORMATS_HELP } from './run/export.js';
import { runFacts } from './summary/run-facts.js';
import { runSummary } from './summary/run-summary.js';
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
  locket-wasm replay --export typescript-test - < link.txt

${FORMATS_HELP}`;

interface Options {
  events?: true;
  json?: true;
  toEnd?: true;
  export?: ExportOptions['export'];
  output?: string;
  maxSteps?: number;
}

export function replayCommand(): Command {
  return withSteps(newCommand('replay', 'replay a link and print a summary'))
    .description(DESCRIPTION)
    .argument('<link>', 'the link, or a URL that ends in it; - reads it from standard input')
    .option('--to-end', "continue to the scenario's end")
    .option('--events', 'print all events instead of the summary')
    .addOption(exportOption())
    .option('-o, --output <file>', 'write the export to this file')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES)
    .action(reporting(replay, LINK_FIELDS));
}

/** The options of a replay that is exported, and those of a printed one. */
const EXPORT: Mode = { by: 'export', takes: ['toEnd', 'output', 'maxSteps'] };
const TAKES = ['events', 'json', 'toEnd', 'maxSteps'];

/** The argument is what is wrong with a link. */
const LINK_FIELDS = { link: 'link' };

function replay(given: string, options: Options, command: Command): Report {
  modeOf(command, [EXPORT], TAKES);
  const { events, json, toEnd, export: format, output, ...steps } = options;
  if (events && json) throw new Failure(EXIT_USAGE, EVENTS_AND_JSON);
  using simulation = openLink(given, steps);
  const { isFaithful } = simulation;
  if (toEnd) simulation.seek({ timeMs: simulation.endMs });
  const failures = toEnd ? simulation.failures() : [];
  const failure = failureOfReplay(isFaithful, failures);
  if (format !== undefined) return { ...exportSimulation(simulation, { ...options, export: format }), failure };
  const run: PrintedRun = { name: simulation.name, description: '', events: simulation.trace(), failures, digest: simulation.digest() };
  const { nowMs, endMs } = simulation;
  const table = simulation.state().rows;
  const lines = json ? [] : events ? timeline(run) : runSummary(runFacts(simulation, { ...simulation.timeline({ until: 'now' }), failures }));
  return {
    text: () => [...lines, `at ${seconds(nowMs)} of ${seconds(endMs)}`],
    json: [{ ...run, table, nowMs, endMs, isFaithful }],
    failure,
  };
}

function failureOfReplay(isFaithful: boolean, failures: readonly string[]): Failure | undefined {
  if (!isFaithful) return new Failure(EXIT_FAILED, 'this run differs from the original: the link was made by a version with other rules');
  return failures.length > 0 ? new Failure(EXIT_FAILED, 'expectations do not hold') : undefined;
}

/** The simulation of a link; the fragment of a URL is a link. */
function openLink(given: string, steps: SimulationOptions): Simulation {
  const text = (given === '-' ? readText('-') : given).trim();
  const link = text.slice(Math.max(text.lastIndexOf('#'), text.lastIndexOf('=')) + 1);
  try {
    return Simulation.fromLink(link, { stories, ...steps });
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    throw new Failure(EXIT_USAGE, `link: its scenario is invalid: ${error.message}`, error);
  }
}
