// The reference server: Locket in this process, on a clock of the user's choice.

import { WasmServer } from '#glue';

import { LocketArgumentError } from '../base/errors.js';
import { orModuleEnds } from '../base/module-end.js';
import { checkBoolean, checkMaxMessageBytes, jsonText, kindOf, knownFields, safeInteger, text } from '../base/checks.js';
import { type Duration, lengthMs } from '../base/duration.js';
import type { CommonClientOptions } from '../client/call.js';
import { carriedOptions } from '../client/client.js';
import type { Row } from '../client/resource.js';
import { ClientMachine, NAME_DEFAULT } from './client-machine.js';
import { AmbientClock, type Clock, follow, VirtualClock } from './clock.js';
import { ProfileComparison, type ProfileDifference } from './comparison.js';
import { checkProfile, type ProfileChoice, profilePresets } from './profile.js';
import { InProcessCarrier, ServerCore } from './server-core.js';
import { TestClient } from './test-client.js';

/** Options of a {@link LocketServer}. */
export interface LocketServerOptions<C extends Clock = VirtualClock> {
  /** Which Locket it is: the published documents' (by default) or the one that ships. */
  profile?: ProfileChoice;
  /** Where modified ids come from; the same seed gives the same ids. 0 by default. */
  seed?: number;
  /** The clock that it follows; a {@link VirtualClock} of its own by default. */
  clock?: C;
  /** How many Locket processes share the table, 1 (by default) to 16. */
  processes?: number;
  /** How long an answer takes on the clock; 0 by default. */
  latency?: Duration;
}

/** Options of {@link LocketServer.client}. Locket reads no header, so these are for interceptors to see. */
export interface ServerClientOptions extends CommonClientOptions {
  /** How reports name the client. */
  name?: string;
  /** The process that the client calls, from 0. */
  process?: number;
  /** The longest message of an answer, in bytes; 4 MiB by default, as gRPC's clients have it. */
  maxMessageBytes?: number;
}

/** Options of {@link LocketServer.close}. */
export interface CloseOptions {
  /** Whether what waits stays as it is for ever, so that nothing rejects that nobody looks at any more; by default everything settles. */
  quietly?: boolean;
}

/** A request, however it came. Headers are names and values in turn. */
export interface HttpRequest {
  method: string;
  path: string;
  headers: string[];
  /** Left out if the request ended with its headers; in plain gRPC that is something else than an empty body. */
  body?: Uint8Array | undefined;
}

/** What is to be answered. Headers and trailers are names and values in turn. */
export interface HttpAnswer {
  status: number;
  headers: string[];
  body: Uint8Array & { readonly buffer: ArrayBuffer };
  /** What HTTP/2 sends behind the body; empty for gRPC-Web, which has it in the body. */
  trailers: string[];
  /** How long after the request it should arrive, on the server's clock. */
  afterMs: number;
}

/** Counters of one call. */
export interface RequestStats {
  started: number;
  /** Answered without error, or with a lock collision. */
  succeeded: number;
  failed: number;
  inFlight: number;
  /** Whose caller had given up. */
  cancelled: number;
  latencyMaxMs: number;
}

/** What operators look at. */
export interface ServerStats {
  activeLocks: number;
  activePresences: number;
  /** Locks that went because their TTL ended. */
  locksExpired: number;
  /** Presences that went because their TTL ended. */
  presencesExpired: number;
  requests: { lock: RequestStats; release: RequestStats; fetch: RequestStats; fetchAll: RequestStats };
}

const SERVER_OPTIONS = new Set(['profile', 'seed', 'clock', 'processes', 'latency']);
const CLOSE_OPTIONS = new Set(['quietly']);
const CLIENT_OPTIONS = new Set(['name', 'process', 'timeout', 'headers', 'interceptors', 'maxMessageBytes']);
const REQUEST_FIELDS = new Set(['method', 'path', 'headers', 'body']);
const PROCESSES_MAX = 16;
const ANSWERS_MAX = 2 ** 32 - 1;
const NO_BYTES = new Uint8Array();
const COLUMNS = new Set(['owner', 'value', 'type', 'ttl', 'modified_id', 'modified_index']);
const ROW_COLUMNS = new Set(['path', ...COLUMNS]);

