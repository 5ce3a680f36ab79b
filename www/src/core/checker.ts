// The checker as the page asks it: in Workers. One is started with the first question, and another whenever a question comes
// while all have one, as long as the machine has a core for it. All give the same answers.

import type { LogSource } from 'locket-wasm/diagnose';
import type { Advice, SafetyMargin, MapQuestion, RunQuestion } from 'locket-wasm/check';
import type { MapCell, SearchProgress } from 'locket-wasm/types';

import type { Answers, Asked, AskedMargin, AskedQuestion, AskedRun, Incident, ReadProgress, Reply, Request, TimedExploration } from './checker-words.js';

type Hear = (reply: Reply) => void;

/** A Worker, and who waits for its replies. */
interface Thread {
  worker: Worker;
  hearers: Map<number, Hear>;
}

/** A search may take 100 MB, so that not every core of a large machine gets a Worker. */
const THREADS_MAX = Math.min(4, navigator.hardwareConcurrency || 1);

export class Checker {
  readonly #threads: Thread[] = [];
  #asked = 0;

  /** Searches every schedule that a question allows. Rejects with the signal's reason, or with what is wrong with the question. */
  async explore(question: AskedQuestion, signal: AbortSignal, onProgress?: (progress: SearchProgress) => void): Promise<TimedExploration> {
    return await this.#ask({ do: 'explore', question }, signal, (reply) => {
      if (reply.is === 'progress') onProgress?.(reply.progress);
    });
  }

  /** The question of a run, and what of the run is outside of it. Rejects if no search can try its clients. */
  async questionOfRun(asked: AskedRun, signal: AbortSignal): Promise<RunQuestion> {
    return await this.#ask({ do: 'question', ...asked }, signal, () => {});
  }

  /** Searches the nearest settings that are safe. */
  async advise(question: AskedQuestion, signal: AbortSignal): Promise<Advice> {
    return await this.#ask({ do: 'advise', question }, signal, () => {});
  }

  /** The safety margin of a run, moment by moment. */
  async danger(asked: AskedMargin, signal: AbortSignal): Promise<SafetyMargin> {
    return await this.#ask({ do: 'danger', ...asked }, signal, () => {});
  }

  /** Reads logs, and says what they show. */
  async diagnose(logs: LogSource[], signal: AbortSignal, onRead: (read: ReadProgress) => void): Promise<Incident> {
    return await this.#ask({ do: 'diagnose', logs }, signal, (reply) => {
      if (reply.is === 'read') onRead(reply);
    });
  }

  /** Fills a map, with a limit of states for each search. Rows come as they are found, in any order. */
  async map(rows: MapQuestion[], maxStates: number, signal: AbortSignal, onRow: (cells: MapCell[], bounds: string) => void): Promise<void> {
    const left = rows.values();
    const fill = async (): Promise<void> => {
      for (const row of left) {
        const { cells, bounds } = await this.#ask({ do: 'map', row, maxStates }, signal, () => {});
        onRow(cells, bounds);
      }
    };
    await Promise.all(Array.from({ length: THREADS_MAX }, fill));
  }

  #ask<Question extends Asked>(question: Question, signal: AbortSignal, hear: Hear): Promise<Answers[Question['do']]> {
    signal.throwIfAborted();
    const number = this.#asked++;
    const { worker, hearers } = this.#thread();
    const say = (request: Request): void => worker.postMessage(request);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        hearers.delete(number);
        signal.removeEventListener('abort', cancel);
      };
      const cancel = (): void => {
        end();
        say({ number, do: 'cancel' });
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', cancel);
      hearers.set(number, (reply) => {
        hear(reply);
        if (reply.is !== 'done' && reply.is !== 'failed') return;
        end();
        // An answer to a question is one of its kind.
        if (reply.is === 'done') resolve(reply.answer as Answers[Question['do']]);
        else reject(new Error(reply.message));
      });
      say({ ...question, number });
    });
  }

  /** The one with the fewest questions; a new one if all have some. */
  #thread(): Thread {
    const [least] = [...this.#threads].sort((a, b) => a.hearers.size - b.hearers.size);
    if (least !== undefined && (least.hearers.size === 0 || this.#threads.length === THREADS_MAX)) return least;
    const thread = start();
    this.#threads.push(thread);
    return thread;
  }
}

function start(): Thread {
  const worker = new Worker(new URL('./checker.worker.ts', import.meta.url), { type: 'module', name: 'checker' });
  const hearers = new Map<number, Hear>();
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => hearers.get(data.number)?.(data));
  worker.addEventListener('error', () => {
    for (const [number, hear] of hearers) hear({ number, is: 'failed', message: 'the Worker of this page could not be started' });
  });
  return { worker, hearers };
}
