// The loop around a driver in the wasm module: makes its calls, sets its timer, reports its events.
//
// The module decides what to do. This file keeps the order: the holder of a lock learns of its
// end first, and a listener that calls back finds a consistent state.

import { WasmDriver } from '#glue';

import { type Code, LocketError } from '../../base/errors.js';
import { callWasm } from '../../base/wasm.js';
import type { Claims } from './claims.js';
import type { RunnerClock } from './clock.js';
import type { KeptResource, RunnerPlan, RunnerSettings } from './options.js';

/** The part of a machine that a runner needs, if the machine can be paused. */
export interface RunnerMachine {
  /** Delivers a reply after a delay. Returns a function that cancels it. */
  startReply(afterMs: number, callback: () => void): () => void;
  /** Notes what happened on it, for the record of a test. */
  note(words: string): void;
}

/** The part of a client that a runner needs. */
export interface RunnerHost {
  readonly clock: RunnerClock;
  /** The machine of the client, if it can be paused. */
  readonly machine: RunnerMachine | undefined;
  /** True if even immediate answers come as promises, as through interceptors. */
  readonly isAsync: boolean;
  /** The locks that the client's runners hold or want. */
  readonly claims: Claims;
  nextRequestId(): string;
  /** Makes a call. It does not throw, and its promise does not reject. */
  carry(call: RunnerCall): Carried | Promise<Carried>;
  /** Releases what a runner that has ended may have left, for a TTL at most. Its promise does not reject. */
  release(resource: KeptResource): Promise<LocketError | undefined>;
}

/** A call of a runner. */
export interface RunnerCall {
  method: 'fetch' | 'lock' | 'release';
  resource: KeptResource;
  requestId: string | undefined;
  timeoutMs: number | undefined;
  /** Aborts when the runner has ended. */
  signal: AbortSignal;
}

/** The result of a runner's call. */
export interface Carried {
  /** The delay of the reply. */
  afterMs: number;
  /** The owner of the key, if the runner asked for it. */
  owner?: string | undefined;
  error?: LocketError | undefined;
}

/** An order or an event of the module; src/bindings/driver.rs documents the fields of each kind. */
export interface Output {
  kind: string;
  number?: number;
  method?: 'Fetch' | 'Lock' | 'Release';
  requestId?: string;
  timeoutMs?: number;
  error?: { code: number; message: string };
  words?: string;
  owner?: string;
  held?: boolean;
  suspendedMs?: number;
  value?: 0 | 1;
}

/** Listens to a driver. */
export interface DriveListener {
  /** The lock is held from now on, or no longer; `why` is the event that follows. */
  held(held: boolean, why: Output | undefined, error: LocketError | undefined): void;
  /** A runner's event; `exited` is the last one. */
  report(output: Output, error: LocketError | undefined): void;
}

/** Drives one runner. */
export class Drive {
  readonly #core: WasmDriver;
  readonly #resource: KeptResource;
  readonly #host: RunnerHost;
  readonly #listener: DriveListener;
  /** Aborts the calls under way. */
  readonly #over = new AbortController();
  readonly #arrivals = new Set<() => void>();
  /** The last error of the calls, by method: the module keeps only code and message. */
  readonly #errors = new Map<string, LocketError>();
  readonly #queue: Output[] = [];
  #draining = false;
  #started = false;
  #ended = false;
  /** Attempts without an answer. */
  #underway = 0;
  #hasTaken = false;
  #dueMs: number | undefined;
  #stopTimer: (() => void) | undefined;
  /** The number of calls whose answers are promises. */
  #promised = 0;

  constructor({ resource, settings }: RunnerPlan, host: RunnerHost, listener: DriveListener) {
    this.#resource = resource;
    this.#host = host;
    this.#listener = listener;
    this.#core = newDriver(settings, () => host.nextRequestId());
  }

  start(): void {
    this.#started = true;
    this.#turn((core, now, wall) => core.start(now, wall));
  }

  /** Checks the clocks, and runs everything that is due. */
  look(): void {
    this.#turn((core, now, wall) => core.handleTimeout(now, wall));
  }

