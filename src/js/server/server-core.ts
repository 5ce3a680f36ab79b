// The core of an in-process server: the wasm object with the clock that moves it, and the carrier
// of its clients' calls.

import { onAbort } from '#glue';

import { Code, LocketError } from '../base/errors.js';
import type { ClockFollower } from '../base/in-process.js';
import { orModuleEnds } from '../base/module-end.js';
import { Owned } from '../base/owned.js';
import { WaitList, type WaitWords } from '../base/waiting.js';
import { callWasm } from '../base/wasm.js';
import type { Call } from '../client/call.js';
import type { Answer, CarriedCall, Carrier, Reply } from '../client/carrier.js';
import { answered, moduleFailed, thrownError } from '../client/failure.js';
import type { RunnerClock } from '../client/runner/clock.js';
import { type ClientMachine, type MachineServer, NAME_DEFAULT } from './client-machine.js';
import type { Clock } from '../base/clock-timer.js';
import type { ProfileComparison } from './comparison.js';

/** The part of the module's server that a core needs. */
interface ModuleServer {
  deadline(): number | undefined;
  advanceTo(now: number): void;
  pending(): number;
  client(process: number, maxMessageBytes?: number): ModuleClient;
  ask(process: number, ...question: Question): unknown;
  free(): void;
}

/** A call that came as a message. Without a resource, its fields are empty. */
export type Question = [
  method: string,
  hasResource: boolean,
  key: string,
  owner: string,
  value: string,
  type: string,
  typeCode: number,
  /** A message can have more of them than a number can. */
  ttlSeconds: bigint,
  requestId: string,
  timeoutMs: number | undefined,
];

/** The part of the module's client that a carrier needs. */
interface ModuleClient {
  lock(...call: [string, string, string, string, number, number, string, number | undefined]): unknown;
  release(...call: [string, string, string, number | undefined]): unknown;
  fetch(...call: [string, string, number | undefined]): unknown;
  fetchAll(...call: [string, number, string, number | undefined]): unknown;
}

const COUNTED_ID = '00000000-0000-4000-8000-';

/** The wasm object and the clock that moves it; a virtual clock drives it. */
export class ServerCore<S extends ModuleServer = ModuleServer> implements ClockFollower, MachineServer {
  readonly clock: Clock;
  readonly waiting = new WaitList();
  /** Whether waits stay unsettled, although the server is closed. */
  isSilent = false;
  readonly changed: MachineServer['changed'];
  readonly #owned: Owned<S>;
  #comparison: ProfileComparison<S> | undefined;
  /** The server's own time starts at the clock's time. */
  #now: number;

  constructor(clock: Clock, changed: MachineServer['changed'], start: (now: number) => S) {
    this.clock = clock;
    this.changed = changed;
    // Read once: an ambient clock runs on while the server is created.
    this.#now = clock.now;
    this.#owned = new Owned('server', callWasm(() => start(this.#now)));
  }

  get server(): S {
    return this.#owned.core;
  }

  /** From now on everything that is done to the server is done to those of the comparison, too. */
  compareWith(start: (now: number) => ProfileComparison<S>): void {
    this.#comparison = callWasm(() => start(this.#now));
  }

  /** Looks at the server at the clock's time. */
  look<T>(use: (server: S) => T): T {
    const { now } = this.clock;
    // Most calls come at an instant that the server has already reached.
    if (now > this.#now) this.advanceTo(now);
    return callWasm(() => use(this.server));
  }

  /** Does something to the server at the clock's time. */
  call<T>(use: (server: S) => T): T {
    const result = this.look(use);
    this.#comparison?.repeat(use);
    return result;
  }

  /** Puts a call to the server at the clock's time. `words` names it. */
  answer(words: () => string, use: (server: S) => unknown): unknown {
    const answer = this.look(use);
    this.#comparison?.compare(words, answer, use);
    return answer;
  }

  deadline(): number | undefined {
    return this.server.deadline();
  }

  /** Also repeats an instant: the effects of a call may be due at once. */
  advanceTo(now: number): void {
    this.#now = now;
    this.server.advanceTo(now);
    this.#comparison?.repeat((server) => server.advanceTo(now));
  }

  pending(): number {
    return this.server.pending();
  }

  /** The waits for the clock, on any machine. */
  waits(): WaitWords[] {
    return this.waiting.describe();
  }

  promisesDueMs(): number | undefined {
    return this.waiting.promisesDueMs();
  }

  /** Fulfilled when the answer to a raw request arrives. */
  arrives(afterMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        this.clock.clearTimeout(timer);
        stopListening();
        leave();
        settle();
      };
      const atMs = this.clock.now + afterMs;
      const timer = this.clock.setTimeout(() => end(resolve), afterMs);
      const stopListening = onAbort(signal, () => end(() => reject(signal.reason as Error)));
      const leave = this.waiting.add({ describe: () => ({ words: 'fetch gets its answer', atMs }), end: (error) => end(() => reject(error)) });
    });
  }

  close(quietly: boolean): void {
    this.isSilent ||= quietly;
    if (!quietly) this.waiting.end(new LocketError({ code: Code.Canceled, rawMessage: 'the server was closed' }));
    this.#owned.free();
    this.#comparison?.free();
  }
}