/**
 * Locket in this process: real messages, the rules of a {@link ProfileChoice | profile}, and a clock that you move.
 *
 * @example
 * ```ts
 * const server = new LocketServer({ profile: 'upstream' });
 * const client = server.client();
 * await client.lock({ key: 'bbs', owner: 'bbs-0', ttl: '15s' });
 * server.clock.advance('15s');
 * await client.fetch('bbs');                 // rejects: resource-not-found
 * ```
 */
export class LocketServer<C extends Clock = VirtualClock> {
  /** The clock that this server follows. */
  readonly clock: C;
  readonly #processes: number;
  readonly #unfollow: () => void;
  readonly #core: ServerCore<WasmServer>;
  readonly #start: (profile: string, now: number) => WasmServer;
  readonly #isDocumented: boolean;

  constructor(options: LocketServerOptions<C> = {}) {
    knownFields('options', options, SERVER_OPTIONS);
    const { profile = 'documented', seed = 0, processes = 1, latency = '0s' } = options;
    const clock: Clock = options.clock === undefined ? new VirtualClock() : options.clock;
    checkProfile(profile);
    safeInteger('seed', seed, 0);
    this.#processes = safeInteger('processes', processes, 1, PROCESSES_MAX);
    const latencyMs = lengthMs('latency', latency);
    if (!(clock instanceof VirtualClock || clock instanceof AmbientClock)) {
      throw new LocketArgumentError('clock', `expected a VirtualClock or an AmbientClock, not ${kindOf(clock)}`);
    }
    this.clock = clock as Clock as C;
    const profileJson = typeof profile === 'string' ? JSON.stringify(profile) : jsonText('profile', profile);
    this.#isDocumented = profile === 'documented';
    this.#start = (json, now) => {
      const server = new WasmServer(json, seed, this.#processes, now);
      server.setLatency(latencyMs);
      return server;
    };
    this.#core = new ServerCore(clock, (name, words) => this.clientChanged(name, words), (now) => this.#start(profileJson, now));
    this.#unfollow = clock instanceof VirtualClock ? follow(clock, this.#core) : () => {};
    // Handed to other clients as their `fetch`, hence bound.
    this.fetch = this.fetch.bind(this);
  }

