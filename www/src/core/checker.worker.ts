// Searches in a thread of its own: the page goes on moving meanwhile. The package goes in slices, so a cancel is heard between two.

import { explore, settingsMap } from 'locket-wasm';

import type { Reply, Request } from './checker-words.js';

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

async function answer(request: Exclude<Request, { do: 'cancel' }>): Promise<void> {
  const { number } = request;
  const controller = new AbortController();
  running.set(number, controller);
  try {
    if (request.do === 'explore') await answerQuestion(number, request.question, controller.signal);
    else await answerMap(number, request.rows, controller.signal);
  } catch (error) {
    reply({ number, is: 'failed', message: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(number);
  }
}

type Asked<What extends Request['do']> = Extract<Request, { do: What }>;

async function answerQuestion(number: number, question: Asked<'explore'>['question'], signal: AbortSignal): Promise<void> {
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
  reply({ number, is: 'done', answer: { ...found, tookMs: performance.now() - began } });
}

async function answerMap(number: number, rows: Asked<'map'>['rows'], signal: AbortSignal): Promise<void> {
  for (const row of rows) {
    const { cells } = await settingsMap(row, { signal, maxStates: STATES_MAX });
    reply({ number, is: 'row', cells });
  }
  reply({ number, is: 'done' });
}
