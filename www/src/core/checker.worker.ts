// Searches in a thread of its own: the page goes on moving meanwhile. The package goes in slices, so a cancel is heard between two.

import { advise, type DangerProfile, dangerProfile, explore, type Question, settingsMap, Simulation } from 'locket-wasm/slim';

import { durationText } from '../base/time.js';
import type { Answers, Asked, Reply, Request, TimedExploration } from './checker-words.js';
import { moduleLoaded } from './module.js';

/** Some 100 MB: what a phone has left. A search that needs more says that it is unfinished. */
const STATES_MAX = 1_000_000;
/** Progress more often than this nobody reads. */
const PROGRESS_EVERY_MS = 100;

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
    await moduleLoaded;
    reply({ number, is: 'done', answer: await find(number, asked, controller.signal) });
  } catch (error) {
    reply({ number, is: 'failed', message: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(number);
  }
}

async function find(number: number, asked: Asked, signal: AbortSignal): Promise<Answers[keyof Answers]> {
  if (asked.do === 'advise') return await advise(asked.question, { signal, maxStates: STATES_MAX });
  if (asked.do === 'danger') return await answerDanger(asked, signal);
  if (asked.do === 'explore') return await answerQuestion(number, asked.question, signal);
  for (const row of asked.rows) {
    const { cells } = await settingsMap(row, { signal, maxStates: Math.min(asked.maxStates, STATES_MAX) });
    reply({ number, is: 'row', cells });
  }
  return undefined;
}

async function answerDanger({ link, stepMs, longestMs }: Extract<Asked, { do: 'danger' }>, signal: AbortSignal): Promise<DangerProfile> {
  const simulation = Simulation.fromLink(link);
  try {
    return await dangerProfile(simulation, { signal, step: durationText(stepMs), maxPause: durationText(longestMs) });
  } finally {
    simulation.close();
  }
}

async function answerQuestion(number: number, question: Question, signal: AbortSignal): Promise<TimedExploration> {
  const began = performance.now();
  let saidAt = began;
  const found = await explore(question, {
    signal,
    maxStates: STATES_MAX,
    onProgress(progress) {
      if (performance.now() - saidAt < PROGRESS_EVERY_MS) return;
      saidAt = performance.now();
      reply({ number, is: 'progress', progress });
    },
  });
  return { ...found, tookMs: performance.now() - began };
}