/** A call as it is sent. */
export type Sent = Pick<Call, 'method' | 'request'>;

/** Learns of each call, and by the returned function of its answer. */
export type Observe = (
  call: () => Sent,
  from: Pick<CarriedCall, 'signal' | 'isKept'> & { requestId?: string },
) => ((afterMs: number, owner: string | undefined, error: LocketError | undefined) => void) | undefined;

/** Calls one process of a server directly. */
export class InProcessCarrier implements Carrier {
  readonly machine: ClientMachine;
  readonly runnerClock: RunnerClock;
  readonly #core: ServerCore;
  readonly #process: number;
  readonly #maxMessageBytes: number | undefined;
  readonly #observe: Observe;
  /** One for each server that is called: the clock's, and those that are compared with it. */
  readonly #clients = new Map<ModuleServer, ModuleClient>();
  #requests = 0;

  constructor(core: ServerCore, machine: ClientMachine, process: number, maxMessageBytes: number | undefined, observe: Observe) {
    this.#core = core;
    this.#observe = observe;
    this.machine = machine;
    this.runnerClock = machine.runnerClock;
    this.#process = process;
    this.#maxMessageBytes = maxMessageBytes;
    core.look((server) => this.#clientOf(server));
  }

  get owner(): string | undefined {
    const { name } = this.machine;
    return name === NAME_DEFAULT ? undefined : name;
  }

  get to(): string {
    return `a server in this process, as '${this.machine.name}'`;
  }

  /** Counted, not random, so that runs are reproducible. */
  nextRequestId(): string {
    this.#requests += 1;
    return COUNTED_ID + this.#requests.toString(16).padStart(12, '0');
  }

  lock(...[key, owner, value, type, typeCode, ttlSeconds, id, timeoutMs, call]: Parameters<Carrier['lock']>) {
    // Locket only logs the id, and this server has no log: a counted id is left out, because a
    // header costs time.
    const sent = id.startsWith(COUNTED_ID) ? '' : id;
    const request = (): Sent => ({ method: 'lock', request: { key, owner, value, ttl: `${ttlSeconds}s` } });
    return this.#carry(call, request, (client) => client.lock(key, owner, value, type, typeCode, ttlSeconds, sent, timeoutMs));
  }

  release(...[key, owner, id, timeoutMs, call]: Parameters<Carrier['release']>) {
    return this.#carry(call, () => ({ method: 'release', request: { key, owner } }), (client) => client.release(key, owner, id, timeoutMs));
  }

  fetch(...[key, id, timeoutMs, call]: Parameters<Carrier['fetch']>) {
    return this.#carry(call, () => ({ method: 'fetch', request: { key } }), (client) => client.fetch(key, id, timeoutMs));
  }

  fetchAll(...[type, typeCode, id, timeoutMs, call]: Parameters<Carrier['fetchAll']>) {
    return this.#carry(call, () => ({ method: 'fetchAll', request: { type, typeCode } }), (client) => client.fetchAll(type, typeCode, id, timeoutMs));
  }

  #carry(call: CarriedCall, request: () => Sent, make: (client: ModuleClient) => unknown): Answer {
    const { machine } = this;
    if (machine.isFrozen) return machine.running(call).then(() => this.#carry(call, request, make));
    machine.checkAlive();
    const tell = this.#observe(request, call);
    const told = (reply: Reply | undefined): void => {
      tell?.(reply?.afterMs ?? 0, reply?.resource?.owner, reply?.error && answered(reply.error, call, {}));
    };
    const answer = this.#core.answer(() => wordsOf(request()), (server) => make(this.#clientOf(server))) as Answer;
    if (!(answer instanceof Promise)) {
      told(answer);
      return answer;
    }
    const reply = machine.reply(orModuleEnds(() => answer, (thrown) => moduleFailed(thrown, call.requestId)), call);
    if (tell !== undefined) void reply.then(told, (thrown) => tell(0, undefined, thrownError(thrown, call)));
    return reply;
  }

  #clientOf(server: ModuleServer): ModuleClient {
    let client = this.#clients.get(server);
    if (client === undefined) {
      client = server.client(this.#process, this.#maxMessageBytes);
      this.#clients.set(server, client);
    }
    return client;
  }
}

/** A call in words: `Lock of 'bbs' by 'bbs-0'`. */
function wordsOf({ method, request }: Sent): string {
  const { key, owner } = request as { key?: string; owner?: string };
  const name = method === 'fetchAll' ? 'FetchAll' : `${(method[0] as string).toUpperCase()}${method.slice(1)}`;
  return `${name}${key === undefined ? '' : ` of '${key}'`}${owner === undefined ? '' : ` by '${owner}'`}`;
}
