// `explore` without an option that asks for more: one question, for each runner given.

import type { Command } from 'commander';
import { ScenarioError, Simulation } from 'locket-wasm';
import { explore, type Exploration, type Question } from 'locket-wasm/check';

import { counted } from '../../src/js/base/text.js';
import { length } from '../../src/js/base/times.js';
import { EXIT_FAILED, EXIT_UNFINISHED, EXIT_USAGE, Failure } from '../command.js';
import { suiteOf, type TestCase } from '../junit.js';
import { misuse } from '../modes.js';
import { OPTION_OF_FIELD, QUESTION_TAKES, type QuestionOptions, questionOf, runnerName } from '../question.js';
import { type Line, type Report, toned } from '../report.js';
import { scenarioFile, withScenario } from '../scenario-file.js';
import { complain, status } from '../terminal.js';
import { lookOf } from '../verdict-look.js';
import { WHY_UNKNOWN } from '../why-unknown.js';
import { type Durations, searchLimit, settingsOf } from './settings.js';

export interface AskOptions extends QuestionOptions {
  runner?: NonNullable<Question['runner']>[];
  ttl?: Durations;
  retryInterval?: Durations;
  output?: string;
  quiet?: true;
}

/** The options that it takes. */
export const ASK_TAKES: readonly string[] = [...QUESTION_TAKES, 'json', 'junit', 'output', 'quiet', 'retryInterval', 'runner', 'ttl'];

/** An answer, and the runner or the scenario that it is about. */
interface Asked {
  runner: string;
  answer: Exploration;
}

/** From this many states on, a hint explains why there are so many. */
const STATES_HINTED = 200_000;

export async function* ask(file: string | undefined, options: AskOptions, command: Command): AsyncIterable<Report> {
  const { runner: runners = ['safe'], output } = options;
  if (new Set(runners.map(runnerName)).size < runners.length) throw new Failure(EXIT_USAGE, '--runner: a runner is given twice');
  const asked: Asked[] = [];
  for (const runner of runners) {
    const it = file === undefined ? await askOne(runnerName(runner), { ...questionOf('explore', options), runner, ...settingsOf(options) }, options) : await askAbout(file, options, command);
    asked.push(it);
    yield { text: () => answerLines(it, runners.length > 1), json: [{ ...it.answer, runner: it.runner }] };
  }
  const broken = asked.find(({ answer }) => answer.scenario !== null);
  yield {
    files: broken === undefined ? [] : scenarioFile(output, broken.answer.scenario as string),
    suite: () => suiteOf('locket-wasm explore', asked.map(caseOf)),
    failure: failureOf(asked),
  };
}

/** Asks about a scenario, which excludes the options about runners. */
function askAbout(file: string, options: AskOptions, command: Command): Promise<Asked> {
  for (const option of ['runner', 'ttl', 'retryInterval'] as const) {
    if (options[option] !== undefined) throw misuse(command, `${OPTION_OF_FIELD[option]}: the scenario sets this; leave the option out`);
  }
  return withScenario(file, async (scenario) => {
    try {
      return await askOne(file, { ...questionOf('explore', options), scenario }, options);
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      // A scenario that no search can try is valid all the same.
      new Simulation(scenario).close();
      throw new Failure(EXIT_UNFINISHED, `no verdict: ${error.message.slice(`${error.line}:${error.column}: `.length)}`, error);
    }
  });
}

async function askOne(runner: string, question: Question, options: AskOptions): Promise<Asked> {
  const hinted = new Set<string>();
  const answer = await explore(question, {
    ...searchLimit(options),
    longest: options.quiet !== true,
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

function answerLines({ runner, answer }: Asked, isOneOfMany: boolean): Line[] {
  const { mark, colour } = lookOf(answer.verdict);
  const [first = '', ...story] = answer.text.trimEnd().split('\n');
  const name = isOneOfMany ? `${runner}: ` : '';
  // Runners are compared by their verdicts.
  return [[toned(colour, mark), ` ${name}`, toned('bold', first)], ...(isOneOfMany ? [] : story), ...replaysOf(answer).map((line) => toned('dim', line))];
}

/** Commands that replay the counterexamples: the smallest, and the longest if it is another. */
function replaysOf({ link, longest, scenario }: Exploration): string[] {
  if (link === null) return [];
  const isAnother = longest !== null && longest.scenario !== scenario;
  return [`locket-wasm run ${link}`, ...(isAnother ? [`locket-wasm run ${longest.link} # lasts longest`] : [])];
}

function caseOf({ runner, answer: { verdict, summary, text } }: Asked): TestCase {
  return { name: `${runner} keeps the property`, message: summary, text, result: lookOf(verdict).result };
}

function failureOf(asked: Asked[]): Failure | undefined {
  const unsafe = asked.filter(({ answer }) => answer.verdict === 'unsafe').length;
  const among = asked.length === 1 ? '' : ` with ${unsafe} of ${asked.length} runners`;
  if (unsafe > 0) return new Failure(EXIT_FAILED, `the settings are not safe${among}`);
  const because = asked.map(({ answer }) => answer.because).find((it) => it !== null);
  return because ? new Failure(EXIT_UNFINISHED, `no verdict: ${WHY_UNKNOWN[because]}`) : undefined;
}
