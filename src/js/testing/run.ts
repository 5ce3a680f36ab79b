// One run of a test with hosts: its events, its places, and the faults that happen at them.

import { text } from '../base/checks.js';
import { length } from '../base/times.js';
import { LocketArgumentError, type LocketServer, VirtualClock } from '../node.js';
import type { Clock } from '../types.js';
import { fakeTimersHint } from './fake-timers.js';
import { type Fault, type FaultName, type Phase, type Place } from './fault.js';
import { type HostProgram, Program, RunHost } from './host.js';
import { context, current, on } from './machine-context.js';
import { carry } from './message.js';
import { carrierOf, fetchOf, outcomeOfWork } from './messages-of.js';
import { type OneAtATime, Region } from './region.js';
import type { Entry, Trial } from './trial.js';
import { Turns } from './turns.js';

/** A fault that has happened. */
export interface Struck extends Fault {
  readonly atMs: number;
}

/** What a run needs beside its server. */
export interface RunOptions {
  /** The faults of the run; without a plan, its hosts have no places for faults. */
  plan?: readonly Fault[];
  /** Told of each event. */
  note?(entry: Entry): void;
}

/** One run. */
/** @internal */
export class Run implements Trial<Program> {
  readonly #clock: Clock;
  readonly entries: Entry[] = [];
  readonly places: Place[] = [];
  readonly struck: Struck[] = [];
  /** The instants at which something happened. */
  readonly instants = new Set<number>();
  readonly hosts = new Map<string, RunHost>();
  readonly turns = new Turns();
  readonly regions = new Map<string, Region>();
  readonly #counts = new Map<string, number>();
  readonly #lastPlace = new Map<string, { place: Place; atMs: number; isBusy: boolean }>();
  /** The ends of faults that last. */
  readonly #lasting = new Set<() => void>();
  #hasHealed = false;
  #failure: { error: unknown } | undefined;
  #judgedMs: number;
  readonly #unlisten: () => void;

  constructor(readonly server: LocketServer<Clock>, readonly options: RunOptions) {
    this.#clock = server.clock;
    this.#judgedMs = this.now;
    this.#unlisten = server.clock instanceof VirtualClock ? server.clock.onInstant(() => this.#judge()) : () => {};
  }

  get now(): number {
    return this.#clock.now;
  }

  get failure(): { error: unknown } | undefined {
    return this.#failure;
  }

  /** The members of the test's argument. */
  get members() {
    const { host, oneAtATime, outside, healed } = this;
    return { host, oneAtATime, outside, healed, fail: (problem: string) => this.fail(new Error(`${problem} (at ${length(this.now)})`)) };
  }

  note(who: string, words: string): Entry {
    const last = this.#lastPlace.get(who);
    if (last !== undefined) last.isBusy = last.place.isNews = true;
    const entry = { timeMs: this.now, who, words };
    // What comes after a failure depends on how soon the test ends.
    if (this.#failure !== undefined) return entry;
    this.instants.add(entry.timeMs);
    this.entries.push(entry);
    this.options.note?.(entry);
    return entry;
  }

  add(entry: Entry, words: string): void {
    if (this.#failure === undefined) entry.words += words;
    this.instants.add(this.now);
  }

  /** The first failure counts. The hosts stand still then: the rest of the test says nothing more. */
  fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    for (const { machine } of this.hosts.values()) if (!machine.isHalted) machine.time.freeze(false);
  }

  /** Its events with its failure: equal for equal runs. */
  lines(): string[] {
    const lines = this.entries.map(({ timeMs, who, words }) => `${length(timeMs)}  ${who}  ${words}`);
    return this.#failure === undefined ? lines : [...lines, String(this.#failure.error)];
  }

  /** Ends the run: judges its last instant. */
  end(): void {
    this.#judge(true);
    this.#unlisten();
  }

  after(ms: number, work: () => void): void {
    this.#clock.setTimeout(() => on(undefined, work), ms);
  }

  number(host: string, kind: string): number {
    const key = `${host}:${kind}`;
    const n = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, n);
    return n;
  }

  reach(program: Program, { kind, timeoutMs }: Pick<Place, 'kind' | 'timeoutMs'>, n: number, phase: Phase): ReadonlyMap<FaultName, number> {
    if (this.options.plan === undefined || this.#hasHealed || this.#failure !== undefined) return NO_FAULTS;
    const { name: host } = program.host;
    const name = phase === 'fires' ? `${host}:timer${n}` : `${host}:${kind}${n}:${phase}`;
    this.#notePlace({ name, host, kind, phase, timeoutMs, isNews: true });
    const faults = this.options.plan.filter(({ place }) => place === name);
    if (faults.length === 0) return NO_FAULTS;
    const lengths = new Map<FaultName, number>();
    for (const fault of faults) {
      this.struck.push({ ...fault, atMs: this.now });
      lengths.set(fault.kind, fault.ms ?? 0);
      STRIKES[fault.kind]?.(this, program, fault.ms ?? 0);
    }
    return lengths;
  }

  #notePlace(place: Place): void {
    const isTimer = place.phase === 'fires';
    const before = this.#lastPlace.get(place.host);
    if (isTimer) place.isNews = before?.isBusy !== false;
    else if (before?.atMs === this.now) before.place.isNews = true;
    this.places.push(place);
    this.#lastPlace.set(place.host, { place, atMs: this.now, isBusy: !isTimer });
  }

