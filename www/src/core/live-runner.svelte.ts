// A runner of the production client on this page, with its events.

import type { LocketClient, Runner, RunnerEvent } from 'locket-wasm';
import type { RunnerName } from 'locket-wasm/types';

import { durationText } from '../base/time.js';

export type LiveKind = 'lock' | 'presence';

/** The lock to hold, and its settings. */
export interface RunnerWish {
  kind: LiveKind;
  key: string;
  owner: string;
  ttlSeconds: number;
  retrySeconds: number;
  runner: RunnerName;
}

/** A stretch of time on the page's own clock; without an end it lasts. */
export interface LiveSpan {
  fromMs: number;
  toMs: number | undefined;
}

/** The most events to keep; older ones are dropped. */
const EVENTS_MAX = 200;

export class LiveRunner {
  readonly wish: RunnerWish;
  readonly startedMs = performance.now();
  /** When it acted as the owner. */
  spans = $state.raw<LiveSpan[]>([]);
  events = $state.raw<{ timeMs: number; words: string }[]>([]);
  isOver = $state.raw(false);
  hasCrashed = false;

  readonly #runner: Runner;

  constructor(client: LocketClient, wish: RunnerWish) {
    this.wish = wish;
    const { kind, key, owner, ttlSeconds, retrySeconds, runner } = wish;
    const options = { key, owner, ttl: durationText(1_000 * ttlSeconds), retryInterval: durationText(1_000 * retrySeconds), runner };
    this.#runner = kind === 'lock' ? client.lockRunner(options, { afterLoss: 'retry' }) : client.presence(options);
    void this.#listen();
  }

  /** True if it believes now that it holds the lock. */
  get held(): boolean {
    return this.#runner.held;
  }

  /** For how long it may act if no renewal succeeds; `undefined` if it does not act, or does not count. */
  get leaseLeftMs(): number | undefined {
    return this.#runner.leaseLeftMs;
  }

  /** Gives up what it holds, and tells Locket. */
  async stop(): Promise<void> {
    await this.#runner.stop();
  }

  /** Ends as a crash does, without a Release. */
  abandon(): void {
    this.hasCrashed = true;
    this.#runner.abandon();
  }

  async #listen(): Promise<void> {
    for await (const event of this.#runner) this.#note(event);
    this.#end(performance.now());
    this.isOver = true;
  }

  #note(event: RunnerEvent): void {
    const { type, timeMs, owner, error } = event;
    const why = owner !== undefined ? `, ${owner} holds it` : error !== undefined ? `: ${error.message}` : '';
    this.events = [...this.events, { timeMs, words: `${type}${why}` }].slice(-EVENTS_MAX);
    if (type === 'acquired') this.spans = [...this.spans, { fromMs: timeMs, toMs: undefined }];
    else if (type === 'lost' || type === 'signalled' || type === 'exited') this.#end(timeMs);
  }

  #end(timeMs: number): void {
    this.spans = this.spans.map((span) => (span.toMs === undefined ? { ...span, toMs: timeMs } : span));
  }
}
