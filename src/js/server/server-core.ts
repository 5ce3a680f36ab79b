// The core of an in-process server: the wasm object with the clock that moves it, and the carrier
// of its clients' calls.

import { onAbort } from '#glue';

import { Code, LocketError } from '../base/errors.js';
import type { ClockFollower } from '../base/in-process.js';
import { orModuleEnds } from '../base/module-end.js';
import { Owned } from '../base/owned.js';
import { WaitList, type WaitWords } from '../base/waiting.js';
import { callWasm } from '../base/wasm.js';
import type { Sent } from '../client/call.js';
import { type Answer, type CarriedCall, type Carrier, type Reply, type WireRequest } from '../client/carrier.js';
import { answered, moduleFailed, thrownError } from '../client/failure.js';
import type { RunnerClock } from '../client/runner/clock.js';
import { type ClientMachine, type MachineServer, NAME_DEFAULT } from './client-machine.js';
import type { Clock } from '../base/clock-timer.js';
import { type Question, sentOf } from './question.js';

/** The part of the module's server that a core needs. */
interface ModuleServer {
  deadline(): number | undefined;
  advanceTo(now: number): void;
  pending(): number;
  ask(process: number, answerSizeMax: number | undefined, ...question: Question): unknown;
  free(): void;
}

/** The wasm object and the clock that moves it; a virtual clock drives it. */
export class ServerCore<S extends ModuleServer = ModuleServer> implements ClockFollower, MachineServer {
  readonly clock: Clock;
  readonly waiting = new WaitList();
  /** True if waits stay unsettled, although the server is closed. */
  isSilent = false;
  readonly changed: MachineServer['changed'];
  readonly #owned: Owned<S>;
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

  /** Does something to the server at the clock's time. */
  call<T>(use: (server: S) => T): T {
    const { now } = this.clock;
    // Most calls come at an instant that the server has already reached.
    if (now > this.#now) this.advanceTo(now);
    return callWasm(() => use(this.server));
  }

  /** Puts a call to a process at the clock's time. */
  ask(process: number, answerSizeMax: number | undefined, question: Question): unknown {
    return this.call((server) => server.ask(process, answerSizeMax, ...question));
  }

  deadline(): number | undefined {
    return this.server.deadline();
  }

  /** Also repeats an instant: the effects of a call may be due at once. */
  advanceTo(now: number): void {
    this.#now = now;
    this.server.advanceTo(now);
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
  }
}

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
  #requests = 0;

  constructor(core: ServerCore, machine: ClientMachine, process: number, maxMessageBytes: number | undefined, observe: Observe) {
    this.#core = core;
    this.#observe = observe;
    this.machine = machine;
    this.runnerClock = machine.runnerClock;
    this.#process = process;
    this.#maxMessageBytes = maxMessageBytes;
    machine.ask = (question, call) => this.#ask(question, call);
    // A closed server has no clients.
    core.call(() => {});
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
    return `00000000-0000-4000-8000-${this.#requests.toString(16).padStart(12, '0')}`;
  }

  send({ method, key, owner, value, type, typeCode, ttlSeconds }: WireRequest, call: CarriedCall): Answer {
    // Locket only logs the id, and this server has no log.
    return this.#ask([method, true, key, owner, value, type, typeCode, BigInt(ttlSeconds), '', call.timeoutMs], call);
  }

  #ask(question: Question, call: CarriedCall): Answer {
    const { machine } = this;
    if (machine.isFrozen) return machine.running(call).then(() => this.#ask(question, call));
    if (machine.isHalted) return new Promise(() => {});
    machine.checkAlive();
    const { carry } = machine.hooks;
    return carry === undefined ? this.#deliver(question, call) : carry(sentOf(question), call, () => this.#deliver(question, call));
  }

  #deliver(question: Question, call: CarriedCall): Answer {
    const { machine } = this;
    const tell = this.#observe(() => sentOf(question), call);
    const told = (reply: Reply | undefined): void => {
      tell?.(reply?.afterMs ?? 0, reply?.resource?.owner, reply?.error && answered(reply.error, call, {}));
    };
    const answer = this.#core.ask(this.#process, this.#maxMessageBytes, question) as Answer;
    if (!(answer instanceof Promise)) {
      told(answer);
      return answer;
    }
    const reply = machine.reply(orModuleEnds(() => answer, (thrown) => moduleFailed(thrown, call.requestId)), call);
    if (tell !== undefined) void reply.then(told, (thrown) => tell(0, undefined, thrownError(thrown, call)));
    return reply;
  }
}
