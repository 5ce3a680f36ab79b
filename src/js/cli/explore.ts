// `locket-wasm explore`: whether settings are safe, by trying every schedule.

import { type Command, Option } from 'commander';

import { printable, printableJson } from '../base/text.js';
import { explore, type Question, randomWalks, stateGraph } from '../check-node.js';
import type { Duration } from '../node.js';
import type { RunnerName, WhyUnknown } from '../types.js';
import { RUNNERS } from '../base/runner-name.js';
import { duration, ending, EXIT_FAILED, EXIT_UNFINISHED, EXIT_USAGE, Failure, newCommand, wholeNumber } from './command.js';
import { SCENARIO_HELP, withScenarioAsync, writeText } from './files.js';
import { junit } from './junit.js';
import { OPTION_OF_FIELD, type QuestionOptions, questionOf, withQuestion } from './question.js';
import { type Answered, type Asked, explorationReport } from './report.js';
import { complain, type Paint, paintFor, StatusLine } from './terminal.js';
import { lookOf } from './verdict-look.js';

const DESCRIPTION = `Says whether settings are safe: tries every schedule of late and lost messages,
pauses, crashes and so on within the given bounds, on the runners and rules that ship.
The answer is a proof, or the smallest schedule with which it goes wrong, as a
story and as a scenario that run and the page replay, and the one with which it
goes wrong for longest.`;

const EXAMPLES = `
It is about the safe runner on a Locket as documented, unless --runner and
--profile say otherwise: upstream for both is what Cloud Foundry ships. Each
message takes up to 1 s unless --latency says otherwise; nothing else goes wrong
but what is given. A paused client that believes it holds the lock counts as an
owner. Exit code 1 says that the property can be broken, 5 that there is no
verdict: the search was cut, the property was never put to the test, or the grid
is coarser than an exact answer takes, which makes for a preview.

Can production have two owners at the same time, if a machine is paused for 5 s?

  locket-wasm explore --runner upstream --profile upstream --ttl 15s \\
    --retry-interval 5s --pause 5s

Both runners, one after another, and what goes wrong as a scenario:

  locket-wasm explore --runner upstream safe --latency 6s --output broken.json
  locket-wasm run broken.json

The runners of a scenario, whatever happens within the bounds:

  locket-wasm explore two-leaders.json --latency 2s --pause 5s

More than can be tried: random walks, which find what is wrong and prove nothing:

  locket-wasm explore --runner upstream --clients 4 --latency 5s \\
    --lost-messages 3 --pauses 3 --pause 60s --seed 7

For how long nobody holds the lock after a crash, with a report for CI:

  locket-wasm explore --crashes 1 --property handover --allow 20s \\
    --html report.html
`;

interface Options extends QuestionOptions {
  runner: RunnerName[];
  ttl: Duration;
  retryInterval?: Duration;
  first?: true;
  seed?: number;
  walks?: number;
  dot?: string;
  json?: true;
  junit?: string;
  html?: string;
  output?: string;
}

/** From how many states on it is worth saying why there are so many. */
const STATES_HINTED = 200_000;

export function exploreCommand(): Command {
  const command = newCommand('explore', 'say whether settings are safe, by trying every schedule')
    .description(DESCRIPTION)
    .argument('[scenario]', `who takes part, instead of options that say so: ${SCENARIO_HELP}`)
    .addOption(new Option('--runner <name...>', 'which runners to ask about').choices(RUNNERS).default(['safe']))
    .option('--ttl <duration>', 'the lease, in whole seconds', duration, '15s')
    .option('--retry-interval <duration>', 'the retry interval; 5s by default, less for a short lease', duration);
  return withQuestion(command)
    .option('--first', 'stop at the first schedule that breaks it, without a look for the longest')
    .option('--seed <n>', 'take random walks of this seed, instead of trying every schedule', wholeNumber)
    .option('--walks <n>', 'how many; 1,000 by default', wholeNumber)
    .option('--dot <file>', 'where to write the states of a small question, as a graph for Graphviz')
    .option('-o, --output <file>', 'where to write the schedule that breaks it, as a scenario')
    .option('--json', 'print the answers as JSON, a line each')
    .option('--junit <file>', 'also write a report as JUnit does')
    .option('--html <file>', 'also write a report for a browser, which needs nothing else')
    .addHelpText('after', EXAMPLES)
    .action(exploreSettings);
}

async function exploreSettings(file: string | undefined, options: Options, command: Command): Promise<void> {
  const paint = paintFor(process.stdout);
  const { runner: runners, output } = options;
  if (options.walks !== undefined && options.seed === undefined) throw new Failure(EXIT_USAGE, '--walks goes with --seed');
  if (options.dot !== undefined && runners.length > 1) throw new Failure(EXIT_USAGE, '--dot: ask about one runner');
  if (new Set(runners).size < runners.length) throw new Failure(EXIT_USAGE, '--runner: one is given twice');
  const asked: Asked[] = [];
  for (const runner of runners) {
    const it = file === undefined ? await ask(runner, settingsOf(runner, options), options) : await askAbout(file, options, command);
    asked.push(it);
    process.stdout.write(options.json ? `${printableJson({ ...it.answer, runner: it.runner })}\n` : told(it, runners.length > 1, paint));
  }
  const broken = asked.find(({ answer }) => answer.scenario !== null);
  if (output !== undefined && broken !== undefined) writeText(output, `${broken.answer.scenario}\n`);
  if (options.dot !== undefined) writeText(options.dot, graphOf(asked));
  if (options.junit !== undefined) writeText(options.junit, report(asked));
  if (options.html !== undefined) writeText(options.html, explorationReport(asked));
  end(asked, options.seed !== undefined);
}

