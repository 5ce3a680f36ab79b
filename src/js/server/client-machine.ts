// The machine of a client of an in-process server: a test can pause, suspend or crash it.

import { onAbort } from '#glue';

import { Code, LocketError } from '../base/errors.js';
import { spokenOf, type Waiting, WaitList, type WaitWords } from '../base/waiting.js';
import type { Answer, CarriedCall, CarrierMachine } from '../client/carrier.js';
import { answered, givenUp } from '../client/failure.js';
import type { RunnerClock } from '../client/runner/clock.js';
import type { Clock } from '../base/clock-timer.js';
import { MachineClock, MachineTime, type Surroundings } from './machine-clock.js';
import type { Sent } from '../client/call.js';
import type { Question } from './question.js';

/** The part of a server that a machine needs. */
export interface MachineServer {
  readonly clock: Clock;
  /** All waits for the server, on all machines. */
  readonly waiting: WaitList;
  /** True if waits stay unsettled for ever. */
  readonly isSilent: boolean;
  /** Reports an action on a machine; `words` follow the client's name. */
  changed(name: string, words: string): void;
}

/** What a test puts around a machine: the context of the program on it, and the fate of its messages. */
export interface MachineHooks extends Surroundings {
  /** Carries a message; `deliver` puts it to the server. */
  carry?(sent: Sent, call: CarriedCall, deliver: () => Answer): Answer;
}

/** One client's machine. */
export class ClientMachine implements CarrierMachine {
  readonly name: string;
  readonly time: MachineTime;
  readonly clock: MachineClock;
  readonly hooks: MachineHooks = {};
  /** Puts a call to the server, as the client on it does. */
  ask!: (question: Question, call: CarriedCall) => Answer;
  readonly #server: MachineServer;
  /** The waits on this machine. */
  readonly #waiting = new WaitList();
  readonly #waits = new Set<{ look?(): void }>();
  #resumesMs: number | undefined;
  #resumeTimer: ReturnType<Clock['setTimeout']> | undefined;
  #wasSuspended = false;
  #isHalted = false;

  constructor(name: string, server: MachineServer) {
    this.name = name;
    this.#server = server;
    this.time = new MachineTime(server.clock, this.hooks);
    this.clock = new MachineClock(this.time, (waiting) => this.wait(waiting));
  }

  get isFrozen(): boolean {
    return this.time.isFrozen;
  }

  /** True once a program on it has ended by a crash: no timer fires and no promise settles any more. */
  get isHalted(): boolean {
    return this.#isHalted;
  }

  get hasCrashed(): boolean {
    return this.#isHalted || this.#waiting.ended !== undefined;
  }

  /** The error that ended it: it crashed, or its server was closed. */
  get ended(): LocketError | undefined {
    return this.#waiting.ended ?? this.#server.waiting.ended;
  }

