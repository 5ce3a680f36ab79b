// The clock of one client's machine: the server's clock, stopped while the machine is paused or
// suspended.

import type { Waiting } from '../base/waiting.js';
import type { Clock } from '../base/clock-timer.js';
import { TimerClock } from './timers.js';

interface MachineTimer {
  readonly callback: () => void;
  /** Its due time, on the machine's clock. */
  readonly dueMs: number;
  /** True for a timer of the program on it. */
  readonly isOwn?: boolean;
  /** True for a reply, which is under way whatever the machine does. */
  readonly isReply?: boolean;
  /** Its timer on the server's clock, while it has one. */
  id?: ReturnType<Clock['setTimeout']> | undefined;
}

/** What surrounds the callbacks of a machine. */
export interface Surroundings {
  /** Runs a callback in the context of the program on the machine. */
  enter?(callback: () => void): void;
  /** Called before a timer of the program fires; it may freeze or halt the machine. */
  fires?(): void;
}

/** The clock for code that runs on a machine. */
export class MachineClock extends TimerClock {
  readonly #time: MachineTime;
  readonly #wait: (waiting: Waiting) => () => void;

  /** `wait` adds a wait on the machine, and returns a function that removes it. */
  constructor(time: MachineTime, wait: (waiting: Waiting) => () => void) {
    super();
    this.#time = time;
    this.#wait = wait;
  }

  override get now(): number {
    return this.#time.now;
  }

  /** @internal */
  protected override start(delayMs: number, callback: () => void): () => void {
    return this.#time.start(delayMs, callback, delayMs > 0);
  }

  /** Code that sleeps on a machine that ends never wakes. */
  /** @internal */
  protected override noteSleep(wakesMs: number): () => void {
    return this.#wait({ describe: () => ({ words: 'sleeps and wakes', atMs: wakesMs }), end: () => {} });
  }
}

/**
 * The time of a machine follows the server's clock. While the machine is frozen, so is its time,
 * and no callback runs. When it thaws, due timers run in order; then the replies are
 * delivered. Promises settle after each, as in Node.
 */
export class MachineTime {
  /** The lag behind the server's clock, caused by suspensions. */
  #lagMs = 0;
  #frozen: { atMs: number; isSuspended: boolean } | undefined;
  /** What is pending, in the order of its scheduling. */
  readonly #pending = new Set<MachineTimer>();
  /** What became due during a freeze and has yet to run. */
  #due: MachineTimer[] = [];
  #isHalted = false;
  /** When it thawed last, on the server's clock. */
  thawedMs: number | undefined;

  /** Follows a server's clock. */
  constructor(readonly server: Clock, readonly around: Surroundings) {}

  get now(): number {
    return (this.#frozen?.atMs ?? this.server.now) - this.#lagMs;
  }

  /** The wall clock of this machine: it runs on during suspensions. */
  get wallMs(): number {
    return this.#frozen?.atMs ?? this.server.now;
  }

  /** A moment of this time, on the server's clock. */
  onServer(ms: number): number {
    return ms + this.#lagMs;
  }

  get isFrozen(): boolean {
    return this.#frozen !== undefined;
  }

  get isSuspended(): boolean {
    return this.#frozen?.isSuspended === true;
  }

  /** True while something that became due during a freeze has yet to run. */
  get isBehind(): boolean {
    return this.#due.length > 0;
  }

  /** Calls `callback` once, `delayMs` from now. Returns a function that cancels it. */
  start(delayMs: number, callback: () => void, isOwn = false): () => void {
    return this.#start({ callback, dueMs: this.now + delayMs, isOwn });
  }

  /** Delivers a reply after `afterMs` of the server's time, which runs on during suspensions. */
  startReply(afterMs: number, callback: () => void): () => void {
    return this.#start({ callback, dueMs: this.server.now - this.#lagMs + afterMs, isReply: true });
  }

  /** Freezes it. Freezing a frozen machine has no effect. */
  freeze(isSuspended: boolean): void {
    if (this.#frozen !== undefined) return;
    this.#frozen = { atMs: this.server.now, isSuspended };
    if (isSuspended) for (const { id } of this.#timers()) this.server.clearTimeout(id);
  }

  thaw(): void {
    if (this.#frozen === undefined) return;
    const { atMs, isSuspended } = this.#frozen;
    this.#frozen = undefined;
    this.thawedMs = this.server.now;
    if (isSuspended) {
      this.#lagMs += this.server.now - atMs;
      for (const timer of this.#timers()) this.#set(timer);
    }
    this.#catchUp();
  }

  /** Cancels everything that is pending, and starts nothing more. */
  halt(): void {
    this.#isHalted = true;
    for (const { id } of this.#pending) this.server.clearTimeout(id);
    this.#pending.clear();
    this.#due = [];
  }

  #timers(): MachineTimer[] {
    return [...this.#pending].filter(({ isReply }) => isReply !== true);
  }

  #start(timer: MachineTimer): () => void {
    if (this.#isHalted) return () => {};
    this.#pending.add(timer);
    if (timer.isReply === true || !this.isSuspended) this.#set(timer);
    return () => {
      this.server.clearTimeout(timer.id);
      this.#pending.delete(timer);
      this.#due = this.#due.filter((other) => other !== timer);
    };
  }

  #set(timer: MachineTimer): void {
    const delayMs = Math.max(0, this.onServer(timer.dueMs) - this.server.now);
    timer.id = this.server.setTimeout(() => {
      this.#pending.delete(timer);
      if (this.isFrozen || this.isBehind) this.#due.push(timer);
      else this.#fire(timer);
    }, delayMs);
  }

  /** A callback, or what happens before it, may freeze the clock again. */
  #catchUp(): void {
    if (this.#frozen !== undefined) return;
    const next = this.#due.find(({ isReply }) => isReply !== true) ?? this.#due[0];
    if (next === undefined) return;
    this.#due.splice(this.#due.indexOf(next), 1);
    if (this.isBehind) this.server.setTimeout(() => this.#catchUp(), 0);
    this.#fire(next);
  }

  #fire(timer: MachineTimer): void {
    const { enter, fires } = this.around;
    if (timer.isOwn === true) fires?.();
    if (this.#isHalted) return;
    if (this.#frozen !== undefined) this.#due.unshift({ ...timer, isOwn: false });
    else if (enter === undefined) timer.callback();
    else enter(timer.callback);
  }
}
