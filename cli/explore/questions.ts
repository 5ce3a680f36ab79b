// `explore --questions`: answers to many questions of a file, on several cores or machines.

import { LocketArgumentError, ScenarioError } from 'locket-wasm';
import { explore, type Question } from 'locket-wasm/check';

import { cut, number, printableJson } from '../../src/js/base/text.js';
import { EXIT_FAILED, EXIT_UNFINISHED, EXIT_USAGE, Failure } from '../command.js';
import { readText } from '../files.js';
import { checkJobs, inJobs } from '../jobs.js';
import { type Line, type Report, toned } from '../report.js';
import { searchLimit } from './settings.js';
import { type QuestionAnswer, runPart, sha256, workOf } from '../shards/part.js';
import { SHARDS_TAKE, type ShardOptions, shardOf, unitsOf, withoutVerdict } from '../shards/shard.js';
import { withMeant } from '../spelling.js';
import { status } from '../terminal.js';
import { lookOf } from '../verdict-look.js';

interface Options extends ShardOptions {
  questions: string;
  maxStates?: number;
  first?: true;
}

/** The file has a question on each line, or a JSON array of questions. */
export const QUESTIONS = {
  by: 'questions',
  takes: ['first', 'maxStates', ...SHARDS_TAKE, 'json'],
  work: answer,
};

async function answer(_: undefined, options: Options): Promise<Report> {
  const { questions: file, jobs, first, output } = options;
  checkJobs(jobs);
  const search = { longest: first !== true, ...searchLimit(options) };
  const questions = await readQuestions(file);
  const own = unitsOf(questions, shardOf(options), 'question');
  const questionsDigest = sha256(JSON.stringify(questions));
  const work = workOf('questions', shardOf(options), { questions: questions.length, questionsDigest, ...search });
  return withoutVerdict(answersReport(await runPart(work, output, () => answersOf(own, search, jobs))), options);
}

/** The report on all answers. */
export function answersReport(answers: readonly QuestionAnswer[]): Report {
  return { text: () => answers.flatMap(answerLines), json: answers, failure: failureOf(answers) };
}

function failureOf(answers: readonly QuestionAnswer[]): Failure | undefined {
  const count = (one: QuestionAnswer['verdict']) => answers.filter(({ verdict }) => verdict === one).length;
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
async function readQuestions(file: string): Promise<Numbered[]> {
  const questions = parsed(file, readText(file)).map((question, place): Numbered => ({ number: place + 1, question: question as Question }));
  if (questions.length === 0) throw new Failure(EXIT_USAGE, `${file} has no question; write one on a line, such as {"ttl":"15s","faults":{"pause":"5s"}}`);
  for (const { number: place, question } of questions) {
    try {
      await explore(question, { maxStates: 1, longest: false });
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

async function answersOf(questions: Numbered[], search: { longest: boolean; maxStates?: number }, jobs: number): Promise<QuestionAnswer[]> {
  const show = (count: number) => status.show(`${count} of ${questions.length} questions`);
  if (jobs !== 1) {
    const pieces = questions.map(({ question }) => ({ question, ...search }));
    const answers = await inJobs('questions', pieces, jobs, show);
    return answers.map((answer, index) => ({ ...(questions[index] as Numbered), ...answer }));
  }
  const answers: QuestionAnswer[] = [];
  for (const it of questions) {
    answers.push({ ...it, ...(await explore(it.question, search)) });
    show(answers.length);
  }
  return answers;
}

const QUESTION_SHOWN_MAX = 200;

function answerLines({ number: place, question, verdict, text, link }: QuestionAnswer): Line[] {
  const { mark, colour } = lookOf(verdict);
  const [first = ''] = text.split('\n');
  const asked = cut(printableJson(question), QUESTION_SHOWN_MAX);
  const replay = link === null ? [] : [toned('dim', `  locket-wasm run ${link}`)];
  return [[toned(colour, mark), ` ${number(place)}  `, toned('bold', first)], `  ${asked}`, ...replay];
}
