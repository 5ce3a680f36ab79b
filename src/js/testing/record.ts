// The record of a server during a test: calls, changes of the table, and actions on its processes.

import { callsUnderWay } from '../base/in-process.js';
import { seconds } from '../base/text.js';
import { length } from '../base/times.js';
import { durationMs, LocketError, LocketServer, VirtualClock } from '../node.js';
import type { Duration, LocketServerOptions } from '../node.js';
import type { Clock, ClockWait, Row, ServerClientOptions, TestClient } from '../types.js';
import { AwaitedCalls, noteCalls } from './awaited.js';
import { type Sent, wordsOf } from './call-words.js';
import { AwaitedClient, type AwaitedWait } from './awaited-client.js';
import { EndingClock } from './ending-clock.js';
import { fakeTimersHint } from './fake-timers.js';
import { type LastLock, type Obstacle, obstacleOf } from './holders.js';
import type { Entry } from './trial.js';

/** The name of a client without one. */
export const NAME_DEFAULT = 'a client';

/** A server that records its events. */
export class RecordedServer<C extends Clock> extends LocketServer<C> {
  /** The calls of the test on the clock and on clients. */
  readonly calls: AwaitedCalls;
  readonly #clients: AwaitedClient[] = [];
  readonly #entries: Entry[] = [];
  readonly #locks = new Map<string, LastLock>();
  readonly #frozen = new Set<string>();
  #rows = new Map<string, Row>();
  readonly #onOtherClocks = new Set<string>();
  #fakeTimers: string | undefined;
  readonly #zeroMs: number;
  #unlisten: () => void = () => {};

