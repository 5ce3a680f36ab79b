// `locket-wasm margin`: the safety margin of a run, moment by moment.

import { type Command, Option } from 'commander';
import { type Duration, LocketArgumentError, Simulation } from 'locket-wasm';
import { safetyMargin } from 'locket-wasm/check';
import { length } from 'locket-wasm/picture';
import type { SafetyMargin, SafetyMarginFault, SafetyMarginOptions } from 'locket-wasm/types';

import { duration, EXIT_FAILED, Failure, newCommand, withSteps } from './command.js';
import { reporting } from './printer.js';
import { type Line, type Report, toned } from './report.js';
import { SCENARIO_HELP, withScenario } from './scenario-file.js';
import { status } from './terminal.js';

const DESCRIPTION = `Draws the safety margin of a run: at each moment, the shortest pause of one
client or Locket process that leads to two owners, or without rivals to a
missing presence. It also finds the point of no return: from there on, the harm
occurs even if every fault ends at once. Each continuation is run on the
reference Locket.`;

const EXAMPLES = `
A pause begins right before the events of its moment, or right after them at a
moment with a "+". Faults in force go on as in the run. Later messages take the
latency of their links, and events of one instant keep their order; use explore
to try every schedule. Exit code 1: there is a point of no return.

A shipped story:

  locket-wasm margin holder-paused-longer-than-its-lease

How long a client may be cut off, in steps of half a second:

  locket-wasm margin scenario.json --fault cut --pause-step 500ms
`;

interface Options {
  fault: SafetyMarginFault;
  node?: string;
  maxPause: Duration;
  pauseStep?: Duration;
  step: Duration;
  maxSteps?: number;
  json?: true;
}

export function marginCommand(): Command {
  return withSteps(newCommand('margin', 'draw the safety margin of a run'))
    .description(DESCRIPTION)
    .argument('<scenario>', SCENARIO_HELP)
    .addOption(new Option('--fault <name>', 'the fault of a node').choices(['cut', 'pause', 'suspend']).default('pause'))
    .option('--node <name>', 'the only client or Locket process with the fault')
    .option('--max-pause <duration>', 'the longest pause to try', duration, '30s')
    .option('--pause-step <duration>', 'the step of the pause; 1s by default', duration)
    .option('--step <duration>', 'the time between two moments', duration, '1s')
    .option('--json', 'print the margin as JSON')
    .addHelpText('after', EXAMPLES)
    .action(reporting(drawMargin, OPTION_OF_FIELD));
}

const OPTION_OF_FIELD = {
  maxPause: '--max-pause',
  node: '--node',
  pauseStep: '--pause-step',
  scenario: 'scenario',
  step: '--step',
};

async function drawMargin(file: string, { json: _, maxSteps, ...options }: Options): Promise<Report> {
  const onProgress = ({ moments, total }: { moments: number; total: number }) => status.show(`${moments} of ${total} moments`);
  const limit = maxSteps === undefined ? {} : { maxSteps };
  using simulation = withScenario(file, (text) => new Simulation(text, limit));
  const margin = await marginOf(simulation, { ...options, ...limit, onProgress });
  const { text, pointOfNoReturnMs: fromMs } = margin;
  return {
    text: () => text.trimEnd().split('\n').map(withBar),
    json: [margin],
    failure: fromMs === null ? undefined : new Failure(EXIT_FAILED, `from ${length(fromMs)} on ${margin.harm === 'two-owners' ? 'two owners' : 'a gap'} cannot be avoided`),
  };
}

/** Without rivals there are never two owners, so no moment has a margin. */
async function marginOf(simulation: Simulation, options: SafetyMarginOptions): Promise<SafetyMargin> {
  try {
    return await safetyMargin(simulation, options);
  } catch (error) {
    if (!(error instanceof LocketArgumentError) || error.field !== 'scenario') throw error;
    return { moments: [], unavoidable: [], pointOfNoReturnMs: null, harm: 'two-owners', harmMs: null, text: `${error.message.slice('scenario: '.length)}\n` };
  }
}

/** Red for a small margin. */
function withBar(line: string): Line {
  const [bar] = line.match(/█+/) ?? [];
  if (bar === undefined) return line;
  const at = line.indexOf(bar);
  return [line.slice(0, at), toned(bar.length < NEAR ? 'yellow' : 'red', bar), line.slice(at + bar.length)];
}

/** Of the 30 characters of the longest bar. */
const NEAR = 20;
