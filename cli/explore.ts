// `locket-wasm explore`: checks whether settings are safe, by trying every schedule.

import { type Command, Option } from 'commander';
import { type Duration, ScenarioError, Simulation } from 'locket-wasm';
import { explore, type Exploration, type Question, randomWalks } from 'locket-wasm/check';
import { length } from 'locket-wasm/picture';
import type { RunnerName } from 'locket-wasm/types';

import { counted } from '../src/js/base/text.js';
import { RUNNERS } from './question-options.js';
import { duration, EXIT_FAILED, EXIT_UNFINISHED, EXIT_USAGE, Failure, newCommand, wholeNumber } from './command.js';
import { suiteOf, type TestCase } from './junit.js';
import { reporting } from './printer.js';
import { OPTION_OF_FIELD, type QuestionOptions, questionOf, withQuestion } from './question.js';
import { type Line, type Report, toned } from './report.js';
import { scenarioFile, withScenarioAsync } from './scenario-file.js';
import { rarely } from './short-help.js';
import { complain, status } from './terminal.js';
import { lookOf } from './verdict-look.js';
import { WHY_UNKNOWN } from './why-unknown.js';

const DESCRIPTION = `Checks whether settings are safe: tries every schedule within the bounds. The
answer is a proof or the smallest counterexample, as a story and a scenario.`;

const EXAMPLES = `
The default is the safe runner on the documented Locket; pass --runner upstream
--profile upstream for what Cloud Foundry ships. Each message takes up to 1 s
(--latency); no other fault occurs unless an option allows it. A paused client
that believes it holds the lock counts as an owner. Exit code 1: the property
can be broken. Exit code 5: there is no verdict, because the search was cut, the
property was never tested, the scenario has no runner, or the grid is too
coarse for an exact answer. With suspends or clock rates no grid is exact.

A fault without a count may happen any number of times if that can be proved,
and once if not. A proof that holds for any number of clients says so; each of
them may then have the faults of the bounds. Where a search is cut, the answer
says up to where no number of clients breaks the property.

Any number of clients, each paused any number of times:

  locket-wasm explore --clients any --fault pause=20s --latency 6s

Can production have two owners at the same time, with a pause of up to 5 s?

  locket-wasm explore --runner upstream --profile upstream --ttl 15s \\
    --retry-interval 5s --fault pause=5s,1

Both runners, with the counterexample as a scenario:

  locket-wasm explore --runner upstream safe --latency 6s --output broken.json
  locket-wasm run broken.json

The runners of a scenario. Its faults are the bounds, unless an option says
otherwise: the search decides when they happen, and to whom. The answer names
what no search tries. Expectations are no part of the question:

  locket-wasm explore holder-crashes
  locket-wasm explore two-leaders.json --latency 2s --fault pause=5s

Too many schedules to try: random walks find problems, but prove nothing:

  locket-wasm explore --runner upstream --clients 4 --latency 5s \\
    --fault lost-message,3 --fault pause=60s,3 --seed 7

How long the lock has no owner after a crash:

  locket-wasm explore --fault crash --property handover --allow 20s
`;

interface Options extends QuestionOptions {
  runner: RunnerName[];
  ttl: Duration;
  retryInterval?: Duration;
  first?: true;
  seed?: number;
  walks?: number;
  json?: true;
  junit?: string;
  output?: string;
}

/** An answer, and the runner or the scenario that it is about. */
interface Asked {
  runner: string;
  answer: Answered;
}

/** The members that searches and random walks share. */
type Answered = Pick<Exploration, 'because' | 'link' | 'longest' | 'scenario' | 'summary' | 'text' | 'verdict'>;

/** From this many states on, a hint explains why there are so many. */
const STATES_HINTED = 200_000;

export function exploreCommand(): Command {
  const command = newCommand('explore', 'check whether settings are safe, by trying every schedule')
    .description(DESCRIPTION)
    .argument('[scenario]', 'a file, - or a story that has the clients')
    .addOption(new Option('--runner <name...>', 'the runners to check').choices(RUNNERS).default(['safe']))
    .option('--ttl <duration>', 'the lease, in whole seconds', duration, '15s')
    .option('--retry-interval <duration>', 'the retry interval; 5s by default', duration);
  return withQuestion(command)
    .addOption(rarely(new Option('--first', 'stop at the first counterexample, without looking for the longest')))
    .addOption(rarely(new Option('--seed <n>', 'take random walks with this seed, instead of trying every schedule').argParser(wholeNumber)))
    .addOption(rarely(new Option('--walks <n>', 'the number of random walks; 1,000 by default').argParser(wholeNumber)))
    .option('-o, --output <file>', 'write the counterexample as a scenario')
    .option('--json', 'print each answer as a line of JSON')
    .option('--junit <file>', 'also write a JUnit report')
    .addHelpText('after', EXAMPLES)
    .action(reporting(exploreSettings, OPTION_OF_FIELD));
}

