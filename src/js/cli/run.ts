// `locket-wasm run`: runs scenarios and tells their stories.

import type { Command } from 'commander';

import { printable, printableJson } from '../base/text.js';
import { exportTrace, runScenario, type ScenarioRun, Simulation } from '../node.js';
import { EXIT_FAILED, Failure, newCommand, wholeNumber, withSteps } from './command.js';
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
`;

interface Options {
  seed?: number;
  maxSteps?: number;
  json?: true;
  junit?: string;
}

export function runCommand(): Command {
  return withSteps(newCommand('run', 'run scenarios and print what happened'))
    .description(DESCRIPTION)
    .argument('<scenario...>', SCENARIO_HELP)
    .option('--seed <number>', 'run them with this seed', wholeNumber)
    .option('--json', 'print the runs as JSON, a line each')
    .option('--junit <file>', 'also write a report as JUnit does, with the expectations as its test cases')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

function run(files: string[], { seed, json, junit, ...steps }: Options): void {
  const paint = paintFor(process.stdout);
  const progress = new Progress(files.length);
  const suites: string[] = [];
  let failed = 0;
  for (const file of files) {
    progress.next(file);
    const told = withScenario(file, (text) => runScenario(seed === undefined ? text : withSeed(text, seed), steps));
    if (told.failures.length > 0) failed += 1;
    if (junit !== undefined) suites.push(suiteOf(told));
    progress.clear();
    const story = files.length === 1 ? timeline(told, paint) : summary(file, told);
    process.stdout.write(json ? `${printableJson(told)}\n` : story);
  }
  if (junit !== undefined) writeText(junit, `${XML}<testsuites>\n${suites.join('\n')}\n</testsuites>\n`);
  if (failed > 0) throw new Failure(EXIT_FAILED, `expectations do not hold in ${failed} of ${files.length} scenarios`);

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