  /**
   * The clock of the runners on it. They have a wall clock only on a machine that was suspended:
   * reading it takes a timer.
   */
  get runnerClock(): RunnerClock {
    return {
      read: () => ({ monotonicMs: this.time.now, wallMs: this.#wasSuspended ? this.time.wallMs : undefined }),
      startTimer: (ms, callback) => this.time.start(ms, callback),
      wait: (waiting) => this.wait(waiting),
    };
  }

  /** Throws if it has crashed: the call was not made. */
  checkAlive(): void {
    const crash = this.#waiting.ended;
    if (crash !== undefined) throw new LocketError({ code: crash.code, rawMessage: crash.rawMessage, outcome: 'no-effect' });
  }

  /** Freezes everything on it, for a time or until {@link ClientMachine.resume}. */
  freeze(isSuspended: boolean, forMs: number | undefined): void {
    this.checkAlive();
    this.#server.clock.clearTimeout(this.#resumeTimer);
    if (isSuspended && !this.isFrozen) {
      this.#wasSuspended = true;
      // The runners must know what both clocks showed before the suspension.
      for (const waiting of this.#waits) waiting.look?.();
    }
    this.time.freeze(isSuspended);
    this.#resumesMs = forMs === undefined ? undefined : this.#server.clock.now + forMs;
    this.#resumeTimer = forMs === undefined ? undefined : this.#server.clock.setTimeout(() => this.resume(), forMs);
    this.#server.changed(this.name, `${this.time.isSuspended ? 'is suspended' : 'is paused'}${forMs === undefined ? '' : ` for ${forMs / 1000} s`}`);
  }

  resume(): void {
    this.checkAlive();
    if (!this.isFrozen) return;
    this.#server.clock.clearTimeout(this.#resumeTimer);
    this.#server.changed(this.name, 'resumes');
    this.time.thaw();
  }

  crash(words = 'crashes'): void {
    if (this.ended !== undefined || this.#isHalted) return;
    this.#server.changed(this.name, words);
    this.#server.clock.clearTimeout(this.#resumeTimer);
    this.time.halt();
    // The program on it ends with it, so nobody is there to be told.
    if (this.hooks.enter !== undefined) this.#isHalted = true;
    else this.#waiting.end(new LocketError({ code: Code.Unavailable, rawMessage: `client '${this.name}' has crashed` }));
  }

  /** Adds a waiting entry until it or the machine ends. A runner checks the clocks before a suspension. Returns a function that removes it. */
  wait(waiting: Waiting & { look?(): void }): () => void {
    const leaveServer = this.#server.waiting.add({
      describe: () => this.#onServer(waiting.describe()),
      promisesDueMs: () => this.#whenRunning(waiting.promisesDueMs?.()),
      end: (error) => waiting.end(error),
    });
    const leave = this.#waiting.add(waiting);
    this.#waits.add(waiting);
    return () => {
      leaveServer();
      leave();
      this.#waits.delete(waiting);
    };
  }

  note(words: string): void {
    this.#server.changed(this.name, words);
  }

  /** Delivers a reply after a delay on the server's clock. Returns a function that cancels it. */
  startReply(afterMs: number, callback: () => void): () => void {
    return this.time.startReply(afterMs, callback);
  }

  /** Fulfilled when a reply with this delay arrives. */
  replyAfter(afterMs: number, call: CarriedCall): Promise<void> {
    const atMs = this.time.now + afterMs;
    return this.until((arrive) => this.time.startReply(afterMs, arrive), { words: 'waits for a reply, which arrives', atMs }, call, 'unknown');
  }

  /** A reply that the server gives later, delivered when the machine runs. */
  async reply<T>(pending: Promise<T>, call: CarriedCall): Promise<T> {
    const arrive = (done: () => void): void => {
      if (this.#server.isSilent) return;
      if (this.isFrozen) this.time.startReply(0, done);
      else done();
    };
    const begin = (done: () => void): (() => void) => {
      const settled = (): void => arrive(done);
      pending.then(settled, settled);
      return () => {};
    };
    await this.until(begin, { words: 'waits for the database, which answers', atMs: undefined }, call, 'unknown');
    return pending;
  }

  /** Fulfilled when the machine runs: at once, or after the timers that are due when it resumes. */
  running(call: CarriedCall): Promise<void> {
    return this.until((run) => this.time.start(0, run), { words: 'makes a call', atMs: undefined }, call, 'no-effect');
  }

  /** Fulfilled when `begin` calls its argument, unless the call is given up before. `begin` returns how to stop it. */
  until(begin: (done: () => void) => () => void, words: WaitWords, call: CarriedCall, outcome: 'no-effect' | 'unknown'): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.ended !== undefined) return reject(endOf(this.ended, call));
      const stops: (() => void)[] = [];
      const settle = (how: () => void) => (): void => {
        for (const stop of stops) stop();
        how();
      };
      stops.push(begin(settle(resolve)));
      stops.push(this.wait({ describe: () => words, end: (error) => settle(() => reject(endOf(error, call)))() }));
      if (call.signal !== undefined) stops.push(onAbort(call.signal, settle(() => reject(givenUp(call, outcome)))));
    });
  }

  /** A moment of this machine's code by the server's clock; `undefined` if it does not come. */
  #whenRunning(atMs: number | undefined): number | undefined {
    if (atMs === undefined || this.#isHalted) return undefined;
    if (!this.isFrozen) return this.time.onServer(atMs);
    return this.#resumesMs;
  }

  /** The same by the server's clock; for a frozen machine, the freeze. */
  #onServer(words: WaitWords | undefined): WaitWords | undefined {
    if (words === undefined || this.#isHalted) return undefined;
    const name = spokenOf(this.name === NAME_DEFAULT ? undefined : this.name);
    if (this.isFrozen) return { words: `${name} ${this.time.isSuspended ? 'is suspended' : 'is paused'} and resumes`, atMs: this.#resumesMs };
    return { ...words, words: `${name} ${words.words}`, atMs: words.atMs === undefined ? undefined : this.time.onServer(words.atMs) };
  }

}

/** The name of a client without one. */
export const NAME_DEFAULT = 'a client';

/** The end of a machine or a server, as the error of one call. */
function endOf({ code, rawMessage }: LocketError, call: CarriedCall): LocketError {
  return answered({ code, message: rawMessage }, call, {});
}
