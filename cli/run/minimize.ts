// `run --minimize`: minimizes a failing random run.

import { runScenario, type Scenario, Simulation } from 'locket-wasm';
import { minimize, type MinimizedRun } from 'locket-wasm/check';

import { EXIT_UNFINISHED, Failure } from '../command.js';
import { type Line, type Report, toned } from '../report.js';
import { scenarioFile, withScenario } from '../scenario-file.js';
import { status } from '../terminal.js';

/**
 * Removes lost messages, delays and other random choices as long as the same expectation still fails, and shortens the delays of
 * late messages. The result is a scenario without randomness, in which every remaining choice and every step of delay is needed.
 */
export const MINIMIZE = {
  by: 'minimize',
  takes: ['seed', 'maxRuns', 'maxSteps', 'output', 'json'],
  work: minimizeRun,
};

interface Options {
  seed?: number;
  maxRuns?: number;
  maxSteps?: number;
  output?: string;
  json?: true;
  minimize?: true;
}

async function minimizeRun(file: string, { output, json: _, minimize: __, ...options }: Options): Promise<Report> {
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
  return [[toned('red', '✗'), ` ${failure}`], needed, ...sentences, toned('dim', `locket-wasm run ${link}`)];
}
