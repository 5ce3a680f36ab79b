// The reference server: Locket in this process, on a clock of the user's choice.

import { WasmServer } from '#glue';

import { AmbientClock } from '../base/ambient-clock.js';
import { type Clock, isClock } from '../base/clock-timer.js';
import { PROCESSES_MAX } from '../base/constants.js';
import { LocketArgumentError, type LocketError } from '../base/errors.js';
import { jsonText, kindOf, knownFields, safeInteger, text } from '../base/checks.js';
import { checkedOptions, flag, lengthOf, messageBytes, passedOn, whole } from '../base/options.js';
import { type Duration, lengthMs } from '../base/duration.js';
import { callsUnderWay, CLOCK, follow, FOLLOWERS, RESPOND } from '../base/in-process.js';
import { INSPECT, seen } from '../base/look.js';
import { counted } from '../base/text.js';
import { length } from '../base/times.js';
import type { Call, CommonClientOptions } from '../client/call.js';
import { carriedOptions } from '../client/client.js';
import type { Row } from '../client/row-value.js';
import { ClientMachine, NAME_DEFAULT } from './client-machine.js';
import { VirtualClock } from './clock.js';
import { checkProfile, type Profile, type ProfileChoice, switchesOf } from './profile.js';
import { answerRaw, type Ask, askDirectly, checkRequest, type HttpAnswer, type HttpRequest } from './raw-request.js';
import { InProcessCarrier, type Observe, ServerCore } from './server-core.js';
import { TestClient } from './test-client.js';

/** Options of a {@link LocketServer}. */
export interface LocketServerOptions<C extends Clock = VirtualClock> {
  /** The Locket to imitate: the documented one (by default) or the shipped one. */
  profile?: ProfileChoice;
  /** The seed of modified ids; the same seed gives the same ids. 0 by default. */
  seed?: number;
  /**
   * The clock that the server follows; by default a {@link VirtualClock} of its own. `ambient` is the program's clock, and so
   * the fake timers of a test runner.
   */
  clock?: C | (AmbientClock extends C ? 'ambient' : never);
  /** The number of Locket processes that share the table, 1 (by default) to 16. */
  processes?: number;
  /** How long an answer takes on the clock; 0 by default. */
  latency?: Duration;
}

/** Options of {@link LocketServer.client}. Locket reads no headers; they are for interceptors. */
export interface ServerClientOptions extends CommonClientOptions {
  /** The process that the client calls, from 0. */
  process?: number;
  /** The longest message of an answer, in bytes; 4 MiB by default, as in gRPC's clients. */
  maxMessageBytes?: number;
}

/** Options of {@link LocketServer.close}. */
export interface CloseOptions {
  /**
   * True if waiting calls stay unsettled for ever, so that abandoned promises do not reject; by
   * default everything settles.
   */
  quietly?: boolean;
}

/** Counters of one call. */
export interface RequestStats {
  started: number;
  /** Calls that were answered without an error, or with a lock collision. */
  succeeded: number;
  failed: number;
  inFlight: number;
  /** Calls that their callers aborted. */
  cancelled: number;
  latencyMaxMs: number;
}

/** The figures that operators watch. */
export interface ServerStats {
  activeLocks: number;
  activePresences: number;
  /** Locks that expired. */
  locksExpired: number;
  /** Presences that expired. */
  presencesExpired: number;
  requests: { lock: RequestStats; release: RequestStats; fetch: RequestStats; fetchAll: RequestStats };
}

const SERVER_OPTIONS = {
  profile: (_: string, profile: unknown = 'documented') => checkProfile(profile),
  seed: whole(0, Number.MAX_SAFE_INTEGER, 0),
  clock: clockOf,
  processes: whole(1, PROCESSES_MAX, 1),
  latency: lengthOf('0s'),
};
const CLOSE_OPTIONS = { quietly: flag(false) };
const CLIENT_OPTIONS = { process: passedOn, timeout: passedOn, headers: passedOn, interceptors: passedOn, maxMessageBytes: messageBytes, owner: passedOn };
const ANSWERS_MAX = 2 ** 32 - 1;
const COLUMNS = new Set(['owner', 'value', 'type', 'ttl', 'modified_id', 'modified_index']);
const ROW_COLUMNS = new Set(['path', ...COLUMNS]);

