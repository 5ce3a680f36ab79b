// Calls of user code over the simulated network, and its sleeps.

import { onAbort } from '#glue';

import { Code } from '../base/errors.js';
import { callWasm } from '../base/wasm.js';
import { type CarriedCall, type Carrier, countedId, type Reply, type WireRequest } from '../client/carrier.js';

/** The part of a simulation that they need. */
export interface SimulationCore {
  now(): number;
  count(): number;
  branch(): number;
  /** The call's number. */
  call(request: string): number;
  /** A {@link Reply}, `undefined` while there is none, `null` if the client crashed. */
  answer(call: number): unknown;
}

/** A call under way. */
interface Waiting {
  number: number;
  /** The branch of the call, and its place in it. */
  branch: number;
  at: readonly [timeMs: number, count: number];
  settle(reply: Reply): void;
}

interface Sleeper {
  timeMs: number;
  wake(): void;
}

/** All calls and sleeps of user code. */
export class Waiters {
  #calls: Waiting[] = [];
  #sleepers: Sleeper[] = [];
  #branch = 0;

  call(core: SimulationCore, request: object, call: CarriedCall, moved: () => void): Promise<Reply> {
    const at = [core.now(), core.count()] as const;
    const number = callWasm(() => core.call(JSON.stringify(request)));
    this.follow(core, at);
    return new Promise((resolve) => {
      const { signal } = call;
      const waiting: Waiting = {
        number,
        branch: core.branch(),
        at,
        settle: (reply) => {
          stopListening?.();
          resolve(reply);
        },
      };
      const giveUp = (): void => {
        this.#calls = this.#calls.filter((other) => other !== waiting);
        unknown(call, signal?.reason);
        resolve(failure(Code.Canceled, 'context canceled'));
      };
      const stopListening = signal && onAbort(signal, giveUp);
      this.#calls.push(waiting);
      moved();
    });
  }

  sleep(timeMs: number): Promise<void> {
    return new Promise((wake) => this.#sleepers.push({ timeMs, wake }));
  }

  /** The time of the next wake-up. */
  nextWake(): number {
    return this.#sleepers.reduce((first, { timeMs }) => Math.min(first, timeMs), Infinity);
  }

  /** The simulation may have started a branch here: earlier calls now belong to it. */
  follow(core: SimulationCore, [timeMs, count]: readonly [number, number]): void {
    const branch = core.branch();
    if (branch === this.#branch) return;
    for (const call of this.#calls) {
      const isBefore = call.at[0] < timeMs || (call.at[0] === timeMs && call.at[1] < count);
      if (call.branch === this.#branch && isBefore) call.branch = branch;
    }
    this.#branch = branch;
  }

  /** The simulation switched to another branch. */
  switched(core: SimulationCore): void {
    this.#branch = core.branch();
  }

  /** Settles everything that is due. Returns whether there was anything. */
  settle(core: SimulationCore): boolean {
    if (this.#calls.length === 0 && this.#sleepers.length === 0) return false;
    const before = this.#calls.length + this.#sleepers.length;
    this.#calls = this.#calls.filter((call) => {
      if (call.branch !== this.#branch) return true;
      const answer = core.answer(call.number) as Reply | null | undefined;
      if (answer === undefined) return true;
      call.settle(answer ?? failure(Code.Unavailable, 'this client of the simulation has crashed'));
      return false;
    });
    const now = core.now();
    const woken = this.#sleepers.filter(({ timeMs }) => timeMs <= now).sort((a, b) => a.timeMs - b.timeMs);
    this.#sleepers = this.#sleepers.filter(({ timeMs }) => timeMs > now);
    for (const { wake } of woken) wake();
    return this.#calls.length + this.#sleepers.length < before;
  }

  close(): void {
    for (const call of this.#calls) call.settle(failure(Code.Unavailable, 'the simulation is closed'));
    this.#calls = [];
    this.#sleepers = [];
  }
}

/** Calls Locket as a client of a simulation. */
export class SimulationCarrier implements Carrier {
  readonly to: string;
  readonly owner: string;
  readonly #call: (request: object, call: CarriedCall) => Promise<Reply>;
  #requests = 0;

  constructor(client: string, call: (request: object, call: CarriedCall) => Promise<Reply>) {
    this.to = `the simulation, as '${client}'`;
    this.owner = client;
    this.#call = call;
  }

  /** Counted; the simulated call has an id of its own. */
  nextRequestId(): string {
    this.#requests += 1;
    return countedId(this.#requests);
  }

  send({ type: typeName, ...request }: WireRequest, call: CarriedCall): Promise<Reply> {
    const { timeoutMs } = call;
    return this.#call({ client: this.owner, typeName, ...request, ...(timeoutMs !== undefined && { timeout: `${timeoutMs}ms` }) }, call);
  }
}

function failure(code: Code, message: string): Reply {
  return { afterMs: 0, error: { code, message } };
}

/** The call may have had its effect. */
function unknown(call: CarriedCall, cause: unknown): void {
  call.surroundings = { headers: {}, trailers: {}, metadata: {}, outcome: 'unknown', cause };
}
