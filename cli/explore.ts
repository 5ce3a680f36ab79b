// `locket-wasm explore`: checks whether settings are safe, by trying every schedule. Options ask the same of several runners,
// or of many settings.

import { type Command, Option } from 'commander';

import { newCommand, wholeNumber } from './command.js';
import { ASK_TAKES, ask, type AskOptions } from './explore/ask.js';
import { MAP, MAP_AXES } from './explore/map.js';
import { durations } from './explore/settings.js';
import { misuse, modeOf, optionsOf } from './modes.js';
import { reporting } from './printer.js';
import { OPTION_OF_FIELD, runnerOption, withQuestion } from './question.js';
import type { Reports } from './report.js';
import { withShards } from './shards/shard.js';
import { rarely } from './short-help.js';

const DESCRIPTION = `Checks whether settings are safe: tries every schedule within the bounds. The
answer is a proof or the smallest counterexample, as a story and a scenario.`;

const EXAMPLES = `
The default is the safe runner on the documented Locket. For what Cloud Foundry
ships, pass --runner diego-bbs@2.102.0, which is that job in that release with
its settings, or --runner upstream --profile upstream. Each message takes up to
1 s (--latency); no other fault occurs unless an option allows it. A paused
client that believes it holds the lock counts as an owner. Exit code 1: the
property can be broken. Exit code 5: there is no verdict, because the search was
cut, the property was never tested, the scenario has no runner, or the grid is
too coarse for an exact answer. With suspends no grid is exact.

Without a count, the search first tries to prove the answer for any number of
that fault, then to break it with one, two and so on; if neither succeeds, it
allows one. A proof for any number of clients says so; each of them may then
have the faults of the bounds. If a search is cut, the answer says up to where
no number of clients breaks the property.

Any number of clients, each paused any number of times:

  locket-wasm explore --clients any --fault pause=20s --latency 6s

Production, with one pause of up to 5 s:

  locket-wasm explore --runner upstream --profile upstream --ttl 15s \\
    --retry-interval 5s --fault pause=5s,1

Compare runners, and write the counterexample as a scenario:

  locket-wasm explore --runner upstream safe --latency 6s --output broken.json
  locket-wasm run broken.json

The runners of a scenario. Its faults are the bounds, unless an option says
otherwise: the search decides when they happen, and to whom. The answer names
what no search tries. Expectations are ignored:

  locket-wasm explore holder-crashes
  locket-wasm explore two-leaders.json --latency 2s --fault pause=5s

How long the lock has no owner after a crash:

  locket-wasm explore --fault crash --property no-client-acts --allow 20s

For each TTL and retry interval, the shortest pause that breaks the property.
> 5 s means that nothing up to 5 s breaks it, ≤ 5 s that 5 s does and less may.
A ? is unknown; the last line says why:

  locket-wasm explore --map pause --runner upstream --profile upstream \\
    --ttl 3s..14s --retry-interval 1s..5s
  locket-wasm explore --map lost-message --runner upstream --ttl 5s,10s,15s

A map on eight machines: the second shard, then all eight reports. A shard that
wrote its report exits with 0; merge has the verdict:

  locket-wasm explore --map pause --ttl 3s..30s --shard 2/8 --output part-2.json
  locket-wasm merge part-*.json
`;

export function exploreCommand(): Command {
  const command = newCommand('explore', 'check whether settings are safe, by trying every schedule')
    .description(DESCRIPTION)
    .argument('[scenario]', 'a file, - for standard input, or a story')
    .addOption(runnerOption('--runner <name...>', 'runners'))
    .option('--ttl <duration>', 'the TTL, in whole seconds; 15s by default', durations)
    .option('--retry-interval <duration>', 'the retry interval; 5s by default', durations);
  return withWork(withQuestion(command))
    .addOption(rarely(new Option('--drift <percent>', 'by how much the rates of all clocks may differ from that of real time')))
    .option('-o, --output <file>', 'write the counterexample as a scenario')
    .option('-q, --quiet', 'print only the verdict, and search no further')
    .option('--json', 'print each answer as a line of JSON')
    .addOption(rarely(new Option('--junit <file>', 'also write a JUnit report')))
    .addHelpText('after', EXAMPLES)
    .action(reporting(explore, OPTION_OF_FIELD));
}

/** The options of a map. */
function withWork(command: Command): Command {
  const asking = command
    .addOption(new Option('--map <name>', 'map what settings tolerate of a fault').choices(MAP_AXES))
    .addOption(rarely(new Option('--max-steps <count>', 'the most values that --map tries').argParser(wholeNumber)));
  return withShards(asking, 'rows of a map');
}

function explore(file: string | undefined, options: AskOptions, command: Command): Reports {
  const mode = modeOf(command, [MAP], ASK_TAKES);
  if (mode === undefined) return ask(file, options, command);
  if (file !== undefined) throw misuse(command, '--map takes no scenario');
  return mode.work(optionsOf(mode, options) as never);
}
