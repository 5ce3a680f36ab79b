// `run LINK`: runs the scenario of a link with all later actions, up to the moment at which the link was made, or to the end.

import { existsSync } from 'node:fs';

import type { Command } from 'commander';
import { ScenarioError, Simulation } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';
import type { SimulationOptions } from 'locket-wasm/types';

import { seconds } from '../../src/js/base/text.js';
import { EXIT_FAILED, EXIT_USAGE, Failure } from '../command.js';
import { checkTakes } from '../modes.js';
import type { Report } from '../report.js';
import { runFacts } from '../summary/run-facts.js';
import { runSummary } from '../summary/run-summary.js';
import { type PrintedRun, timeline } from '../timeline.js';
import { checkForm, type EachOptions } from './each.js';
import { type ExportOptions, exportSimulation } from './export.js';

interface Options extends EachOptions, Partial<Pick<ExportOptions, 'export' | 'output'>> {
  toEnd?: true;
}

/** True if an argument is a link, or a URL that ends in one. A file wins over a link with the same name. */
export const isLink = (given: string): boolean => /^(?:https?:\/\/|l\d\.)/.test(given) && !existsSync(given);

export function runLink(link: string, options: Options, command: Command): Report {
  const { events, export: format, maxSteps, output, toEnd } = options;
  if (format === undefined) checkTakes(command, 'a link', ['events', 'json', 'maxSteps', 'toEnd']);
  else checkTakes(command, '--export of a link', ['export', 'maxSteps', 'output', 'toEnd']);
  checkForm(options);
  using simulation = openLink(link, maxSteps === undefined ? {} : { maxSteps });
  const { isFaithful } = simulation;
  if (toEnd) simulation.seek({ timeMs: simulation.endMs });
  const failures = toEnd ? simulation.failures() : [];
  const failure = failureOf(isFaithful, failures);
  if (format !== undefined) return { ...exportSimulation(simulation, format, output), failure };
  const run: PrintedRun = { name: simulation.name, description: '', events: simulation.trace(), failures, digest: simulation.digest() };
  const { nowMs, endMs } = simulation;
  const table = simulation.state().rows;
  const lines = options.json ? [] : events ? timeline(run) : runSummary(runFacts(simulation, { ...simulation.timeline({ until: 'now' }), failures }));
  return {
    text: () => [...lines, `at ${seconds(nowMs)} of ${seconds(endMs)}`],
    json: [{ ...run, table, nowMs, endMs, isFaithful }],
    failure,
  };
}

function failureOf(isFaithful: boolean, failures: readonly string[]): Failure | undefined {
  if (!isFaithful) return new Failure(EXIT_FAILED, 'this run differs from the original: the link was made by a version with other rules');
  return failures.length > 0 ? new Failure(EXIT_FAILED, 'expectations do not hold') : undefined;
}

/** The simulation of a link; the fragment of a URL is a link. */
function openLink(given: string, steps: SimulationOptions): Simulation {
  const link = given.slice(Math.max(given.lastIndexOf('#'), given.lastIndexOf('=')) + 1);
  try {
    return Simulation.fromLink(link, { stories, ...steps });
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    throw new Failure(EXIT_USAGE, `link: its scenario is invalid: ${error.message}`, error);
  }
}