function settingsOf(runner: RunnerName, options: Options): Question {
  const { ttl, retryInterval } = options;
  return { ...boundsOf(options), runner, ttl, ...(retryInterval !== undefined && { retryInterval }) };
}

function boundsOf({ runner: _, ttl, retryInterval, first, seed, walks, dot, json, junit: __, html, output, ...rest }: Options): Question {
  return questionOf('explore', rest);
}

/** Asks about a scenario, which leaves nothing to say to the options about runners. */
function askAbout(file: string, options: Options, command: Command): Promise<Asked> {
  for (const option of ['runner', 'ttl', 'retryInterval']) {
    if (![undefined, 'default'].includes(command.getOptionValueSource(option))) {
      throw new Failure(EXIT_USAGE, `--${option}: the scenario says that; see locket-wasm explore --help`);
    }
  }
  return withScenarioAsync(file, (scenario) => ask(file, { ...boundsOf(options), scenario }, options));
}

async function ask(runner: string, question: Question, options: Options): Promise<Asked> {
  if (options.seed !== undefined) return walk(runner, question, options);
  const { maxStates, first } = options;
  const status = new StatusLine();
  const hinted = new Set<string>();
  const answer = await ending('explore', OPTION_OF_FIELD, () =>
    explore(question, {
      ...(maxStates !== undefined && { maxStates }),
      longest: first !== true,
      onProgress({ states, faults, timeMs, hint }) {
        if (hint !== null && states > STATES_HINTED && !hinted.has(hint)) {
          hinted.add(hint);
          status.clear();
          complain([hint]);
        }
        status.show(`${runner}: ${states} states, with ${faults} ${faults === 1 ? 'fault' : 'faults'} up to ${timeMs / 1000} s`);
      },
    }),
  );
  status.clear();
  return { runner, question, answer };
}

async function walk(runner: string, question: Question, { seed = 0, walks = 1000 }: Options): Promise<Asked> {
  const status = new StatusLine();
  const answer = await ending('explore', OPTION_OF_FIELD, () =>
    randomWalks(question, {
      seed,
      walks,
      onProgress: ({ walks: done, faults }) => status.show(`${runner}: ${done}/${walks} walks${faults === null ? '' : ', it can be broken'}`),
    }),
  );
  status.clear();
  return { runner, question, answer: { ...answer, because: null, longest: null } };
}

function told({ runner, answer }: Asked, isOneOfMany: boolean, paint: Paint): string {
  const { mark, colour } = lookOf(answer.verdict);
  const [first = '', ...story] = answer.text.split('\n').map(printable);
  const name = isOneOfMany ? `${runner}: ` : '';
  const replays = replaysOf(answer).map((line) => paint('dim', line));
  const lines = [`${paint(colour, mark)} ${name}${paint('bold', first)}`, ...story, ...replays];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** What replays the schedules that break it: the smallest, and the one that does for longest if that is another. */
function replaysOf({ link, longest, scenario }: Answered): string[] {
  if (link === null) return [];
  const isAnother = longest !== null && longest.scenario !== scenario;
  return [`locket-wasm replay ${link}`, ...(isAnother ? [`locket-wasm replay ${longest.link} # lasts longest`] : [])];
}

function graphOf(asked: Asked[]): string {
  const { question } = asked[0] as Asked;
  try {
    return stateGraph(question);
  } catch (error) {
    throw new Failure(EXIT_UNFINISHED, `--dot: ${(error as Error).message}`, error);
  }
}

function report(asked: Asked[]): string {
  const cases = asked.map(({ runner, answer: { verdict, summary, text } }) => ({
    name: `${runner} keeps the property`,
    message: summary,
    text,
    result: lookOf(verdict).result,
  }));
  return junit('locket-wasm explore', cases);
}

/** What to do about a verdict that is unknown. */
const ADVICE: Record<WhyUnknown, string> = {
  'clock-rates': 'a clock with a rate of its own has timers between the steps of the search; ask without it',
  'coarse-grid': 'a preview only: without --grid the answer is exact',
  'never-exercised': 'the property was never put to the test; ask for something else',
  'too-many-states': 'not every schedule was tried; --max-states allows more',
};

function end(asked: Asked[], areWalks: boolean): void {
  const unsafe = asked.filter(({ answer }) => answer.verdict === 'unsafe').length;
  if (unsafe > 0) throw new Failure(EXIT_FAILED, `the property can be broken with ${unsafe} of ${asked.length} runners`);
  if (areWalks) throw new Failure(EXIT_UNFINISHED, 'random walks prove nothing; without --seed every schedule is tried');
  const open = asked.find(({ answer }) => answer.because !== null);
  if (open?.answer.because) throw new Failure(EXIT_UNFINISHED, ADVICE[open.answer.because]);
}
