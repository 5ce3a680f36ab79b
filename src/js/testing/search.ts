// Tries faults by their number, then by their lengths. A plan is tried only once, and each level counts what it has tried.

import { type Fault, type FaultName, faultsAt, isSearched, type Place, textOf } from './fault.js';
import type { Run } from './run.js';

/** All runs with this many faults, at their longest or with other lengths that can matter. */
export interface Level {
  readonly faults: number;
  readonly lengths: 'longest' | 'other';
  of: number;
  done: number;
  /** Tried at random, since the budget is less than the level. */
  isSampled: boolean;
}

/** @internal */
export interface SearchOptions {
  readonly longest: ReadonlyMap<FaultName, number | undefined>;
  readonly most: number;
  readonly seed: number;
  /** The share of the runs with one fault, from 1, and of how many. */
  readonly shard: readonly [share: number, of: number];
  run(plan: readonly Fault[]): Promise<Run>;
  /** How many runs are left, as far as is known. */
  left(): number;
}

/** A plan that held, and what to try next. */
interface Held {
  readonly plan: readonly Fault[];
  /** The places from its last fault on. The faults there are made when they are tried: there may be many. */
  readonly places: readonly Place[];
  /** Of each fault, the shorter lengths between which something differs. */
  readonly lengths: readonly (readonly number[])[];
}

/** So many plans that held are kept, a sample of all. A search that tries millions needs no more memory than that. */
const KEPT_MAX = 4_000;

/** Plans that held with so many faults. */
interface Plans {
  readonly kept: Held[];
  count: number;
  /** How many plans there are with one fault more, and with other lengths. */
  further: number;
  lengths: number;
}

/** A plan that fails, with its run. */
/** @internal */
export interface Found {
  readonly plan: readonly Fault[];
  readonly run: Run;
  /** How many plans were tried until then. */
  readonly tried: number;
}

/** The plans that come of one that held. */
interface Planned {
  readonly of: number;
  at(index: number): readonly Fault[];
}

/** A level with its plans. */
interface Course {
  readonly level: Level;
  readonly plans: ReturnType<typeof inTurn>;
  readonly held: Plans;
}

/** A search that ends with the first failure, or when all is tried or the budget is over. */
/** @internal */
export class Search {
  readonly levels: Level[] = [];
  /** A place is kept once, whatever the number of runs that come there. */
  readonly #places: Record<string, Place> = {};
  /** The faults at a place, made once: each plan that comes there asks for them. */
  readonly #faults: Record<string, readonly Fault[]> = {};

  constructor(readonly options: SearchOptions) {}

  /** `base` is the run without a fault. */
  async begin(base: Run): Promise<Found | undefined> {
    const none = noPlans();
    this.#keep(none, { plan: [], places: this.#placesAfter(base, undefined), lengths: [] });
    let longest: Course | undefined = this.#longest(none, 1);
    let found = await this.#all(longest);
    for (let faults = 1; found === undefined && longest !== undefined; faults += 1) {
      const other: Course = this.#otherLengths(longest.held, faults);
      longest = faults < this.options.most ? this.#longest(longest.held, faults + 1) : undefined;
      found = await this.#all(other, longest);
    }
    return found && this.#shrunk(found);
  }

  /** Tries all plans; a plan with more faults after each with fewer, so that neither waits for the end of the other. */
  async #all(fewer: Course, more?: Course): Promise<Found | undefined> {
    for (;;) {
      const found = await this.#one(fewer);
      if (found instanceof Object) return found;
      const other = more !== undefined && (await this.#one(more));
      // The fewest faults count.
      if (other instanceof Object) return (await this.#all(fewer)) ?? other;
      if (!found && !other) return undefined;
    }
  }

  /** Tries the next plan. Returns whether there was one, or its failure. */
  async #one({ level, plans, held }: Course): Promise<Found | boolean> {
    if (this.options.left() <= 0) return false;
    const next = plans.next();
    if (next.done === true) return false;
    const [plan, { lengths }] = next.value;
    const run = await this.options.run(plan);
    level.done += 1;
    if (run.failure !== undefined) return { plan, run, tried: this.levels.reduce((sum, { done }) => sum + done, 0) };
    if (level.lengths === 'other') return true;
    const last = plan.at(-1) as Fault;
    const places = plan.length < this.options.most ? this.#placesAfter(run, last) : [];
    this.#keep(held, { plan, places, lengths: [...lengths, this.#lengths(last, run)] });
    return true;
  }

