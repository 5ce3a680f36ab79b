// `locket-wasm minimize`: what of a failing run's chance is needed for it to fail.

import type { Command } from 'commander';

import { printable, printableJson } from '../base/text.js';
import { minimize, type MinimizedRun } from '../check-node.js';
import { Simulation } from '../node.js';
import { ending, EXIT_UNFINISHED, Failure, newCommand, wholeNumber, withSteps } from './command.js';
import { SCENARIO_HELP, withScenario, writeText } from './files.js';
import { type Paint, paintFor, StatusLine } from './terminal.js';

const DESCRIPTION = `Says what of a failing run's chance is needed for it to fail: leaves out lost
messages, delays and the like as long as the same expectation does not hold, and makes
late messages as punctual as it can. What is left is a scenario without chance,
in which none of them can be left out and no delay be a step less.`;

const EXAMPLES = `
Exit code 5 says that more could be left out, which --max-runs allows to try.

The seed that a sweep has found, and what is left of it:

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
  return withSteps(newCommand('minimize', 'say what of a failing run is needed for it to fail'))
    .description(DESCRIPTION)
    .argument('<scenario>', SCENARIO_HELP)
    .option('--seed <number>', 'the seed of the run; otherwise what the scenario says', wholeNumber)
    .option('--max-runs <count>', 'how many runs to try at most; 10000 by default', wholeNumber)
    .option('-o, --output <file>', 'where to write the scenario that is left')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES)
    .action(minimizeRun);
}

async function minimizeRun(file: string, { output, json, ...options }: Options): Promise<void> {
  const status = new StatusLine();
  const onProgress = ({ runs, left }: { runs: number; left: number }) => status.show(`${runs} runs: ${left} decisions are left`);
  const scenario = withScenario(file, (text) => {
    new Simulation(text).close();
    return text;
  });
  const minimized = await ending('minimize', { scenario: 'scenario' }, () => minimize(scenario, { ...options, onProgress }));
  status.clear();
  process.stdout.write(json ? `${printableJson(minimized)}\n` : told(minimized, paintFor(process.stdout)));
  if (output !== undefined) writeText(output, `${minimized.scenario}\n`);
  if (!minimized.isComplete) throw new Failure(EXIT_UNFINISHED, 'more could be left out; --max-runs allows to try');
}

function told({ failure, story, decisions, runs, link }: MinimizedRun, paint: Paint): string {
  const needed =
    story.length === 0
      ? `none of ${decisions} decisions is needed: it fails without chance`
      : `${story.length} of ${decisions} decisions are needed, after ${runs} runs:`;
  const sentences = story.map((sentence) => `  ${printable(sentence)}`);
  const lines = [`${paint('red', '✗')} ${printable(failure)}`, needed, ...sentences, paint('dim', `locket-wasm replay ${link}`)];
  return `${lines.join('\n')}\n`;
}
