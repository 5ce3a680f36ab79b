// The checker as the page asks it: in a Worker, which is started with the first question.

import type { LogSource } from 'locket-wasm/diagnose';
import type { Advice, SafetyMargin, MapQuestion, Question } from 'locket-wasm/check';
import type { MapCell, SearchProgress } from 'locket-wasm/types';

import type { Answers, Asked, Incident, Reply, Request, TimedExploration } from './checker-words.js';
import { LONGEST_MS } from './danger.js';
import type { ManifestJob } from './manifest.js';

type Hear = (reply: Reply) => void;

export class Checker {
  readonly #hearers = new Map<number, Hear>();
  #worker: Worker | undefined;
  #asked = 0;

  /** Searches every schedule that a question allows. Rejects with the signal's reason, or with what is wrong with the question. */
  async explore(question: Question, signal: AbortSignal, onProgress?: (progress: SearchProgress) => void): Promise<TimedExploration> {
    return await this.#ask({ do: 'explore', question }, signal, (reply) => {
      if (reply.is === 'progress') onProgress?.(reply.progress);
    });
  }

  /** Searches the nearest settings that are safe. */
  async advise(question: Question, signal: AbortSignal): Promise<Advice> {
    return await this.#ask({ do: 'advise', question }, signal, () => {});
  }

  /** How near a run is to two owners, moment by moment; a link of the whole run says which. */
  async danger(link: string, stepMs: number, signal: AbortSignal): Promise<SafetyMargin> {
    return await this.#ask({ do: 'danger', link, stepMs, longestMs: LONGEST_MS }, signal, () => {});
  }

  /** Reads logs, and says what they show. */
  async diagnose(logs: LogSource[], signal: AbortSignal, onRead: (bytes: number) => void): Promise<Incident> {
    return await this.#ask({ do: 'diagnose', logs }, signal, (reply) => {
      if (reply.is === 'read') onRead(reply.bytes);
    });
  }

  /** Reads a BOSH manifest. Rejects with what is wrong with it, and what to do. */
  async manifest(text: string, signal: AbortSignal): Promise<ManifestJob[]> {
    return await this.#ask({ do: 'manifest', text }, signal, () => {});
  }

  /** Fills a map row by row, with so many states for each search. */
  async map(rows: MapQuestion[], maxStates: number, signal: AbortSignal, onRow: (cells: MapCell[]) => void): Promise<void> {
    await this.#ask({ do: 'map', rows, maxStates }, signal, (reply) => {
      if (reply.is === 'row') onRow(reply.cells);
    });
  }

  #ask<Question extends Asked>(question: Question, signal: AbortSignal, hear: Hear): Promise<Answers[Question['do']]> {
    signal.throwIfAborted();
    const number = this.#asked++;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#hearers.delete(number);
        signal.removeEventListener('abort', cancel);
      };
      const cancel = (): void => {
        end();
        this.#say({ number, do: 'cancel' });
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', cancel);
      this.#hearers.set(number, (reply) => {
        hear(reply);
        if (reply.is !== 'done' && reply.is !== 'failed') return;
        end();
        // An answer to a question is one of its kind.
        if (reply.is === 'done') resolve(reply.answer as Answers[Question['do']]);
        else reject(new Error(reply.message));
      });
      this.#say({ ...question, number });
    });
  }

  #say(request: Request): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(request);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./checker.worker.ts', import.meta.url), { type: 'module', name: 'checker' });
    worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => this.#hearers.get(data.number)?.(data));
    worker.addEventListener('error', () => {
      for (const [number, hear] of this.#hearers) hear({ number, is: 'failed', message: 'the Worker of this page could not be started' });
    });
    return worker;
  }
}
