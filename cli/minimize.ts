// `locket-wasm minimize`: minimizes a failing random run.

import type { Command } from 'commander';
import { runScenario, type Scenario, Simulation } from 'locket-wasm';
import { minimize, type MinimizedRun } from 'locket-wasm/check';

import { EXIT_UNFINISHED, Failure, newCommand, wholeNumber, withSteps } from './command.js';
import { reporting } from './printer.js';
import { type Line, type Report, toned } from './report.js';
import { SCENARIO_HELP, scenarioFile, withScenario } from './scenario-file.js';
import { status } from './terminal.js';

const DESCRIPTION = `Minimizes a failing run: removes lost messages, delays and other random choices
as long as the same expectation still fails, and shortens the delays of late
messages. The result is a scenario without randomness, in which every remaining
choice and every step of delay is needed.`;

const EXAMPLES = `
Exit code 5: the limit of runs was reached; raise --max-runs to remove more. A
run whose expectations hold is left as it is, with exit code 0 and null as JSON.

Minimize a seed that a sweep has found:

  locket-wasm sweep scenario.json --seeds 10000
  locket-wasm minimize scenario.json --seed 17 --output smallest.json
  locket-wasm run smallest.json
`;

interface Options {
  seed?: number;
  maxRuns?: number;
  maxSteps?: number;
  output?: string;
  json?: true;
}

export function minimizeCommand(): Command {
  return withSteps(newCommand('minimize', 'minimize a failing run'))
    .description(DESCRIPTION)
    .argument('<scenario>', SCENARIO_HELP)
    .option('--seed <number>', "the seed of the run; the scenario's by default", wholeNumber)
    .option('--max-runs <count>', 'the most runs to try; 10000 by default', wholeNumber)
    .option('-o, --output <file>', 'write the minimized scenario to this file, as YAML if its name ends in .yaml')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES)
    .action(reporting(minimizeRun, { scenario: 'scenario' }));
}

async function minimizeRun(file: string, { output, json: _, ...options }: Options): Promise<Report> {
  const onProgress = ({ runs, left }: { runs: number; left: number }) => status.show(`${runs} runs: ${left} random choices left`);
  const scenario = withScenario(file, (text) => {
    new Simulation(text).close();
    return text;
  });
  if (failuresOf(scenario, options).length === 0) return { text: () => ['every expectation holds, so there is nothing to minimize'], json: [null] };
  const minimized = await minimize(scenario, { ...options, onProgress });
  return {
    text: () => resultLines(minimized),
    json: [minimized],
    files: scenarioFile(output, minimized.scenario),
    failure: minimized.isComplete ? undefined : new Failure(EXIT_UNFINISHED, 'the limit of runs was reached; raise --max-runs to remove more'),
  };
}

function failuresOf(scenario: string, { seed, maxSteps }: Options): string[] {
  const seeded = seed === undefined ? scenario : { ...(JSON.parse(scenario) as Scenario), seed, random: true };
  return runScenario(seeded, { trace: false, ...(maxSteps !== undefined && { maxSteps }) }).failures;
}

function resultLines({ failure, story, decisions, runs, link }: MinimizedRun): Line[] {
  const needed =
    story.length === 0
      ? `none of ${decisions} random choices is needed: the run fails without randomness`
      : `${story.length} of ${decisions} random choices ${story.length === 1 ? 'is' : 'are'} needed, after ${runs} runs:`;
  const sentences = story.map((sentence) => `  ${sentence}`);
  return [[toned('red', '✗'), ` ${failure}`], needed, ...sentences, toned('dim', `locket-wasm replay ${link}`)];
}