  #longest({ kept, further: of }: Plans, faults: number): Course {
    return this.#course({ faults, lengths: 'longest', of }, kept, (parent) => {
      const all = this.#further(parent);
      return { of: all.length, at: (index) => [...parent.plan, all[index] as Fault] };
    });
  }

  #otherLengths({ kept, lengths: of }: Plans, faults: number): Course {
    return this.#course({ faults, lengths: 'other', of }, kept, (parent) => ({ of: countOfLengths(parent), at: (index) => withOtherLengths(parent, index) }));
  }

  #course({ faults, lengths, of }: Pick<Level, 'faults' | 'lengths' | 'of'>, kept: readonly Held[], planned: (parent: Held) => Planned): Course {
    const { seed, left } = this.options;
    const level: Level = { faults, lengths, of, done: 0, isSampled: (faults > 1 || lengths === 'other') && of > left() / 2 };
    if (of > 0) this.levels.push(level);
    return { level, plans: inTurn(kept, planned, level.isSampled ? seed : undefined), held: noPlans() };
  }

  /** Keeps a plan, or not if there are many: by chance that the seed decides. */
  #keep(plans: Plans, held: Held): void {
    plans.count += 1;
    plans.further += this.#further(held).length;
    plans.lengths += countOfLengths(held);
    const chance = (Math.imul(plans.count + this.options.seed, 0x9e3779b1) >>> 0) % plans.count;
    const at = plans.kept.length < KEPT_MAX ? plans.kept.length : chance;
    if (at < KEPT_MAX) plans.kept[at] = held;
  }

  #placesAfter({ places }: Run, last: Fault | undefined): Place[] {
    const from = places.findIndex(({ name }) => name === last?.place);
    return places.slice(Math.max(0, from)).filter(({ isNews }) => isNews).map((place) => (this.#places[place.name] ??= place));
  }

  /** The faults that can follow a plan, each at its longest: from its last place on. */
  #further({ plan, places }: Held): Fault[] {
    const { longest, shard: [share, of] } = this.options;
    const last = plan.at(-1);
    const all = places.flatMap((place) => {
      const faults = (this.#faults[place.name] ??= faultsAt(place, longest));
      return place.name === last?.place ? faults.filter(({ kind }) => kind > last.kind) : faults;
    });
    return last === undefined ? all.filter((_, index) => index % of === share - 1) : all;
  }

  /** The lengths that could matter: until just before and just after each instant at which something happened meanwhile. */
  #lengths(fault: Fault, { struck, instants }: Run): number[] {
    const fromMs = struck.find((it) => it.place === fault.place && it.kind === fault.kind)?.atMs;
    if (fromMs === undefined || !isSearched(fault)) return [];
    const all = [...instants].flatMap((atMs) => [atMs - fromMs - 1, atMs - fromMs + 1]);
    return [...new Set(all)].filter((ms) => ms > 0 && ms < (fault.ms ?? 0)).sort((a, b) => a - b);
  }

  /** Fewest faults first, then each as short as it can be. What fails may hold when it is longer, so they are tried in order. */
  async #shrunk(first: Found): Promise<Found> {
    let found = first;
    let tries = SHRINK_RUNS;
    const fails = async (smaller: readonly Fault[]): Promise<boolean> => {
      if (tries-- <= (this.options.left() > 0 ? 0 : SHRINK_RUNS - LATE_RUNS)) return false;
      const tried = await this.options.run(smaller);
      if (tried.failure !== undefined) found = { ...first, plan: smaller, run: tried };
      return tried.failure !== undefined;
    };
    for (const fault of first.plan) if (found.plan.length > 1) await fails(found.plan.filter((it) => it !== fault));
    for (const [index, fault] of found.plan.entries()) {
      const withLength = (ms: number): Fault[] => found.plan.map((it, at) => (at === index ? { ...it, ms } : it));
      for (const ms of this.#lengths(fault, found.run)) {
        if (!(await fails(withLength(ms)))) continue;
        // Whole seconds are easier to read, if they say the same.
        if (ms % 1000 !== 0) await fails(withLength(Math.ceil(ms / 1000) * 1000));
        break;
      }
    }
    return found;
  }
}

/** So many runs may make a failure smaller, and so many of them after the end of the budget. */
const SHRINK_RUNS = 500;
const LATE_RUNS = 20;

const noPlans = (): Plans => ({ kept: [], count: 0, further: 0, lengths: 0 });

/** How many plans there are with other lengths of the same faults. */
function countOfLengths({ lengths }: Held): number {
  return lengths.reduce((product, all) => product * (all.length + 1), 1) - 1;
}

function withOtherLengths({ plan, lengths }: Held, index: number): Fault[] {
  let rest = index + 1;
  return plan.map((fault, at) => {
    const all = lengths[at] ?? [];
    const ms = all[(rest % (all.length + 1)) - 1];
    rest = Math.floor(rest / (all.length + 1));
    return ms === undefined ? fault : { ...fault, ms };
  });
}

/** All plans that come of several ones, in order, or in one that a seed decides. */
function* inTurn(parents: readonly Held[], planned: (parent: Held) => Planned, seed: number | undefined): Generator<readonly [plan: readonly Fault[], parent: Held]> {
  const ends: number[] = [];
  for (const parent of parents) ends.push((ends.at(-1) ?? 0) + planned(parent).of);
  const of = ends.at(-1) ?? 0;
  const [start, step] = seed === undefined ? [0, 1] : strideOf(of, seed);
  let last: { which: number; plans: Planned } | undefined;
  for (let done = 0; done < of; done += 1) {
    const index = (start + done * step) % of;
    const which = ends.findIndex((end) => index < end);
    const parent = parents[which] as Held;
    if (last?.which !== which) last = { which, plans: planned(parent) };
    yield [last.plans.at(index - (ends[which - 1] ?? 0)), parent];
  }
}

/** A first index and a step that come to each of `of` indices once, in an order that the seed decides. */
function strideOf(of: number, seed: number): [start: number, step: number] {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let step = Math.max(1, Math.floor(of * 0.618) + (seed % 97));
  while (divisor(of, step) !== 1) step += 1;
  return [Math.floor(((seed * 0.618) % 1) * of), step];
}

/** A plan as the text of LOCKET_FAULTS. */
export function planText(plan: readonly Fault[]): string {
  return plan.map(textOf).join(' ');
}