  hooksOf(program: Program): object {
    if (this.options.plan === undefined) return {};
    const { name } = program.host;
    return { fires: () => void this.reach(program, TIMER, this.number(name, 'timer'), 'fires'), carry: carrierOf(program) };
  }

  fetchOf(program: Program): LocketServer['fetch'] {
    return fetchOf(program);
  }

  readonly host = (name: string, main: (program: HostProgram) => unknown): RunHost => {
    if (!(this.#clock instanceof VirtualClock)) throw new LocketArgumentError('host', "expected a virtual clock: leave out clock: 'ambient'");
    if (!NAME.test(text('name', name))) throw new LocketArgumentError('name', `expected letters, digits, '.', '_' and '-', not '${name}'`);
    if (typeof main !== 'function') throw new LocketArgumentError('program', 'expected a function');
    const fake = context && fakeTimersHint('A program on a host would wait for them in vain: leave them real.');
    if (fake !== undefined) throw new LocketArgumentError('host', fake);
    if (this.hosts.has(name)) throw new LocketArgumentError('name', `there is a host '${name}' already; restart that one`);
    const host = new RunHost(this, name, main);
    this.hosts.set(name, host);
    return host.begin();
  };

  readonly oneAtATime = (name: string): OneAtATime => {
    needContext('oneAtATime');
    const region = this.regions.get(name) ?? new Region(this, text('name', name));
    this.regions.set(name, region);
    const one = async <T>(work: () => T): Promise<Awaited<T>> => {
      const leave = region.enter();
      try {
        return await work();
      } finally {
        leave();
      }
    };
    return Object.defineProperties(Object.assign(one, { enter: () => region.enter(), act: (what = 'acts') => region.act(what) }) as OneAtATime, {
      emptyMs: { get: () => region.emptyMs },
      longestEmptyMs: { get: () => region.longestEmptyMs },
    });
  };

  /** Another service: a program's calls of it are messages, too. */
  readonly outside = <A extends unknown[], T>(name: string, work: (...args: A) => T | Promise<T>): ((...args: A) => Promise<T>) => {
    needContext('outside');
    if (!WORD.test(text('name', name))) throw new LocketArgumentError('name', `expected letters, not '${name}'`);
    return async (...args) => {
      const program = current() as Program | undefined;
      if (program === undefined) return await work(...args);
      const words = `${name}(${args.map((arg) => JSON.stringify(arg) ?? 'undefined').join(', ')})`;
      return carry(program, { kind: name, words }, () => outcomeOfWork(() => work(...args)));
    };
  };

  /** Ends all faults, and lets none come later. */
  readonly healed = (): void => {
    if (this.#hasHealed || this.#failure !== undefined) return;
    this.#hasHealed = true;
    for (const end of this.#lasting) end();
    if (this.struck.some(({ kind }) => kind === 'stall')) this.server.stallDatabase('0s');
    for (const host of this.hosts.values()) {
      host.cutUntilMs = 0;
      if (host.machine.isHalted) host.begin();
      else host.machine.resume();
    }
  };

  /** Calls `end` after a time, or when all faults end. */
  lasts(ms: number, end: () => void): void {
    const once = (): void => void (this.#lasting.delete(once) && end());
    this.#lasting.add(once);
    this.after(ms, once);
  }

  /** Judges what was true at the end of the last instant, before time moves on. */
  #judge(isEnd = false): void {
    if (this.now === this.#judgedMs && !isEnd) return;
    if (this.#failure === undefined) for (const region of this.regions.values()) region.judge(this.#judgedMs);
    this.#judgedMs = this.now;
  }
}

/** The faults of a machine or of Locket; those of one message are its own. */
const STRIKES: { [F in FaultName]?: (run: Run, program: Program, ms: number) => void } = {
  pause: (_, { machine }, ms) => machine.freeze(false, ms),
  suspend: (_, { machine }, ms) => machine.freeze(true, ms),
  crash: (_, { host }, ms) => host.restartAfter(Math.max(1, ms)),
  clockStep: (run, { host }, ms) => {
    run.note(host.name, `its wall clock steps by ${length(ms)}`);
    host.offsetMs += ms;
  },
  partition: (run, { host }, ms) => {
    run.note(host.name, `is cut off for ${length(ms)}`);
    host.cutUntilMs = run.now + ms;
  },
  restart: (run) => {
    run.note('locket', 'restarts');
    run.server.restart();
  },
  stall: (run, _, ms) => {
    run.note('locket', `its database stalls for ${length(ms)}`);
    run.server.stallDatabase(`${ms}ms`);
  },
  locketCrash: (run, _, ms) => {
    if (run.server.stop()) run.lasts(ms, () => void (run.server.start(), run.note('locket', 'starts')));
    run.note('locket', `is down for ${length(ms)}`);
  },
};

/** Refuses what has to know whose code runs. */
function needContext(what: string): void {
  if (context === undefined) throw new Error(`${what} needs AsyncLocalStorage, by which it knows whose code runs: Node 20.16 or later, Bun or Deno`);
}

const TIMER = { kind: 'timer' };
const NO_FAULTS: ReadonlyMap<FaultName, number> = new Map();
const NAME = /^[\w.-]+$/;
const WORD = /^[a-zA-Z]+$/;
