// A program on the machine of a client: a pause freezes it, a crash ends it, a restart calls it again.

import { type Duration, lengthMs } from '../base/duration.js';
import { length } from '../base/times.js';
import { LocketServer } from '../node.js';
import type { TestClient, TimerClock } from '../types.js';
import { on, type Platform } from './machine-context.js';
import type { Trial } from './trial.js';

/** The argument of a program on a host. */
export interface HostProgram {
  /** The name of the host. */
  readonly name: string;
  /** A client on this machine. */
  readonly client: TestClient;
  /** For a {@link LocketClient} that the program makes itself: it goes over this machine's network, and follows its clock. */
  readonly fetch: LocketServer['fetch'];
  /** The machine's clock. In Node, Bun and Deno the global timers and `Date` are its own, too. */
  readonly clock: TimerClock;
  /** Which start of the program this is, from 1. */
  readonly start: number;
}

/** A program on a machine of its own. */
export interface Host {
  /** Its machine: `pause` freezes the program, `crash` ends it. */
  readonly client: TestClient;
  /** Starts it again, at once or after a time; crashes it first if it runs. */
  restart(after?: Duration): void;
}

/** So many of one kind at one instant are a loop without a wait. */
const AT_ONE_INSTANT = { calls: 500, timers: 10_000, 'looks at its clock': 200_000 };
/** The wall clock of a machine when the test's clock is at 0: a program may take 0 for no time. */
const EPOCH = Date.UTC(2026, 0, 1);

/** A host of a run: what outlives a restart of its program. */
/** @internal */
export class RunHost implements Host {
  #program!: Program;
  starts = 0;
  /** How far its wall clock is off. */
  offsetMs = 0;
  /** Cut off from Locket until then. */
  cutUntilMs = 0;

  constructor(readonly run: Trial<Program>, readonly name: string, readonly main: (program: HostProgram) => unknown) {}

  get client(): TestClient {
    return this.#program.client;
  }

  get machine(): TestClient['machine'] {
    return this.client.machine;
  }

  begin(): this {
    this.starts += 1;
    if (this.starts > 1) this.run.note(this.name, 'starts again');
    this.#program = new Program(this);
    this.#program.begin();
    return this;
  }

  restart(after: Duration = '0s'): void {
    this.restartAfter(lengthMs('after', after));
  }

  restartAfter(ms: number): void {
    this.machine.crash();
    const { machine } = this;
    const again = (): void => void (this.machine === machine && this.begin());
    if (ms === 0) again();
    else this.run.after(ms, again);
  }
}

/** One start of a program, until it ends. */
/** @internal */
export class Program implements Platform {
  readonly host: RunHost;
  readonly client: TestClient;
  readonly #startedMs: number;
  #random: number;
  #counts: { [what in keyof typeof AT_ONE_INSTANT]?: number } = {};
  #countedMs = -1;
  readonly exit = (): void => this.machine.crash('exits');

  constructor(host: RunHost) {
    const { run, name, starts } = host;
    this.host = host;
    this.#startedMs = run.now;
    this.#random = [...name].reduce((hash, letter) => Math.imul(hash, 31) + letter.charCodeAt(0), starts);
    // Without the record of a test's own clients: nothing has to await a program's calls.
    this.client = LocketServer.prototype.client.call(run.server, name);
    Object.assign(this.machine.hooks, { enter: (callback: () => void) => (this.count('timers'), on(this, callback)), ...run.hooksOf(this) });
  }

  get machine(): TestClient['machine'] {
    return this.client.machine;
  }

  get clock(): TimerClock {
    return this.client.clock;
  }

  /** True unless it is frozen or has ended. */
  get isRunning(): boolean {
    return !this.machine.isFrozen && !this.machine.isHalted;
  }

  begin(): void {
    const { client, clock, host } = this;
    const { name, run, main, starts: start } = host;
    const program = on(this, async () => {
      await main({ name, client, clock, start, fetch: run.fetchOf(this) });
    });
    program.catch((error: unknown) => {
      if (!this.machine.isHalted) run.fail(error);
    });
  }

  wallMs(): number {
    this.count('looks at its clock');
    return EPOCH + this.machine.time.wallMs + this.host.offsetMs;
  }

  monotonicMs(): number {
    this.count('looks at its clock');
    return this.clock.now - this.#startedMs;
  }

  random(): number {
    this.#random = (this.#random + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#random ^ (this.#random >>> 15), 1 | this.#random);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Counts what it does: a loop that never waits would not end. */
  count(what: keyof typeof AT_ONE_INSTANT): void {
    const { name, run } = this.host;
    if (this.#countedMs !== run.now) {
      this.#countedMs = run.now;
      this.#counts = {};
    }
    const count = (this.#counts[what] = (this.#counts[what] ?? 0) + 1);
    if (count <= AT_ONE_INSTANT[what]) return;
    const error = new Error(`host '${name}' makes ${AT_ONE_INSTANT[what]} ${what} at ${length(run.now)}, all at one instant: let it wait between them`);
    run.fail(error);
    throw error;
  }
}
