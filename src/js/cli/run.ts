// `locket-wasm run`: runs scenarios and tells their stories.

import type { Command } from 'commander';

import { printable, printableJson } from '../base/text.js';
import { exportTrace, runScenario, type ScenarioRun, Simulation } from '../node.js';
import { runPicture } from '../picture.js';
import { EXIT_FAILED, EXIT_USAGE, Failure, newCommand, wholeNumber, withSteps } from './command.js';
import { SCENARIO_HELP, withScenario, writeText } from './files.js';
import { paintFor, Progress } from './terminal.js';
import { failureLines, timeline } from './timeline.js';

const DESCRIPTION = `Runs scenarios on the reference Locket, on a virtual clock, and prints what
happened: when, who asked what, what Locket answered, and the locks table
whenever it changed. The digest at the end is the same wherever it runs.
Of several scenarios it prints a line each, and what did not hold.`;

const EXAMPLES = `
Exit code 1 says that an expectation does not hold or a file cannot be read,
2 that there is a mistake in a scenario (printed with line and column).

A lock that expires:

  echo '{ "name": "expiry", "until": "20s",
          "clients": [{ "name": "a", "key": "bbs", "ttl": "15s" }],
          "actions": [{ "at": "0s", "node": "a", "do": "lock" }] }' |
    locket-wasm run -

A story that comes with the package:

  locket-wasm run holder-paused-longer-than-its-lease

All scenarios of a folder, with a report that CI services read:

  locket-wasm run scenarios/*.json --junit report.xml

One as a picture:

  locket-wasm run first-look --svg first-look.svg
`;

interface Options {
  seed?: number;
  maxSteps?: number;
  json?: true;
  junit?: string;
  svg?: string;
}

export function runCommand(): Command {
  return withSteps(newCommand('run', 'run scenarios and print what happened'))
    .description(DESCRIPTION)
    .argument('<scenario...>', SCENARIO_HELP)
    .option('--seed <number>', 'run them with this seed', wholeNumber)
    .option('--json', 'print the runs as JSON, a line each')
    .option('--junit <file>', 'also write a report as JUnit does, with the expectations as its test cases')
    .option('--svg <file>', 'also draw the run as a picture; - prints it instead of the story')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

function run(files: string[], { seed, json, junit, svg, ...steps }: Options): void {
  if (svg !== undefined && files.length > 1) throw new Failure(EXIT_USAGE, `--svg draws one scenario, and ${files.length} are given; see locket-wasm run --help`);
  if (svg === '-' && (json || junit === '-')) throw new Failure(EXIT_USAGE, `--svg - prints the picture alone; leave out ${json ? '--json' : '--junit -'}, or write the picture to a file`);
  const paint = paintFor(process.stdout);
  const progress = new Progress(files.length);
  const suites: string[] = [];
  let failed = 0;
  for (const file of files) {
    progress.next(file);
    const { told, picture } = withScenario(file, (text) => played(seed === undefined ? text : withSeed(text, seed)));
    if (told.failures.length > 0) failed += 1;
    if (junit !== undefined) suites.push(suiteOf(told));
    progress.clear();
    const story = files.length === 1 ? timeline(told, paint) : summary(file, told);
    if (svg !== '-') process.stdout.write(json ? `${printableJson(told)}\n` : story);
    if (svg !== undefined && picture !== undefined) writeText(svg, picture);
  }
  if (junit !== undefined) writeText(junit, `${XML}<testsuites>\n${suites.join('\n')}\n</testsuites>\n`);
  if (failed > 0) throw new Failure(EXIT_FAILED, `expectations do not hold in ${failed} of ${files.length} scenarios`);

  function played(text: string): { told: ScenarioRun; picture?: string } {
    const told = runScenario(text, steps);
    if (svg === undefined) return { told };
    using simulation = new Simulation(text, steps);
    return { told, picture: runPicture(simulation) };
  }

  function summary(file: string, told: ScenarioRun): string {
    const mark = told.failures.length === 0 ? paint('green', '✓') : paint('red', '✗');
    const failures = failureLines(told, paint).map((line) => `    ${line}\n`);
    return `${mark} ${printable(file)}  ${paint('dim', told.digest)}\n${failures.join('')}`;
  }
}

/** The text of the same scenario with another seed. */
function withSeed(text: string, seed: number): string {
  // A mistake is one in the text as it is given.
  new Simulation(text).close();
  return JSON.stringify({ ...(JSON.parse(text) as object), seed });
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** The suite in the report that the module writes of one run. */
function suiteOf(told: ScenarioRun): string {
  const report = exportTrace(told, 'junit');
  return report.slice(report.indexOf('  <testsuite '), report.lastIndexOf('\n</testsuites>'));
}
