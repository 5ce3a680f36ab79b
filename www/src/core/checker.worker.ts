// Searches and reads logs in a thread of its own, so the page stays responsive. The package works in slices, so a cancel message
// arrives between two slices.

import type { LogSource } from 'locket-wasm/diagnose';
import checker from 'locket-wasm/checker.wasm?url';
import { durationMs, Simulation } from 'locket-wasm';
import { advise, type SafetyMargin, safetyMargin, explore, init, type Question, questionOfCell, questionOfRun, type RunQuestion, mapSettings } from 'locket-wasm/check';
import type { SearchProgress } from 'locket-wasm/types';

import { durationText } from '../base/time.js';
import { frozenWords } from './nouns.js';
import type { Answers, Asked, AskedQuestion, Incident, ReadProgress, Reply, Request, TimedExploration } from './checker-words.js';

/** Some 100 MB: what a phone has left. A search that needs more says that it is unfinished. */
const STATES_MAX = 1_000_000;
/** More frequent progress is useless. */
const PROGRESS_EVERY_MS = 100;

const checkerLoaded = init(checker);

const running = new Map<number, AbortController>();
const reply = (message: Reply): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<Request>) => {
  if (data.do === 'cancel') running.get(data.number)?.abort();
  else void answer(data);
});

async function answer({ number, ...asked }: Exclude<Request, { do: 'cancel' }>): Promise<void> {
  const controller = new AbortController();
  running.set(number, controller);
  try {
    // Logs are read without a module.
    if (asked.do !== 'diagnose') await checkerLoaded;
    reply({ number, is: 'done', answer: await find(number, asked, controller.signal) });
  } catch (error) {
    reply({ number, is: 'failed', message: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(number);
  }
}

async function find(number: number, asked: Asked, signal: AbortSignal): Promise<Answers[keyof Answers]> {
  if (asked.do === 'advise') return await advise(questionOf(asked.question), { signal, maxStates: STATES_MAX });
  if (asked.do === 'diagnose') return await readLogs(number, asked.logs, signal);
  if (asked.do === 'danger') return await answerDanger(asked, signal);
  if (asked.do === 'explore') return await answerQuestion(number, questionOf(asked.question), signal);
  if (asked.do === 'question') return await answerRun(asked);
  const { cells, bounds } = await mapSettings(asked.row, { signal, maxStates: Math.min(asked.maxStates, STATES_MAX) });
  return { cells, bounds: frozenWords(bounds) };
}

function questionOf(asked: AskedQuestion): Question {
  if ('map' in asked) return questionOfCell(asked.map, asked.cell, asked.amount);
  if ('question' in asked) {
    const { bounds } = questionOfRun(asked.scenario);
    return { ...bounds, ...asked.question, faults: { ...bounds.faults, ...asked.question.faults } };
  }
  return asked;
}

/** @param run a link, or a scenario */
async function withSimulation<Answer>(run: string, answer: (simulation: Simulation) => Answer): Promise<Awaited<Answer>> {
  await (await import('./module.js')).moduleLoaded;
  const simulation = run.startsWith('{') ? new Simulation(run) : Simulation.fromLink(run);
  try {
    return await answer(simulation);
  } finally {
    simulation.close();
  }
}

async function answerRun({ run: text, happened, bounds, delayMs, isAboutGap = false }: Extract<Asked, { do: 'question' }>): Promise<RunQuestion> {
  return await withSimulation(text, (simulation) => {
    const faults = happened ? 'happened' : 'planned';
    const own = questionOfRun(simulation, { faults }).bounds.latency ?? '0s';
    const latency = durationMs(own) > delayMs ? own : durationText(delayMs);
    const run = questionOfRun(simulation, { faults, bounds: { latency, ...bounds } });
    const said = inWordsOfPage(run);
    return isAboutGap ? { ...said, question: { ...said.question, property: { is: 'presence-gap', allow: '0s' } } } : said;
  });
}

/** The package has pauses, the page freezes. */
function inWordsOfPage(run: RunQuestion): RunQuestion {
  const faults = run.faults.map((fault) => ({ ...fault, one: frozenWords(fault.one), several: frozenWords(fault.several) }));
  return { ...run, faults, words: frozenWords(run.words), outside: run.outside.map((part) => ({ ...part, words: frozenWords(part.words) })) };
}

async function answerDanger({ run, stepMs, longestMs, pauseStepMs, of }: Extract<Asked, { do: 'danger' }>, signal: AbortSignal): Promise<SafetyMargin> {
  const options = { signal, step: durationText(stepMs), maxPause: durationText(longestMs), pauseStep: durationText(pauseStepMs), ...of };
  return await withSimulation(run, (simulation) => safetyMargin(simulation, options));
}

async function readLogs(number: number, logs: LogSource[], signal: AbortSignal): Promise<Incident> {
  const { diagnose, diagnosisView, printable, reproductionOf } = await import('../base/diagnose.js');
  const onProgress = seldom((read: ReadProgress) => reply({ number, is: 'read', ...read }));
  const totalBytes = logs.reduce((sum, { data }) => sum + (data instanceof Blob ? data.size : 0), 0);
  const diagnosis = withTexts(await diagnose(logs, { signal, totalBytes, onProgress }), printable);
  return { diagnosis, view: diagnosisView(diagnosis), reproduction: reproductionOf(diagnosis) };
}

/** The value with every text in it made anew. */
function withTexts<T>(value: T, made: (text: string) => string): T {
  const change = (_: string, member: unknown): unknown => (typeof member === 'string' ? made(member) : member);
  return JSON.parse(JSON.stringify(value, change)) as T;
}

async function answerQuestion(number: number, question: Question, signal: AbortSignal): Promise<TimedExploration> {
  const began = performance.now();
  const onProgress = seldom((progress: SearchProgress) => reply({ number, is: 'progress', progress }));
  const found = await explore(question, { signal, maxStates: STATES_MAX, onProgress });
  return { ...found, bounds: frozenWords(found.bounds), summary: frozenWords(found.summary), tookMs: performance.now() - began };
}

/** Limits how often progress is reported. */
function seldom<Progress>(tell: (progress: Progress) => void): (progress: Progress) => void {
  let saidAt = performance.now();
  return (progress) => {
    if (performance.now() - saidAt < PROGRESS_EVERY_MS) return;
    saidAt = performance.now();
    tell(progress);
  };
}