  /** Asks it to give up what it has; before its start that is nothing. */
  signal(): void {
    if (this.#started) this.#turn((core, now, wall) => core.handleSignal(now, wall));
    else if (!this.#ended) this.#report({ kind: 'exited' });
  }

  /** Ends the runner at once, and notifies only the listener. */
  abandon(): void {
    if (this.#ended) return;
    const abandoned = { kind: 'abandoned' };
    this.#end();
    this.#listener.held(false, abandoned, undefined);
    this.#listener.report(abandoned, undefined);
  }

  /** Ends the runner at once: its Locket no longer exists. */
  close(error: LocketError): void {
    if (this.#ended) return;
    const closed = { kind: 'closed' };
    this.#end();
    this.#listener.held(false, closed, error);
    this.#listener.report(closed, error);
  }

  /** True if a lock may be taken: by an attempt under way, or by one whose outcome is unknown. */
  get mayHaveTaken(): boolean {
    return this.#underway > 0 || this.#hasTaken;
  }

  /** The time of its next action, on its clock. */
  get dueMs(): number | undefined {
    return this.#dueMs;
  }

  /** The time after which it is wrong unless promises have settled; `undefined` if it needs none. */
  get promisesDueMs(): number | undefined {
    if (this.#promised > 0 && !this.#ended) return this.#host.clock.read().monotonicMs;
    return this.#host.isAsync ? this.#dueMs : undefined;
  }

  /**
   * The rest of the lease at the last check; `undefined` if nothing is held or the runner does not
   * count its lease.
   */
  leaseLeftMs(): number | undefined {
    return this.#ended ? undefined : this.#core.leaseLeft();
  }

  #turn(input: (core: WasmDriver, monotonicMs: number, wallMs: number | undefined) => void): void {
    if (this.#ended) return;
    const { monotonicMs, wallMs } = this.#host.clock.read();
    const outputs: Output[] = [];
    try {
      callWasm(() => {
        input(this.#core, monotonicMs, wallMs);
        for (let output = this.#poll(); output !== undefined; output = this.#poll()) outputs.push(output);
      });
    } catch (bug) {
      return this.#fail(bug as LocketError);
    }
    this.#arm(monotonicMs);
    this.#queue.push(...outputs.filter(({ kind }) => kind !== 'held'));
    outputs.forEach(({ held }, index) => {
      const why = outputs[index + 1];
      if (held !== undefined) this.#listener.held(held, why, this.#errorOf(why));
    });
    this.#drain();
  }

  /** The module failed, so no lock will be renewed. */
  #fail(bug: LocketError): void {
    if (this.#ended) return;
    const exited = { kind: 'exited', words: bug.message };
    this.#end();
    this.#listener.held(false, exited, bug);
    this.#listener.report(exited, bug);
  }

  #poll(): Output | undefined {
    return this.#core.pollOutput() as Output | undefined;
  }

  #arm(nowMs: number): void {
    const left = this.#core.deadline();
    const dueMs = left === undefined ? undefined : nowMs + left;
    if (dueMs === this.#dueMs) return;
    this.#stopTimer?.();
    this.#dueMs = dueMs;
    const fire = (): void => {
      this.#dueMs = undefined;
      this.look();
    };
    this.#stopTimer = left === undefined ? undefined : this.#host.clock.startTimer(left, fire);
  }

  /** Listeners may call back; the outputs of such calls come after those that were there. */
  #drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    try {
      for (let output = this.#queue.shift(); output !== undefined; output = this.#queue.shift()) {
        if (output.kind === 'call') this.#call(output);
        else this.#report(output);
      }
    } finally {
      this.#draining = false;
    }
  }

  #report(output: Output): void {
    if (output.kind === 'exited') this.#end();
    this.#listener.report(output, this.#errorOf(output));
  }

  /** The full error of an output: the module knows only code and message. */
  #errorOf(output: Output | undefined): LocketError | undefined {
    if (output?.error === undefined) return undefined;
    const { error, requestId } = output;
    const last = this.#errors.get(output.kind === 'released' ? 'release' : 'lock');
    if (last?.code === error.code && last.rawMessage === error.message) return last;
    return new LocketError({ code: error.code as Code, rawMessage: error.message, requestId });
  }

  #call(output: Output): void {
    if (this.#ended) return;
    const { requestId, timeoutMs } = output;
    const method = (output.method as string).toLowerCase() as RunnerCall['method'];
    if (method === 'lock') this.#underway += 1;
    const carried = this.#host.carry({ method, resource: this.#resource, requestId, timeoutMs, signal: this.#over.signal });
    if (!(carried instanceof Promise)) return this.#arrive(output, method, carried);
    this.#promised += 1;
    const arrive = (answer: Carried): void => {
      this.#promised -= 1;
      this.#arrive(output, method, answer);
    };
    carried.then(arrive).catch((bug: unknown) => this.#fail(bug as LocketError));
  }

  #arrive(call: Output, method: string, carried: Carried): void {
    if (this.#ended) return;
    const { machine } = this.#host;
    // A reply over a network has arrived already.
    if (carried.afterMs <= 0 || machine === undefined) return this.#answer(call, method, carried);
    const stop = machine.startReply(carried.afterMs, () => {
      this.#arrivals.delete(stop);
      this.#answer(call, method, carried);
    });
    this.#arrivals.add(stop);
  }

  #answer(call: Output, method: string, { owner, error }: Carried): void {
    const number = call.number as number;
    if (method === 'lock') {
      this.#underway -= 1;
      this.#hasTaken ||= error === undefined || error.outcome === 'unknown';
    }
    if (error === undefined) {
      return this.#turn((core, now, wall) => core.handleAnswer(number, method, owner, now, wall));
    }
    this.#errors.set(method, error);
    this.#turn((core, now, wall) => core.handleError(number, error.code, error.rawMessage, now, wall));
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stopTimer?.();
    this.#dueMs = undefined;
    for (const stop of this.#arrivals) stop();
    this.#arrivals.clear();
    this.#over.abort();
    try {
      this.#core.free();
    } catch {
      // After a trap the module stays borrowed.
    }
  }
}

/** Throws for settings with which a runner could never hold its lock: the module knows them. */
export function checkSettings(settings: RunnerSettings): void {
  newDriver(settings, () => '').free();
}

function newDriver(settings: RunnerSettings, nextId: () => string): WasmDriver {
  const { runner, rule, key, owner, value, typeCode, ttlSeconds, retryIntervalMs, marginMs, firstAttemptDeadline, afterLoss } = settings;
  const retries = afterLoss === 'retry';
  return callWasm(
    () => new WasmDriver(runner, rule, key, owner, value, typeCode, ttlSeconds, retryIntervalMs, marginMs, firstAttemptDeadline, retries, nextId),
  );
}