  /** A client of this server, on a machine of its own. */
  client(options: ServerClientOptions = {}): TestClient {
    knownFields('options', options, CLIENT_OPTIONS);
    const maxMessageBytes = checkMaxMessageBytes(options.maxMessageBytes);
    const process = this.#process(options.process);
    const machine = new ClientMachine(options.name === undefined ? NAME_DEFAULT : text('name', options.name), this.#core);
    return new TestClient(carriedOptions(new InProcessCarrier(this.#core, machine, process, maxMessageBytes), options), machine);
  }

  /** Called when something is done to a client's machine, in words behind its name. For those who extend this class. */
  protected clientChanged(name: string, words: string): void {
    void [name, words];
  }

  /**
   * If this is the documented Locket, puts all that comes to the shipped one, too, and tells when one of its answers is another, each
   * switch of the profile once. Leaves out the switches that are known. For those who extend this class; to be called before all else.
   */
  protected compareWithShipped(known: ReadonlySet<string>, tell: (difference: ProfileDifference) => void): void {
    if (!this.#isDocumented) return;
    this.#core.compareWith((now) => new ProfileComparison(profilePresets(), known, (profile) => this.#start(JSON.stringify(profile), now), tell));
  }

  /**
   * Answers a gRPC-Web request as Locket behind Envoy does. Has the shape of the global `fetch`, so it can stand in for
   * it in any gRPC-Web client, a mock service worker's handler or a worker.
   */
  async fetch(input: Request | URL | string, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const body = new Uint8Array(await request.arrayBuffer());
    const { method, signal } = request;
    signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const answer = await this.#answerWeb({ method, path: pathname + search, headers: [...request.headers].flat(), body }, 0);
    if (answer.afterMs > 0) await this.#core.arrives(answer.afterMs, signal);
    const pairs: [string, string][] = [];
    for (let i = 0; i + 1 < answer.headers.length; i += 2) {
      pairs.push([answer.headers[i] as string, answer.headers[i + 1] as string]);
    }
    return new Response(answer.body, { status: answer.status, headers: pairs });
  }

  /**
   * Answers a plain gRPC or a gRPC-Web request, for whoever brings the network: `serve` of `locket-wasm/serve` is made of
   * it. The answer is there at once, unless the call waits for the database; {@link HttpAnswer.afterMs} says when it should
   * arrive.
   */
  handle(request: HttpRequest, options: ServerClientOptions = {}): HttpAnswer | Promise<HttpAnswer> {
    knownFields('options', options, new Set(['process']));
    const process = this.#process(options.process);
    checkRequest(request);
    if (!isPlainGrpc(request.headers)) return this.#answerWeb(request, process);
    const { method, path, headers, body } = request;
    return this.#answer(path, (server) => server.handleGrpc(process, method, path, headers, body));
  }

  /** The rows of the `locks` table at this moment, by key. */
  table(): Row[] {
    return this.#core.look((server) => server.table() as Row[]);
  }

  /** What operators look at, at this moment, summed over the running processes. */
  stats(): ServerStats {
    return this.#core.look((server) => server.stats() as ServerStats);
  }

  /**
   * Stops and starts a process, by default the first. Its timers and counters are gone; under the `upstream` profile it
   * then grants every row a full TTL.
   */
  restart(process?: number): void {
    const number = this.#process(process);
    this.#core.call((server) => server.restart(number));
  }

  /** Stops a process as a crash does, by default the first. Its clients' calls are Unavailable. Says whether it ran. */
  stop(process?: number): boolean {
    const number = this.#process(process);
    return this.#core.call((server) => server.stop(number));
  }

  /** Starts a stopped process, by default the first. Says whether it runs for that: without its database it ends at once. */
  start(process?: number): boolean {
    const number = this.#process(process);
    return this.#core.call((server) => server.start(number));
  }

  /** Sets how long answers take on the clock, from now on. */
  setLatency(latency: Duration): void {
    const latencyMs = lengthMs('latency', latency);
    this.#core.call((server) => server.setLatency(latencyMs));
  }

  /** Writes a whole row behind Locket's back; columns left out are empty or 0. Replaces a row of the same path. */
  putRow(row: Partial<Row> & { path: string }): void {
    const given = givenColumns('row', row, ROW_COLUMNS);
    this.#core.call((server) => server.putRow(given));
  }

  /** Sets columns of all rows behind Locket's back. */
  updateRows(columns: Partial<Omit<Row, 'path'>>): void {
    const given = givenColumns('columns', columns, COLUMNS);
    this.#core.call((server) => server.updateRows(given));
  }

  /** Deletes a row behind Locket's back. Says whether there was one. */
  deleteRow(path: string): boolean {
    text('path', path);
    return this.#core.call((server) => server.deleteRow(path));
  }

  /**
   * Has the next Lock of a free key lose a race: `owner` asks for the same at the same moment and takes the lock, and the
   * call is refused with the reason `sql-resource-exists`, as PostgreSQL has it when two insert one row, or as a collision
   * on MySQL.
   *
   * @example
   * ```ts
   * server.loseInsertRace('bbs-1');
   * await client.lock({ key: 'bbs', owner: 'bbs-0', ttl: '15s' }); // rejects
   * ```
   */
  loseInsertRace(owner: string): void {
    if (text('owner', owner) === '') throw new LocketArgumentError('owner', 'expected a text that is not empty');
    this.#core.call((server) => server.loseInsertRace(owner));
  }

  /**
   * The database answers nothing for so long, then everything, in the order in which it was asked. Locket gives a call up
   * that has waited for 10 s, and nothing comes of it; calls that need no database are answered all the while. Let time
   * pass with `clock.advanceAsync`, so that everybody goes on when the answers come.
   *
   * @example
   * ```ts
   * server.stallDatabase('5s');
   * const locked = client.lock({ key: 'bbs', owner: 'bbs-0', ttl: '15s' });
   * await server.clock.advanceAsync('5s');
   * await locked;
   * ```
   */
  stallDatabase(duration: Duration): void {
    const durationMs = lengthMs('duration', duration);
    this.#core.call((server) => server.stallDatabase(durationMs));
  }

  /** The database goes down: every call that needs it fails at once, and the rows stay. Says whether it ran. */
  stopDatabase(): boolean {
    return this.#core.call((server) => server.stopDatabase());
  }

  /** The database is there again, with the rows that it had. Says whether it was down. */
  startDatabase(): boolean {
    return this.#core.call((server) => server.startDatabase());
  }

  /**
   * The answers to the next `count` calls, by default one, are lost between the database and Locket, although what they ask
   * is done: the caller hears DeadlineExceeded after 10 s, and does not know.
   */
  loseReplies(count = 1): void {
    safeInteger('count', count, 0, ANSWERS_MAX);
    this.#core.call((server) => server.loseReplies(count));
  }

  /**
   * Drops the table, as an operator could. The first call that notices is refused with `sql-unrecoverable` and ends its
   * process; {@link LocketServer.start} makes the table anew.
   */
  dropTable(): void {
    this.#core.call((server) => server.dropTable());
  }

  /**
   * Frees the server's memory, and settles everything that waits: calls reject, runners exit with `closed`, waits for a lock reject, watches
   * end. Later calls fail. Closing twice is fine.
   */
  close(options: CloseOptions = {}): void {
    knownFields('options', options, CLOSE_OPTIONS);
    const { quietly = false } = options;
    checkBoolean('quietly', quietly);
    this.#unfollow();
    this.#core.close(quietly);
  }

  /** {@link LocketServer.close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  #answerWeb({ method, path, headers, body = NO_BYTES }: HttpRequest, process: number): HttpAnswer | Promise<HttpAnswer> {
    // A base path in front of the service is the business of a proxy, which this is. A query is handed on.
    const [, names = '', query = ''] = /^\/?([^?]*)(.*)$/s.exec(path) ?? [];
    const name = `/${names.split('/').slice(-2).join('/')}${query}`;
    return this.#answer(name, (server) => server.handleHttp(process, method, name, headers, body));
  }

  #answer(path: string, handle: (server: WasmServer) => unknown): HttpAnswer | Promise<HttpAnswer> {
    const answer = this.#core.answer(() => `a request to ${path}`, handle) as HttpAnswer | Promise<HttpAnswer>;
    return answer instanceof Promise ? orModuleEnds(() => answer, (thrown) => thrown) : answer;
  }

  #process(process: unknown): number {
    return safeInteger('process', process === undefined ? 0 : process, 0, this.#processes - 1);
  }
}

/** The columns that are there: one that is undefined is left out, not NULL. */
function givenColumns(field: string, columns: object, known: ReadonlySet<string>): object {
  knownFields(field, columns, known);
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) if (typeof value === 'string') text(`${field}.${name}`, value);
  return Object.fromEntries(given);
}

function checkRequest(request: unknown): void {
  knownFields('request', request, REQUEST_FIELDS);
  const { method, path, headers, body } = request as Record<string, unknown>;
  text('request.method', method);
  text('request.path', path);
  if (!Array.isArray(headers)) throw new LocketArgumentError('request.headers', `expected names and values in turn, not ${kindOf(headers)}`);
  for (const [index, it] of headers.entries()) text(`request.headers[${index}]`, it);
  // Of whatever realm, as under jest.
  if (body !== undefined && Object.prototype.toString.call(body) !== '[object Uint8Array]') {
    throw new LocketArgumentError('request.body', `expected a Uint8Array, not ${kindOf(body)}`);
  }
}

function isPlainGrpc(headers: string[]): boolean {
  const name = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'content-type');
  return name >= 0 && /^application\/grpc($|[+;])/i.test(headers[name + 1] ?? '');
}