async function* exploreSettings(file: string | undefined, options: Options, command: Command): AsyncIterable<Report> {
  const { runner: runners, output } = options;
  if (options.walks !== undefined && options.seed === undefined) throw new Failure(EXIT_USAGE, '--walks needs --seed, such as --seed 1');
  if (new Set(runners).size < runners.length) throw new Failure(EXIT_USAGE, '--runner: a runner is given twice');
  const asked: Asked[] = [];
  for (const runner of runners) {
    const it = file === undefined ? await ask(runner, settingsOf(runner, options), options) : await askAbout(file, options, command);
    asked.push(it);
    yield { text: () => answerLines(it, runners.length > 1), json: [{ ...it.answer, runner: it.runner }] };
  }
  const broken = asked.find(({ answer }) => answer.scenario !== null);
  yield {
    files: broken === undefined ? [] : scenarioFile(output, broken.answer.scenario as string),
    suite: () => suiteOf('locket-wasm explore', asked.map(caseOf)),
    failure: failureOf(asked, options.seed !== undefined),
  };
}

function settingsOf(runner: RunnerName, options: Options): Question {
  const { ttl, retryInterval } = options;
  return { ...boundsOf(options), runner, ttl, ...(retryInterval !== undefined && { retryInterval }) };
}

function boundsOf({ runner: _, ttl, retryInterval, first, seed, walks, json, junit: __, output, ...rest }: Options): Question {
  return questionOf('explore', rest);
}

/** Asks about a scenario, which excludes the options about runners. */
function askAbout(file: string, options: Options, command: Command): Promise<Asked> {
  for (const option of ['runner', 'ttl', 'retryInterval'] as const) {
    if (![undefined, 'default'].includes(command.getOptionValueSource(option))) {
      throw new Failure(EXIT_USAGE, `${OPTION_OF_FIELD[option]}: the scenario sets this; leave the option out; see locket-wasm explore --help`);
    }
  }
  return withScenarioAsync(file, async (scenario) => {
    try {
      return await ask(file, { ...boundsOf(options), scenario }, options);
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      // A scenario that no search can try is valid all the same.
      new Simulation(scenario).close();
      throw new Failure(EXIT_UNFINISHED, `no verdict: ${error.message.slice(`${error.line}:${error.column}: `.length)}`, error);
    }
  });
}

async function ask(runner: string, question: Question, options: Options): Promise<Asked> {
  if (options.seed !== undefined) return walk(runner, question, options);
  const { maxStates, first } = options;
  const hinted = new Set<string>();
  const answer = await explore(question, {
    ...(maxStates !== undefined && { maxStates }),
    longest: first !== true,
    onProgress({ states, faults, timeMs, hint }) {
      if (hint !== null && states > STATES_HINTED && !hinted.has(hint)) {
        hinted.add(hint);
        complain([hint]);
      }
      status.show(`${runner}: ${counted(states, 'state')}, with ${counted(faults, 'fault')} up to ${length(timeMs)}`);
    },
  });
  return { runner, answer };
}

async function walk(runner: string, question: Question, { seed = 0, walks = 1000 }: Options): Promise<Asked> {
  const answer = await randomWalks(question, {
    seed,
    walks,
    onProgress: ({ walks: done, faults }) => status.show(`${runner}: ${done}/${walks} walks${faults === null ? '' : ', found a counterexample'}`),
  });
  return { runner, answer: { ...answer, because: null, longest: null } };
}

function answerLines({ runner, answer }: Asked, isOneOfMany: boolean): Line[] {
  const { mark, colour } = lookOf(answer.verdict);
  const [first = '', ...story] = answer.text.trimEnd().split('\n');
  const name = isOneOfMany ? `${runner}: ` : '';
  return [[toned(colour, mark), ` ${name}`, toned('bold', first)], ...story, ...replaysOf(answer).map((line) => toned('dim', line))];
}

/** Commands that replay the counterexamples: the smallest, and the longest if it is another. */
function replaysOf({ link, longest, scenario }: Answered): string[] {
  if (link === null) return [];
  const isAnother = longest !== null && longest.scenario !== scenario;
  return [`locket-wasm replay ${link}`, ...(isAnother ? [`locket-wasm replay ${longest.link} # lasts longest`] : [])];
}

function caseOf({ runner, answer: { verdict, summary, text } }: Asked): TestCase {
  return { name: `${runner} keeps the property`, message: summary, text, result: lookOf(verdict).result };
}

function failureOf(asked: Asked[], areWalks: boolean): Failure | undefined {
  const unsafe = asked.filter(({ answer }) => answer.verdict === 'unsafe').length;
  const among = asked.length === 1 ? '' : ` with ${unsafe} of ${asked.length} runners`;
  if (unsafe > 0) return new Failure(EXIT_FAILED, `the property can be broken${among}`);
  if (areWalks) return new Failure(EXIT_UNFINISHED, 'no verdict: random walks prove nothing; leave out --seed to try every schedule');
  const because = asked.map(({ answer }) => answer.because).find((it) => it !== null);
  return because ? new Failure(EXIT_UNFINISHED, `no verdict: ${WHY_UNKNOWN[because]}`) : undefined;
}
