// The record of a server during a test: calls, changes of the table, and actions on its processes.

import { type Interceptor, LocketError, LocketServer, VirtualClock } from '../node.js';
import type { LocketServerOptions } from '../node.js';
import type { Call, Clock, ClockWait, CloseOptions, FetchAllRequest, Row, ServerClientOptions, TestClient } from '../types.js';
import { tellDifference, toldSwitches } from './difference.js';
import { EndingClock } from './ending-clock.js';

/** One event, as a line that may get its answer later. */
interface Entry {
  timeMs: number;
  who: string;
  words: string;
}

/** The name of a client without one. */
export const NAME_DEFAULT = 'a client';

/** A server that records its events. */
export class RecordedServer<C extends Clock> extends LocketServer<C> {
  readonly #entries: Entry[] = [];
  #rows = new Map<string, Row>();
  #unlisten: () => void = () => {};

  /** With `tellsDifferences`, prints the calls that the shipped Locket answers differently. */
  constructor(options: LocketServerOptions<C>, tellsDifferences = false) {
    super(options);
    if (tellsDifferences) this.compareWithShipped(toldSwitches, tellDifference);
    const { clock } = this;
    if (clock instanceof VirtualClock) this.#unlisten = clock.onInstant(() => this.#noteChanges());
  }

  /** The events, one a line, the table, and the waits. */
  story(): { trace: readonly Entry[]; table: Row[] | undefined; waits: ClockWait[] } {
    this.#noteChanges();
    const { clock } = this;
    return { trace: this.#entries, table: this.#table(), waits: clock instanceof VirtualClock ? clock.waits() : [] };
  }

  /** A client whose calls are recorded under its name. */
  override client(options: ServerClientOptions = {}): TestClient {
    // The base class refuses invalid options with their names.
    if (typeof options !== 'object' || options === null || !Array.isArray(options.interceptors ?? [])) return super.client(options);
    // Innermost, so that it sees the final request.
    return super.client({ ...options, interceptors: [...(options.interceptors ?? []), this.#remember(options.name ?? NAME_DEFAULT)] });
  }

  protected override clientChanged(name: string, words: string): void {
    this.#note(name, words);
  }

  override async fetch(input: Request | URL | string, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const entry = this.#note('fetch', `posts ${new URL(request.url).pathname.split('/').at(-1) ?? ''}`);
    const answer = await super.fetch(request);
    // Without a message, the status is in a header; with one, it is in the last frame of the body.
    const refusal = answer.headers.get('grpc-message') ?? (answer.ok ? undefined : `HTTP status ${answer.status}`);
    entry.words += refusal === undefined ? ' ✓' : ` ✗ ${refusal}`;
    this.#noteChanges();
    return answer;
  }

  override restart(process?: number): void {
    super.restart(process);
    this.#note(`locket-${process ?? 0}`, 'restarts');
  }

  override stop(process?: number): boolean {
    this.#note(`locket-${process ?? 0}`, 'stops');
    return super.stop(process);
  }

  override start(process?: number): boolean {
    this.#note(`locket-${process ?? 0}`, 'starts');
    return super.start(process);
  }

  override close(options: CloseOptions = {}): void {
    this.#unlisten();
    if (this.clock instanceof EndingClock) this.clock.end();
    super.close(options);
  }

  #remember(who: string): Interceptor {
    return (next) => async (call) => {
      const entry = this.#note(who, wordsOf(call));
      try {
        const reply = await next(call);
        entry.words += reply.resource === undefined ? ' ✓' : ` ✓ ${reply.resource.owner} holds it`;
        return reply;
      } catch (error) {
        entry.words += error instanceof LocketError ? ` ✗ ${error.rawMessage} (${error.codeName})` : ` ✗ ${String(error)}`;
        throw error;
      } finally {
        this.#noteChanges();
      }
    };
  }

  #note(who: string, words: string): Entry {
    this.#noteChanges();
    const entry = { timeMs: this.clock.now, who, words };
    this.#entries.push(entry);
    return entry;
  }

  /** Notes the changes of the table since the last look. */
  #noteChanges(): void {
    const table = this.#table();
    if (table === undefined) return;
    const rows = new Map(table.map((row) => [row.path, row]));
    const changes = [...new Set([...this.#rows.keys(), ...rows.keys()])].flatMap((path) => change(path, this.#rows.get(path), rows.get(path)));
    this.#rows = rows;
    for (const words of changes) this.#entries.push({ timeMs: this.clock.now, who: '', words });
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

function wordsOf({ method, request }: Call): string {
  switch (method) {
    case 'lock':
      return `locks ${request.key} as ${request.owner} for ${spaced(request.ttl)}`;
    case 'release':
      return `releases ${request.key} as ${request.owner}`;
    case 'fetch':
      return `fetches ${request.key}`;
    case 'fetchAll':
      return `lists all${whichOf(request)}`;
  }
}

function whichOf({ kind, type, typeCode }: FetchAllRequest): string {
  if (kind !== undefined) return ` ${kind}s`;
  if (typeCode !== undefined) return ` of type code ${typeCode}`;
  return type === undefined ? '' : ` of type ${type}`;
}

function change(path: string, before: Row | undefined, now: Row | undefined): string[] {
  if (now === undefined) return [`│ row ${path} of ${before?.owner} is deleted`];
  const { owner, type, ttl, modified_index: index } = now;
  if (before === undefined) return [`│ row ${path} is created: ${type} of ${owner}, TTL ${ttl} s`];
  if (before.owner !== owner) return [`│ row ${path} changes its owner from ${before.owner} to ${owner}`];
  return before.modified_index === index ? [] : [`│ row ${path} of ${owner} is renewed, modified_index ${index}`];
}

/** The clock of a test. */
export function clockOf(kind: 'virtual' | 'ambient'): Clock {
  return kind === 'virtual' ? new VirtualClock() : new EndingClock();
}

/** A duration as people write it: `15 s`. */
function spaced(duration: unknown): string {
  return String(duration).replace(/[a-z]+/, ' $&');
}
