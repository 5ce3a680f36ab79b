// `locket-wasm run`: runs scenarios and prints a summary or their events.

import type { Command } from 'commander';
import { type Scenario, type ScenarioRun, Simulation } from 'locket-wasm';
import { runPicture } from 'locket-wasm/picture';

import { EVENTS_AND_JSON, EXIT_FAILED, EXIT_USAGE, Failure, newCommand, wholeNumber, withSteps } from './command.js';
import { reporting } from './printer.js';
import { indented, type Line, type Report, toned } from './report.js';
import { SCENARIO_HELP, withScenario } from './scenario-file.js';
import { runFacts } from './summary/run-facts.js';
import { runSummary } from './summary/run-summary.js';
import { status } from './terminal.js';
import { failureLines, timeline } from './timeline.js';
import { WholeRun } from './whole-run.js';

const DESCRIPTION = `Runs scenarios on the reference Locket with a virtual clock. It prints a
summary that fits a screen: the owners of each key over time, with gaps and
overlaps of two owners, the faults, the load, and the important events.
--events prints every event instead, each call with its answer, and the locks
table when it changes. The digest at the end is the same on every platform.
For several scenarios it prints one line each, and the expectations that fail.`;

const EXAMPLES = `
Exit code 1: an expectation does not hold, or a file cannot be read. Exit code
2: a scenario is invalid (the error has line and column).

A lock that expires:

  echo '{ "name": "expiry", "until": "20s",
          "clients": [{ "name": "a", "key": "bbs", "ttl": "15s" }],
          "actions": [{ "at": "0s", "node": "a", "do": "lock" }] }' |
    locket-wasm run -

A shipped story, and all of its events:

  locket-wasm run holder-paused-longer-than-its-lease
  locket-wasm run holder-paused-longer-than-its-lease --events

All scenarios of a folder, with a JUnit report:

  locket-wasm run scenarios/*.json --junit report.xml

A scenario as a picture:

  locket-wasm run first-look --svg first-look.svg
`;

interface Options {
  events?: true;
  seed?: number;
  maxSteps?: number;
  json?: true;
  junit?: string;
  svg?: string;
}

export function runCommand(): Command {
  return withSteps(newCommand('run', 'run scenarios and print a summary of each'))
    .description(DESCRIPTION)
    .argument('<scenario...>', SCENARIO_HELP)
    .option('--seed <number>', 'run the scenarios with this seed', wholeNumber)
    .option('--events', 'print all events instead of the summary')
    .option('--json', 'print each run as a line of JSON')
    .option('--junit <file>', 'also write a JUnit report with the expectations as test cases')
    .option('--svg <file>', 'also draw the run as a picture; - prints only the picture')
    .addHelpText('after', EXAMPLES)
    .action(reporting(run));
}

function* run(files: string[], options: Options): Iterable<Report> {
  checkOptions(files, options);
  const { seed, maxSteps } = options;
  const steps = maxSteps === undefined ? {} : { maxSteps };
  let failed = 0;
  for (const [index, file] of files.entries()) {
    if (files.length > 1) status.show(`${index + 1}/${files.length} ${file}`);
    using whole = withScenario(file, (text) => new WholeRun(seed === undefined ? text : withSeed(text, seed), steps));
    if (whole.finished.failures.length > 0) failed += 1;
    yield reportOf(whole, files.length > 1 ? file : undefined, options);
  }
  if (failed > 0) yield { failure: new Failure(EXIT_FAILED, `expectations do not hold in ${failed} of ${files.length} scenarios`) };
}

/** The report on a run: of one of several scenarios with its file. */
function reportOf(whole: WholeRun, file: string | undefined, { events, svg }: Options): Report {
  const { finished } = whole;
  return {
    ...(svg !== '-' && {
      text: () => (file !== undefined ? shortly(file, finished) : events ? timeline(finished) : runSummary(runFacts(whole))),
      json: [finished],
    }),
    suite: () => suiteOf(whole),
    files: svg === undefined ? [] : [{ file: svg, text: runPicture(whole) }],
    notes: idleNotes(whole.scenario),
  };
}

/** A client without a runner makes only the calls among the actions; one without actions does nothing. */
function idleNotes(scenario: string): string[] {
  const { clients, actions = [] } = JSON.parse(scenario) as Scenario;
  const named = new Set(actions.map((action) => ('node' in action ? action.node : undefined)));
  const isIdle = ({ name, kind, retryInterval, runner }: Scenario['clients'][number]): boolean => kind !== 'joint' && retryInterval === undefined && runner === undefined && !named.has(name);
  const idle = clients.filter(isIdle).map(({ name }) => name);
  if (idle.length === 0) return [];
  const who = idle.length === 1 ? `${idle[0]} does nothing: it is no runner and has no action` : `${idle[0]} and ${idle.length - 1} more do nothing: they are no runners and have no action`;
  return [`${who}; add "retryInterval": "5s", or an action such as lock`];
}

function checkOptions(files: readonly string[], { events, json, junit, svg }: Options): void {
  if (events && json) throw new Failure(EXIT_USAGE, EVENTS_AND_JSON);
  if (svg === undefined) return;
  if (files.length > 1) throw new Failure(EXIT_USAGE, `--svg draws one scenario, but ${files.length} are given; see locket-wasm run --help`);
  const other = json ? '--json' : junit === '-' ? '--junit -' : undefined;
  if (svg === '-' && other !== undefined) throw new Failure(EXIT_USAGE, `--svg - prints only the picture; leave out ${other}, or write the picture to a file`);
}

/** A line for one of several scenarios, and its failures. */
function shortly(file: string, finished: ScenarioRun): Line[] {
  const mark = finished.failures.length === 0 ? toned('green', '✓') : toned('red', '✗');
  return [[mark, ` ${file}  `, toned('dim', finished.digest)], ...failureLines(finished).map((line) => indented('    ', line))];
}

/** The scenario's text with another seed. */
function withSeed(text: string, seed: number): string {
  // A validation error refers to the text as given.
  new Simulation(text).close();
  return JSON.stringify({ ...(JSON.parse(text) as object), seed });
}

/** The suite in the module's report on one run. */
function suiteOf(whole: WholeRun): string {
  const report = whole.junit();
  return report.slice(report.indexOf('  <testsuite '), report.lastIndexOf('\n</testsuites>'));
}
