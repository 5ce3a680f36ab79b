// A real Locket behind a gRPC-Web endpoint, polled while the view is open.

import { LocketClient, LocketError, type Resource } from 'locket-wasm';

import { type LiveKind, LiveRunner, type LiveSpan, type RunnerWish } from './live-runner.svelte.js';
import { messagesLoaded } from './module.js';

/** How often the table is asked for, and how long an answer may take. */
const INTERVAL_MS = 1_000;
const TIMEOUT_MS = 5_000;

/** How much of the past is kept of each key. */
const SPANS_MAX = 100;

/** A lock or presence as Locket lists it. */
export interface LiveRow extends Resource {
  kind: LiveKind;
}

/** A stretch in which Locket has listed one owner of a key. Between two polls nothing is known. */
export interface LiveHold extends LiveSpan {
  label: string;
  /** The last poll before it, and the last one that still listed it. */
  afterMs: number;
  seenMs: number;
}

export class Live {
  endpoint = $state.raw<string | undefined>();
  rows = $state.raw<LiveRow[]>([]);
  /** The last error, as a message. */
  problem = $state.raw<string | undefined>();
  /** The last action, as a message. */
  said = $state.raw('');
  /** True if the rows are of the last answer, and none has failed since. */
  isFresh = $state.raw(false);
  /** The runners that were started here, also those that have ended. */
  runners = $state.raw<LiveRunner[]>([]);
  /** The owners of each key over time, as Locket reported them. */
  holders = $state.raw<ReadonlyMap<string, LiveHold[]>>(new Map());

  #client: LocketClient | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the last poll was answered. */
  #polledMs: number | undefined;

  /** Begins to look at an endpoint. */
  connect(baseUrl: string): void {
    this.disconnect();
    try {
      this.#client = new LocketClient({ baseUrl, timeout: `${TIMEOUT_MS}ms` });
    } catch (error) {
      this.problem = messageOf(error);
      return;
    }
    this.endpoint = baseUrl;
    void this.#look(this.#client);
  }

  disconnect(): void {
    clearTimeout(this.#timer);
    for (const runner of this.runners) void runner.stop();
    this.runners = [];
    this.holders = new Map();
    this.#polledMs = undefined;
    this.#client = undefined;
    this.endpoint = undefined;
    this.rows = [];
    this.isFresh = false;
    this.problem = undefined;
    this.said = '';
  }

  /** True if a runner of this page keeps it. */
  isOwn({ key, owner }: Resource): boolean {
    return this.runners.some(({ wish, isOver }) => !isOver && wish.key === key && wish.owner === owner);
  }

  async release({ key, owner }: Resource): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    try {
      await client.release({ key, owner });
      this.said = `${key} is released`;
      this.problem = undefined;
    } catch (error) {
      this.said = '';
      this.problem = messageOf(error);
    }
    await this.#refresh(client);
  }

  /** Starts a runner, which goes on until it is stopped. */
  run(wish: RunnerWish): void {
    if (this.#client === undefined) return;
    try {
      this.runners = [...this.runners, new LiveRunner(this.#client, wish)];
      this.problem = undefined;
    } catch (error) {
      this.problem = messageOf(error);
    }
  }

  async #look(client: LocketClient): Promise<void> {
    if (!document.hidden) await this.#refresh(client);
    if (client === this.#client) this.#timer = setTimeout(() => void this.#look(client), INTERVAL_MS);
  }

  async #refresh(client: LocketClient): Promise<void> {
    try {
      await messagesLoaded();
      const [locks, presences] = await Promise.all([
        client.fetchAll({ kind: 'lock' }),
        client.fetchAll({ kind: 'presence' }),
      ]);
      if (client !== this.#client) return;
      const rows = [
        ...locks.map((row): LiveRow => ({ ...row, kind: 'lock' })),
        ...presences.map((row): LiveRow => ({ ...row, kind: 'presence' })),
      ];
      this.rows = rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
      if (!this.isFresh) this.problem = undefined;
      this.isFresh = true;
      this.#noteHolders(performance.now());
    } catch (error) {
      if (client !== this.#client) return;
      this.isFresh = false;
      this.problem = messageOf(error);
    }
  }

  /** A period continues if the next poll confirms it. */
  #noteHolders(nowMs: number): void {
    const holders = new Map(this.holders);
    for (const key of new Set([...holders.keys(), ...this.rows.map((row) => row.key)])) {
      const spans = holders.get(key) ?? [];
      const last = spans.at(-1);
      const owner = this.rows.find((row) => row.key === key)?.owner;
      if (last !== undefined && last.toMs === undefined && last.label === owner) {
        holders.set(key, [...spans.slice(0, -1), { ...last, seenMs: nowMs }]);
        continue;
      }
      const closed = spans.map((span) => (span.toMs === undefined ? { ...span, toMs: nowMs } : span));
      const opened = owner === undefined ? [] : [{ fromMs: nowMs, toMs: undefined, label: owner, afterMs: this.#polledMs ?? nowMs, seenMs: nowMs }];
      holders.set(key, [...closed, ...opened].slice(-SPANS_MAX));
    }
    this.holders = holders;
    this.#polledMs = nowMs;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof LocketError && error.outcome === 'unknown') return `${error.message} (the call may have had its effect)`;
  return error instanceof Error ? error.message : String(error);
}
