// `locket-wasm batch`: answers to many questions of a file, on several cores or machines.

import type { Command } from 'commander';
import { LocketArgumentError, ScenarioError } from 'locket-wasm';
import { explore, init, type Question, Search } from 'locket-wasm/check';

import { cut, number, printableJson } from '../src/js/base/text.js';
import { EXIT_FAILED, EXIT_UNFINISHED, EXIT_USAGE, Failure, newCommand, wholeNumber } from './command.js';
import { readText } from './files.js';
import { checkJobs, inJobs } from './jobs.js';
import { reporting } from './printer.js';
import { type Line, type Report, toned } from './report.js';
import { estimate, type EstimateOptions, withEstimate } from './shards/estimate.js';
import { type BatchAnswer, runPart, sha256, workOf } from './shards/part.js';
import { type ShardOptions, shardOf, unitsOf, withoutVerdict, withShards } from './shards/shard.js';
import { withMeant } from './spelling.js';
import { status } from './terminal.js';
import { lookOf } from './verdict-look.js';

const DESCRIPTION = `Answers many questions about settings, as explore answers one. The file has a
question on each line, or a JSON array of questions. A question has the members
of explore in a program: {"ttl":"15s","faults":{"pause":"5s"}}.`;

const EXAMPLES = `
Exit code 1: a property can be broken. Exit code 5: there is no verdict for a
question. With --shard and --output the exit code is 0 once the report is
written, and merge has the verdicts.

Two questions, and each answer as a line of JSON:

  echo '{"ttl":"15s","faults":{"pause":"5s"}}' > questions.jsonl
  echo '{"ttl":"15s","latency":"6s","runner":"upstream"}' >> questions.jsonl
  locket-wasm batch questions.jsonl --json

How long many questions take on eight machines; the second of them; and all
eight reports as one:

  locket-wasm batch questions.jsonl --shard 1/8 --estimate
  locket-wasm batch questions.jsonl --shard 2/8 --output part-2.json
  locket-wasm merge part-*.json
`;

interface Options extends EstimateOptions, ShardOptions {
  maxStates?: number;
  first?: true;
}

export function batchCommand(): Command {
  const command = newCommand('batch', 'answer many questions of a file')
    .description(DESCRIPTION)
    .argument('<questions>', 'a file with a question on each line, or an array; - for standard input')
    .option('--first', 'stop at the first counterexample of a question, without looking for the longest')
    .option('--max-states <count>', 'the most states to search for a question', wholeNumber);
  return withEstimate(withShards(command, 'questions'))
    .option('--jobs <count>', 'the number of cores to use', wholeNumber, 1)
    .option('--json', 'print each answer as a line of JSON')
    .addHelpText('after', EXAMPLES)
    .action(reporting(batch));
}

async function batch(file: string, options: Options): Promise<Report> {
  const { jobs, maxStates, first, output } = options;
  checkJobs(jobs);
  const search = { longest: first !== true, ...(maxStates !== undefined && { maxStates }) };
  const questions = await readQuestions(file, maxStates);
  if (options.estimate) {
    return estimate('question', questions.length, shardOf(options), options, async (place, signal) => {
      return (await explore((questions[place] as Numbered).question, { ...search, signal })).states;
    });
  }
  const own = unitsOf(questions, shardOf(options), 'question');
  const questionsDigest = sha256(JSON.stringify(questions));
  const work = workOf('batch', shardOf(options), { questions: questions.length, questionsDigest, ...search });
  return withoutVerdict(answersReport(await runPart(work, output, () => answersOf(own, search, jobs))), options);
}

/** The report on all answers. */
export function answersReport(answers: readonly BatchAnswer[]): Report {
  return { text: () => answers.flatMap(answerLines), json: answers, failure: failureOf(answers) };
}

function failureOf(answers: readonly BatchAnswer[]): Failure | undefined {
  const count = (one: BatchAnswer['verdict']) => answers.filter(({ verdict }) => verdict === one).length;
  const among = `${answers.length} questions`;
  if (count('unsafe') > 0) return new Failure(EXIT_FAILED, `the property can be broken in ${count('unsafe')} of ${among}`);
  if (count('unknown') > 0) return new Failure(EXIT_UNFINISHED, `no verdict for ${count('unknown')} of ${among}; explore says why for each`);
  return undefined;
}

interface Numbered {
  number: number;
  question: Question;
}

/** All questions of the file; the first that makes no sense is an error, also if another shard has it. */
async function readQuestions(file: string, maxStates: number | undefined): Promise<Numbered[]> {
  const questions = parsed(file, readText(file)).map((question, place): Numbered => ({ number: place + 1, question: question as Question }));
  if (questions.length === 0) throw new Failure(EXIT_USAGE, `${file} has no question; write one on a line, such as {"ttl":"15s","faults":{"pause":"5s"}}`);
  await init();
  for (const { number: place, question } of questions) {
    try {
      new Search(question, maxStates === undefined ? {} : { maxStates }).close();
    } catch (error) {
      if (!(error instanceof LocketArgumentError) && !(error instanceof ScenarioError)) throw error;
      throw new Failure(EXIT_USAGE, `${file}, question ${place}: ${withMeant(error.message)}`, error);
    }
  }
  return questions;
}

function parsed(file: string, text: string): unknown[] {
  if (/^\s*\[/.test(text)) {
    try {
      return JSON.parse(text) as unknown[];
    } catch (error) {
      throw new Failure(EXIT_USAGE, `${file} is no JSON array: ${(error as Error).message}`, error);
    }
  }
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as unknown];
    } catch (error) {
      throw new Failure(EXIT_USAGE, `${file}:${index + 1}: expected a question as JSON on one line: ${(error as Error).message}`, error);
    }
  });
}

async function answersOf(questions: Numbered[], search: { longest: boolean; maxStates?: number }, jobs: number): Promise<BatchAnswer[]> {
  const show = (count: number) => status.show(`${count} of ${questions.length} questions`);
  if (jobs !== 1) {
    const pieces = questions.map(({ question }) => ({ question, ...search }));
    const answers = await inJobs('batch', pieces, jobs, show);
    return answers.map((answer, index) => ({ ...(questions[index] as Numbered), ...answer }));
  }
  const answers: BatchAnswer[] = [];
  for (const it of questions) {
    answers.push({ ...it, ...(await explore(it.question, search)) });
    show(answers.length);
  }
  return answers;
}

const QUESTION_SHOWN_MAX = 200;

function answerLines({ number: place, question, verdict, text, link }: BatchAnswer): Line[] {
  const { mark, colour } = lookOf(verdict);
  const [first = ''] = text.split('\n');
  const asked = cut(printableJson(question), QUESTION_SHOWN_MAX);
  const replay = link === null ? [] : [toned('dim', `  locket-wasm replay ${link}`)];
  return [[toned(colour, mark), ` ${number(place)}  `, toned('bold', first)], `  ${asked}`, ...replay];
}
