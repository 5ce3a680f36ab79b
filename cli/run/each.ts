// `run` without an option that asks for more: each scenario once, with a summary or all events.

import { type Scenario, type ScenarioRun, Simulation } from 'locket-wasm';

import { EXIT_FAILED, EXIT_USAGE, Failure } from '../command.js';
import { indented, type Line, type Report, toned } from '../report.js';
import { withScenario } from '../scenario-file.js';
import { runFacts } from '../summary/run-facts.js';
import { runSummary } from '../summary/run-summary.js';
import { status } from '../terminal.js';
import { failureLines, timeline } from '../timeline.js';
import { WholeRun } from './whole-run.js';

export interface EachOptions {
  events?: true;
  seed?: number;
  maxSteps?: number;
  json?: true;
}

/** The options that it takes. */
export const EACH_TAKES: readonly string[] = ['events', 'seed', 'maxSteps', 'json', 'junit'];

export function* runEach(files: readonly string[], options: EachOptions): Iterable<Report> {
  checkForm(options);
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

/** Refuses two forms of output. */
export function checkForm({ events, json }: EachOptions): void {
  if (events && json) throw new Failure(EXIT_USAGE, '--events and --json exclude each other: --json has all events; leave out one of them');
}

/** The report on a run: of one of several scenarios with its file. */
function reportOf(whole: WholeRun, file: string | undefined, { events }: EachOptions): Report {
  const { finished } = whole;
  return {
    text: () => (file !== undefined ? shortly(file, finished) : events ? timeline(finished) : runSummary(runFacts(whole))),
    json: [finished],
    suite: () => suiteOf(whole),
    notes: idleNotes(whole.scenario),
  };
}

/** A client without a runner makes only the calls among the actions; one without actions does nothing. */
function idleNotes(scenario: string): string[] {
  const { clients, actions = [] } = JSON.parse(scenario) as Scenario;
  const named = new Set(actions.map((action) => ('node' in action ? action.node : undefined)));
  const isIdle = ({ name, retryInterval, runner }: Scenario['clients'][number]): boolean => retryInterval === undefined && runner === undefined && !named.has(name);
  const idle = clients.filter(isIdle).map(({ name }) => name);
  if (idle.length === 0) return [];
  const who = idle.length === 1 ? `${idle[0]} does nothing: it is no runner and has no action` : `${idle[0]} and ${idle.length - 1} more do nothing: they are no runners and have no action`;
  return [`${who}; add "retryInterval": "5s", or an action such as lock`];
}

/** A line for one of several scenarios, and its failures. */
function shortly(file: string, finished: ScenarioRun): Line[] {
  const mark = finished.failures.length === 0 ? toned('green', '✓') : toned('red', '✗');
  return [[mark, ` ${file}  `, toned('dim', finished.digest)], ...failureLines(finished).map((line) => indented('    ', line))];
}

/** The scenario's text with another seed. */
export function withSeed(text: string, seed: number): string {
  // A validation error refers to the text as given.
  new Simulation(text).close();
  return JSON.stringify({ ...(JSON.parse(text) as object), seed });
}

/** The suite in the module's report on one run. */
function suiteOf(whole: WholeRun): string {
  const report = whole.export('junit');
  return report.slice(report.indexOf('  <testsuite '), report.lastIndexOf('\n</testsuites>'));
}
