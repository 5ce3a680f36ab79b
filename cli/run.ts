// `locket-wasm run`: runs scenarios. Without more it prints a summary of each; options ask for many seeds, for what of a
// failing run is needed, for its safety margin, or for another format.

import { type Command, Option } from 'commander';

import { duration, newCommand, wholeNumber, withSteps } from './command.js';
import { misuse, type Mode, modeOf, optionsOf } from './modes.js';
import { reporting } from './printer.js';
import type { Reports } from './report.js';
import { EACH_TAKES, type EachOptions, runEach } from './run/each.js';
import { EXPORT, exportOption, FORMATS_HELP } from './run/export.js';
import { MARGIN_FAULTS } from './question-options.js';
import { isLink, runLink } from './run/link.js';
import { MARGIN } from './run/margin.js';
import { MINIMIZE } from './run/minimize.js';
import { SEEDS } from './run/seeds.js';
import { withShards } from './shards/shard.js';
import { rarely } from './short-help.js';

const DESCRIPTION = `Runs scenarios on the reference Locket with a virtual clock. It prints a
summary that fits a screen: the owners of each key over time, with gaps and
overlaps of two owners, the faults, the load, and the important events.`;

const EXAMPLES = `
For several scenarios it prints one line each, and the expectations that fail.
The digest at the end is the same on every platform. Exit code 1: an expectation
does not hold, or a file cannot be read. Exit code 2: a scenario is invalid (the
error has line and column).

A lock that expires:

  echo '{ "name": "expiry", "until": "20s",
          "clients": [{ "name": "a", "key": "bbs", "ttl": "15s" }],
          "actions": [{ "at": "0s", "node": "a", "do": "lock" }] }' |
    locket-wasm run -

A shipped story, and all of its events:

  locket-wasm run holder-paused-longer-than-its-ttl
  locket-wasm run holder-paused-longer-than-its-ttl --events

All scenarios of a folder, with a JUnit report:

  locket-wasm run scenarios/*.json --junit report.xml

Ten thousand seeds on two cores, for a scenario with "random": true: the seed
decides latencies, losses and ties. Then one failing seed in full, and only what
of it is needed to fail:

  locket-wasm run faulty.json --seeds 10000 --jobs 2
  locket-wasm run faulty.json --seed 17
  locket-wasm run faulty.json --seed 17 --minimize --output smallest.json

The second of eight machines, then all eight reports as one:

  locket-wasm run faulty.json --seeds 1000000 --shard 2/8 --output part-2.json
  locket-wasm merge part-*.json

The safety margin: at each moment, the shortest pause of one client or Locket
process that leads to two owners, or without rivals to a missing presence. Exit
code 1: from some moment on the harm cannot be avoided.

  locket-wasm run holder-paused-longer-than-its-ttl --margin

A link that a report, a test or the page printed: its scenario with all later
actions, up to the moment at which the link was made. Exit code 1: the run
differs from the original, because the link was made by a version with other
rules.

  locket-wasm run l2..Q_g3DLVWSRKDIBC8…
  locket-wasm run l2..Q_g3DLVWSRKDIBC8… --to-end --export typescript-test

The run as a picture, or as a test:

  locket-wasm run first-look --export svg --output first-look.svg
  locket-wasm run first-look --export rust-test

${FORMATS_HELP}`;

/** A thing that `run` does with one scenario. */
export interface RunMode extends Mode {
  // The options are checked before.
  work(file: string, options: never): Reports;
}

const MODES: readonly RunMode[] = [SEEDS, MINIMIZE, MARGIN, EXPORT];

export function runCommand(): Command {
  const command = newCommand('run', 'run scenarios and print a summary of each')
    .description(DESCRIPTION)
    .argument('<scenario...>', 'a file in JSON, - for standard input, a shipped story such as first-look, or a link')
    .option('--events', 'print all events instead of the summary')
    .option('--seed <number>', 'run with this seed; with --seeds, the first of them', wholeNumber)
    .option('--seeds <count>', 'run with many seeds, and list those that fail', wholeNumber)
    .option('--minimize', 'remove whatever a failing run does not need to fail')
    .option('--margin', 'draw the safety margin, moment by moment')
    .addOption(exportOption())
    .option('-o, --output <file>', 'write the result to this file')
    .option('--json', 'print each run, or the result, as a line of JSON')
    .option('--junit <file>', 'also write a JUnit report with the expectations');
  command.addOption(rarely(new Option('--to-end', "continue the run of a link to its scenario's end")));
  return withMargin(withShards(withSteps(command), 'seeds'))
    .addOption(rarely(new Option('--max-runs <count>', 'the most runs of --minimize; 10000 by default').argParser(wholeNumber)))
    .addHelpText('after', EXAMPLES)
    .action(reporting(run, (files) => ({ scenario: files[0] ?? '', firstSeed: '--seed', link: 'link' })));
}

function withMargin(command: Command): Command {
  return command
    .addOption(rarely(new Option('--fault <name>', 'the fault of --margin; pause by default').choices(MARGIN_FAULTS)))
    .addOption(rarely(new Option('--node <name>', 'the only client or Locket process that --margin tries')))
    .addOption(rarely(new Option('--max-pause <duration>', 'the longest fault that --margin tries; 30s by default').argParser(duration)))
    .addOption(rarely(new Option('--step <duration>', 'the time between two moments of --margin; 1s by default').argParser(duration)));
}

function run(files: string[], options: EachOptions, command: Command): Reports {
  const link = files.find(isLink);
  if (link !== undefined) {
    if (files.length > 1) throw misuse(command, `a link is run alone, but ${files.length} arguments are given`);
    return runLink(link, options, command);
  }
  if ('toEnd' in options) throw misuse(command, '--to-end needs a link; a scenario always runs to its end');
  const mode = modeOf(command, MODES, EACH_TAKES);
  if (mode === undefined) return runEach(files, options);
  const [file = '', ...others] = files;
  if (others.length > 0) throw misuse(command, `--${mode.by} takes one scenario, but ${files.length} are given`);
  return mode.work(file, optionsOf(mode, options) as never);
}
