// `locket-wasm margin`: how near a run is to two owners, moment by moment.

import { type Command, Option } from 'commander';

import { printable, printableJson } from '../base/text.js';
import { safetyMargin } from '../check-node.js';
import { type Duration, Simulation } from '../node.js';
import type { SafetyMarginFault } from '../types.js';
import { duration, ending, EXIT_FAILED, Failure, newCommand, withSteps } from './command.js';
import { SCENARIO_HELP, withScenario } from './files.js';
import { type Paint, paintFor, StatusLine } from './terminal.js';

const DESCRIPTION = `Draws how near a run is to two owners: at each moment the shortest pause of one
client or Locket process with which two act at once, and the point of no return,
from which on they do although whatever is wrong ends at once and nothing more
goes wrong. Each continuation is run on the reference Locket.`;

const EXAMPLES = `
A pause begins right before what happens at its moment. Messages that are sent
from then on are as quick as their links, and things at one instant keep their
order: for every schedule there is explore. Exit code 1 says that there is a
point of no return.

A story that comes with the package:

  locket-wasm margin holder-paused-longer-than-its-lease

How long a client may be cut off, by half seconds:

  locket-wasm margin scenario.json --fault cut --pause-step 500ms
`;

interface Options {
  fault: SafetyMarginFault;
  maxPause: Duration;
  pauseStep?: Duration;
  step: Duration;
  maxSteps?: number;
  json?: true;
}

export function marginCommand(): Command {
  return withSteps(newCommand('margin', 'draw how near a run is to two owners'))
    .description(DESCRIPTION)
    .argument('<scenario>', SCENARIO_HELP)
    .addOption(new Option('--fault <name>', 'what befalls a node').choices(['cut', 'pause', 'suspend']).default('pause'))
    .option('--max-pause <duration>', 'for how long at most', duration, '30s')
    .option('--pause-step <duration>', 'by how much a pause is raised until two act; 1s by default', duration)
    .option('--step <duration>', 'how far the moments are apart', duration, '1s')
    .option('--json', 'print the margin as JSON')
    .addHelpText('after', EXAMPLES)
    .action(drawMargin);
}

const OPTION_OF_FIELD = {
  maxPause: '--max-pause',
  pauseStep: '--pause-step',
  scenario: 'scenario',
  step: '--step',
};

async function drawMargin(file: string, { json, maxSteps, ...options }: Options): Promise<void> {
  const status = new StatusLine();
  const onProgress = ({ moments, total }: { moments: number; total: number }) => status.show(`${moments} of ${total} moments`);
  const limit = maxSteps === undefined ? {} : { maxSteps };
  using simulation = withScenario(file, (text) => new Simulation(text, limit));
  const profile = await ending('margin', OPTION_OF_FIELD, () => safetyMargin(simulation, { ...options, ...limit, onProgress }));
  status.clear();
  process.stdout.write(json ? `${printableJson(profile)}\n` : painted(profile.text, paintFor(process.stdout)));
  const { pointOfNoReturnMs } = profile;
  if (pointOfNoReturnMs !== null) {
    throw new Failure(EXIT_FAILED, `from ${pointOfNoReturnMs / 1000} s on two owners cannot be avoided`);
  }
}

/** The nearer, the redder. */
function painted(text: string, paint: Paint): string {
  const lines = text.split('\n').map(printable);
  return lines.map((line) => line.replace(/█+/, (bar) => paint(bar.length < NEAR ? 'yellow' : 'red', bar))).join('\n');
}

/** Of the 30 signs of the longest bar. */
const NEAR = 20;