/**
 * Locket in this process: real messages, the rules of a {@link ProfileChoice | profile}, and a
 * clock that you move.
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
  readonly #profile: ProfileChoice;
  readonly #observeRaw: Observe = (call, from) => this.callMade(undefined, call, from);

  constructor(options: LocketServerOptions<C> = {}) {
    const { profile, seed, clock, processes, latency } = checkedOptions(options, SERVER_OPTIONS);
    this.#profile = profile;
    this.#processes = processes;
    this.clock = clock as C;
    const profileJson = typeof profile === 'string' ? JSON.stringify(profile) : jsonText('profile', profile);
    this.#core = new ServerCore(clock, (name, words) => this.clientChanged(name, words), (now) => {
      const server = new WasmServer(profileJson, seed, processes, now);
      server.setLatency(latency);
      return server;
    });
    this.#unfollow = follow(clock, this.#core);
    // Bound, because other clients take it as their `fetch`. They then follow the clock.
    this.fetch = Object.assign(this.fetch.bind(this), { [CLOCK]: clock });
    callsUnderWay();
  }

  /**
   * A client of this server, on a machine of its own. Its name is in reports, and is the owner of
   * locks and presences that name none.
   */
  client(name?: string, options: ServerClientOptions = {}): TestClient {
    const { maxMessageBytes, ...given } = checkedOptions(options, CLIENT_OPTIONS);
    const process = this.#process(given.process);
    const machine = new ClientMachine(name === undefined ? NAME_DEFAULT : text('name', name), this.#core);
    const carrier = new InProcessCarrier(this.#core, machine, process, maxMessageBytes, (call, from) => this.callMade(machine.name, call, from));
    return new TestClient(carriedOptions(carrier, options), machine);
  }

  /**
   * Called with each call that a client sends, and without a name for one in a raw request; `isKept` says that a runner makes
   * it, whose signal aborts at its end. The function that it returns is called when the call has been answered, with
   * the delay of the reply. For the record of a test.
   *
   * @internal
   */
  protected callMade(
    name: string | undefined,
    call: () => Pick<Call, 'method' | 'request'>,
    from: { signal?: AbortSignal | undefined; isKept?: boolean; requestId?: string },
  ): ((afterMs: number, owner: string | undefined, error: LocketError | undefined) => void) | undefined {
    void [name, call, from];
    return undefined;
  }

  /**
   * Called after an action on a client's machine; `words` follow its name. For the record of a test.
   *
   * @internal
   */
  protected clientChanged(name: string, words: string): void {
    void [name, words];
  }

  /**
   * Answers a gRPC-Web request as Locket behind Envoy does. It has the signature of the global
   * `fetch`, so it can replace it in any gRPC-Web client, a mock service worker's handler or a
   * worker.
   */
  async fetch(input: Request | URL | string, init?: RequestInit): Promise<Response> {
    return this[RESPOND](new Request(input, init), askDirectly(this.#core, 0, this.#observeRaw));
  }

  /**
   * Answers a request whose call `ask` puts to this server.
   *
   * @internal
   */
  async [RESPOND](request: Request, ask: Ask): Promise<Response> {
    const body = new Uint8Array(await request.arrayBuffer());
    const { method, signal } = request;
    signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const answer = await answerRaw(this.#core, { method, path: pathname + search, headers: [...request.headers].flat(), body }, ask);
    if (answer.afterMs > 0) await this.#core.arrives(answer.afterMs, signal);
    const pairs: [string, string][] = [];
    for (let i = 0; i + 1 < answer.headers.length; i += 2) {
      pairs.push([answer.headers[i] as string, answer.headers[i + 1] as string]);
    }
    return new Response(answer.body, { status: answer.status, headers: pairs });
  }

  /**
   * Answers a plain gRPC or a gRPC-Web request for a server on a network; `serve` of
   * `locket-wasm/serve` uses it. The answer is synchronous unless the call waits for the database, or
   * a page has yet to load the module for messages; {@link HttpAnswer.afterMs} says when it should
   * arrive.
   */
  handle(request: HttpRequest, options: ServerClientOptions = {}): HttpAnswer | Promise<HttpAnswer> {
    knownFields('options', options, new Set(['process']));
    const process = this.#process(options.process);
    checkRequest(request);
    return answerRaw(this.#core, request, askDirectly(this.#core, process, this.#observeRaw));
  }

  [INSPECT](): string {
    return `LocketServer ${seen(() => `at ${length(this.clock.now)}, ${counted(this.table().length, 'row')}`)}`;
  }

  /** All switches of its profile. */
  get profile(): Profile {
    return switchesOf(this.#profile);
  }

  /** The rows of the `locks` table now, by key. */
  table(): Row[] {
    return this.#core.call((server) => server.table() as Row[]);
  }

  /** The figures that operators watch, now, summed over the running processes. */
  stats(): ServerStats {
    return this.#core.call((server) => server.stats() as ServerStats);
  }

  /**
   * Restarts a process, by default the first. It loses its timers and counters; under the
   * `upstream` profile it then grants every row a full TTL.
   */
  restart(process?: number): void {
    const number = this.#process(process);
    this.#core.call((server) => server.restart(number));
  }

  /**
   * Stops a process as a crash does, by default the first. Its clients' calls fail as Unavailable.
   * Returns whether it was running.
   */
  stop(process?: number): boolean {
    const number = this.#process(process);
    return this.#core.call((server) => server.stop(number));
  }

  /**
   * Starts a stopped process, by default the first. Returns whether it runs now: without its
   * database it ends at once.
   */
  start(process?: number): boolean {
    const number = this.#process(process);
    return this.#core.call((server) => server.start(number));
  }

  /** Sets how long answers take on the clock from now on. */
  setLatency(latency: Duration): void {
    const latencyMs = lengthMs('latency', latency);
    this.#core.call((server) => server.setLatency(latencyMs));
  }

  /**
   * Writes a whole row without Locket's knowledge; missing columns are empty or 0. Replaces a row
   * with the same path. Throws while the database is stopped.
   */
  putRow(row: Partial<Row> & { path: string }): void {
    const given = givenColumns('row', row, ROW_COLUMNS);
    this.#core.call((server) => server.putRow(given));
  }

  /** Sets columns of all rows without Locket's knowledge. Throws while the database is stopped. */
  updateRows(columns: Partial<Omit<Row, 'path'>>): void {
    const given = givenColumns('columns', columns, COLUMNS);
    this.#core.call((server) => server.updateRows(given));
  }

  /**
   * Deletes a row without Locket's knowledge. Returns whether it did: not if there was none, or
   * while the database is stopped.
   */
  deleteRow(path: string): boolean {
    text('path', path);
    return this.#core.call((server) => server.deleteRow(path));
  }

  /**
   * Makes the next Lock of a free key lose a race: `owner` asks for the same key at the same moment
   * and gets it. The call is refused with the reason `sql-resource-exists`, as PostgreSQL does when
   * two clients insert one row, or as a collision on MySQL.
   *
   * @example
   * ```ts
   * server.loseInsertRace('bbs-1');
   * await client.lock({ key: 'bbs', owner: 'bbs-0', ttl: '15s' }); // rejects
   * ```
   */
  loseInsertRace(owner: string): void {
    if (text('owner', owner) === '') throw new LocketArgumentError('owner', 'expected a string that is not empty');
    this.#core.call((server) => server.loseInsertRace(owner));
  }

  /**
   * Stalls the database: it answers nothing for `duration`, then everything in order. Locket gives
   * up a call that has waited for 10 s, and the call has no effect. Calls that need no database are
   * answered meanwhile. A stopped database does not stall; a stop ends a stall, and so does one of `0s`. Let time pass with `clock.advanceAsync`, so that callers continue when the
   * answers come.
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

  /**
   * Stops the database: every call that needs it fails at once; the rows stay. Returns whether it
   * was running.
   */
  stopDatabase(): boolean {
    return this.#core.call((server) => server.stopDatabase());
  }

  /** Starts the database again, with the rows that it had. Returns whether it was stopped. */
  startDatabase(): boolean {
    return this.#core.call((server) => server.startDatabase());
  }

  /**
   * Loses the replies to the next `count` calls, by default one, between the database and Locket.
   * The calls have their effect, but their callers get DeadlineExceeded after 10 s.
   */
  loseReplies(count = 1): void {
    safeInteger('count', count, 0, ANSWERS_MAX);
    this.#core.call((server) => server.loseReplies(count));
  }

  /**
   * Drops the table, as an operator could. The first call that notices is refused with
   * `sql-unrecoverable` and ends its process; {@link LocketServer.start} creates the table again.
   * Returns whether it did: not while the database is stopped.
   */
  dropTable(): boolean {
    return this.#core.call((server) => server.dropTable());
  }

  /**
   * Frees the server's memory and settles everything that waits: calls reject, runners exit with
   * `closed`, waits for a lock reject, watches end. Later calls fail. Closing twice is fine.
   */
  close(options: CloseOptions = {}): void {
    const { quietly } = checkedOptions(options, CLOSE_OPTIONS);
    this.#unfollow();
    this.#core.close(quietly);
  }

  /** {@link LocketServer.close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  #process(process: unknown): number {
    return safeInteger('process', process === undefined ? 0 : process, 0, this.#processes - 1);
  }
}

/** The clock of an option. A clock that a test moves has to move its server, too; that of another copy of this version does. */
function clockOf(_: string, given: unknown): Clock {
  if (given === undefined) return new VirtualClock();
  if (given === 'ambient') return new AmbientClock();
  if (isClock(given) && (FOLLOWERS in given || !('advance' in given))) return given;
  const kind = isClock(given) ? 'the VirtualClock of another version of locket-wasm' : kindOf(given);
  throw new LocketArgumentError('clock', `expected a VirtualClock or 'ambient', not ${kind}`);
}

/** The columns that are given: an undefined one is left out, not NULL. */
function givenColumns(field: string, columns: object, known: ReadonlySet<string>): object {
  knownFields(field, columns, known);
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) if (typeof value === 'string') text(`${field}.${name}`, value);
  return Object.fromEntries(given);
}