  constructor(options: LocketServerOptions<C>, calls = new AwaitedCalls()) {
    super(options);
    this.calls = calls;
    this.#zeroMs = this.clock.now;
    const { clock } = this;
    // A change that the test makes itself is noted at its own time.
    for (const name of ['deleteRow', 'dropTable', 'putRow', 'updateRows'] as const) {
      const act = this[name].bind(this) as (...args: unknown[]) => unknown;
      const value = (...args: unknown[]): unknown => {
        const result = act(...args);
        this.#noteChanges();
        return result;
      };
      Object.defineProperty(this, name, { value });
    }
    for (const [name, words] of [['restart', 'restarts'], ['stop', 'stops'], ['start', 'starts']] as const) {
      const act = this[name].bind(this);
      const value = (process?: number): unknown => (this.#note(`locket-${process ?? 0}`, words), act(process));
      Object.defineProperty(this, name, { value });
    }
    if (clock instanceof VirtualClock) this.#unlisten = clock.onInstant(() => this.#noteChanges());
  }

  /** The events, one a line, the table, and the waits. */
  story(): { trace: readonly Entry[]; table: Row[] | undefined; waits: ClockWait[] } {
    this.#noteChanges();
    return { trace: this.#entries, table: this.#table(), waits: this.waits() };
  }

  /** The time since the test began, whatever its clock counts from. */
  get elapsedMs(): number {
    return this.clock.now - this.#zeroMs;
  }

  /** Of each row that a runner on another clock kept in vain, a sentence that says what to do. */
  get onOtherClocks(): readonly string[] {
    return [...this.#onOtherClocks];
  }

  waits(): ClockWait[] {
    const { clock } = this;
    return clock instanceof VirtualClock ? clock.waits() : [];
  }

  /** The other owner of the key that a wait is for. */
  obstacle(wait: ClockWait): Obstacle | undefined {
    return obstacleOf(wait, this.#table() ?? [], this.#locks);
  }

  /** A wait of the test itself for something that time alone does not bring. */
  hopelessWait(): AwaitedWait | undefined {
    const endless = this.waits().filter((wait) => this.obstacle(wait)?.isEndless === true);
    const wants = endless.flatMap((wait) => wait.wants ?? []);
    return wants.map((wanted) => this.#clients.map((client) => client.awaited(wanted)).find(Boolean)).find(Boolean);
  }

  /** The words about timers that were fake at some moment of a test with a virtual clock. */
  fakeTimers(): string | undefined {
    if (this.clock instanceof VirtualClock) this.#fakeTimers ??= fakeTimersHint();
    return this.#fakeTimers;
  }

  /** A client whose calls must be awaited. */
  override client(name?: string, options: ServerClientOptions = {}): TestClient {
    const client = super.client(name, options);
    const words = name === undefined ? 'client()' : `client('${name}')`;
    const isTaken = ({ key, owner = name }: { key: string; owner?: string | undefined }): boolean => {
      const row = this.#table()?.find(({ path }) => path === key);
      return row !== undefined && row.owner !== owner;
    };
    this.#clients.push(new AwaitedClient(client, words, this.calls, isTaken));
    return client;
  }

  protected override callMade(
    client: string | undefined,
    call: () => Sent,
    from: { signal?: AbortSignal | undefined; isKept?: boolean; requestId?: string },
  ): (afterMs: number, owner: string | undefined, error: LocketError | undefined) => void {
    const sent = call();
    // A raw request may come from a client that the program under test has made.
    const made = client === undefined ? callsUnderWay().get(from.requestId ?? '') : undefined;
    const name = client ?? made?.name ?? 'fetch';
    const entry = this.#note(name, wordsOf(sent));
    const signal = made?.keeper ?? from.signal;
    const isKept = made === undefined ? from.isKept === true : made.keeper !== undefined;
    const isAstray = made !== undefined && made.clock !== this.clock && !(made.clock === 'ambient' && this.clock instanceof EndingClock);
    return (afterMs, owner, error) => {
      if (error === undefined) this.#noteLock(name, sent, () => isKept && signal?.aborted !== true && !this.#frozen.has(name), isAstray);
      const words = error === undefined ? (owner === undefined ? ' ✓' : ` ✓ ${owner} holds it`) : ` ✗ ${error.rawMessage} (${error.codeName})`;
      entry.words += afterMs > 0 ? `${words}, in ${length(afterMs)}` : words;
      this.#noteChanges();
    };
  }

  protected override clientChanged(name: string, words: string): void {
    if (words.startsWith('is ')) this.#frozen.add(name);
    else if (words === 'resumes' || words === 'crashes') this.#frozen.delete(name);
    this.#note(name, words);
  }

  override close(options: Parameters<LocketServer['close']>[0] = {}): void {
    this.#unlisten();
    if (this.clock instanceof EndingClock) this.clock.end();
    super.close(options);
  }

  #noteLock(client: string, { method, request }: Sent, isKept: () => boolean, isAstray: boolean): void {
    if (method !== 'lock') return;
    const { key, owner, ttl } = request as { key: string; owner: string; ttl: Duration };
    const who = client === NAME_DEFAULT ? client : `client ${client}`;
    this.#locks.set(key, { who, owner, endsMs: this.elapsedMs + durationMs(ttl), isKept, isAstray });
  }

  /** Notes an event, after what came before it. */
  note(entry: Entry): void {
    this.fakeTimers();
    this.#noteChanges();
    this.#entries.push(entry);
  }

  #note(who: string, words: string): Entry {
    const entry = { timeMs: this.elapsedMs, who, words };
    this.note(entry);
    return entry;
  }

  /** Notes the changes of the table since the last look. */
  #noteChanges(): void {
    const table = this.#table();
    if (table === undefined) return;
    const rows = new Map(table.map((row) => [row.path, row]));
    const paths = [...new Set([...this.#rows.keys(), ...rows.keys()])];
    const changes = paths.flatMap((path) => [...change(path, this.#rows.get(path), rows.get(path)), ...this.#astray(path, rows.get(path))]);
    this.#rows = rows;
    for (const words of changes) this.#entries.push({ timeMs: this.elapsedMs, who: '', words });
  }

  /** The end of a row whose TTL has passed on this clock, while a runner on another one goes on keeping it. */
  #astray(path: string, now: Row | undefined): string[] {
    const last = this.#locks.get(path);
    const hasEnded = this.#rows.has(path) && now?.owner !== last?.owner;
    if (last === undefined || !hasEnded || !last.isAstray || !last.isKept() || this.elapsedMs < last.endsMs) return [];
    const { owner } = last;
    this.#onOtherClocks.add(
      `'${owner}' keeps '${path}' by another clock than this test's: at ${seconds(last.endsMs)} its TTL was over here, and its runner does not know. ` +
        'Give its client fetch: server.fetch itself, or clock: server.clock.',
    );
    return [`│ a runner on another clock still keeps ${path} as ${owner}`];
  }

  /** `undefined` once the server is closed. */
  #table(): Row[] | undefined {
    try {
      return this.table();
    } catch (error) {
      if (error instanceof LocketError) return undefined;
      throw error;
    }
  }
}

function change(path: string, before: Row | undefined, now: Row | undefined): string[] {
  if (now === undefined) return [`│ row '${path}' of '${before?.owner}' is deleted`];
  const { owner, type, ttl, modified_index: index } = now;
  if (before === undefined) return [`│ row '${path}' is created: ${type} of '${owner}', TTL ${ttl} s`];
  if (before.owner !== owner) return [`│ row '${path}' changes its owner from '${before.owner}' to '${owner}'`];
  return before.modified_index === index ? [] : [`│ row '${path}' of '${owner}' is renewed, modified_index ${index}`];
}

/** The clock of a test, which must await its calls. */
export function clockOf(kind: 'virtual' | 'ambient', calls: AwaitedCalls): Clock {
  if (kind === 'ambient') return new EndingClock();
  const clock = new VirtualClock();
  for (const name of ['advanceAsync', 'advanceToAsync', 'nextAsync', 'runUntilAsync', 'sleep']) noteCalls(calls, clock, name, 'clock');
  return clock;
}
