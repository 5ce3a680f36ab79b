// Tries faults by their number, then by their lengths. A plan is tried only once, and each level counts what it has tried.

import { type Fault, type FaultName, faultsAt, isSearched, type Place, textOf } from './fault.js';
import type { Struck } from './run.js';

/** What a search needs to know of a run. */
export interface Tried {
  readonly failure: { error: unknown } | undefined;
  readonly places: readonly Place[];
  readonly struck: readonly Struck[];
  readonly instants: ReadonlySet<number>;
}

/** All runs with this many faults, at their longest or with other lengths that can matter. */
export interface Level {
  readonly faults: number;
  readonly lengths: 'longest' | 'other';
  of: number;
  done: number;
  /** Tried at random, since the budget is less than the level. */
  isSampled: boolean;
}

export interface SearchOptions<R extends Tried> {
  readonly longest: ReadonlyMap<FaultName, number | undefined>;
  readonly most: number;
  readonly seed: number;
  /** The share of the runs with one fault, from 1, and of how many. */
  readonly shard: readonly [share: number, of: number];
  run(plan: readonly Fault[]): Promise<R>;
  /** How many runs are left, as far as is known. */
  left(): number;
}

/** A plan that held, and what to try next. */
interface Held {
  readonly plan: readonly Fault[];
  /** The faults that can follow, each at its longest. */
  readonly further: readonly Fault[];
  /** Of each fault, the shorter lengths between which something differs. */
  readonly lengths: readonly (readonly number[])[];
}

/** A plan that fails, with its run. */
export interface Found<R> {
  readonly plan: readonly Fault[];
  readonly run: R;
}

/** A search that ends with the first failure, or when all is tried or the budget is over. */
export class Search<R extends Tried> {
  readonly levels: Level[] = [];
  readonly #options: SearchOptions<R>;

  constructor(options: SearchOptions<R>) {
    this.#options = options;
  }

  /** `base` is the run without a fault. */
  async begin(base: R): Promise<Found<R> | undefined> {
    const { shard: [share, of], most } = this.#options;
    const first = this.#further(base, []).filter((_, index) => index % of === share - 1);
    let parents: Held[] = [{ plan: [], further: first, lengths: [] }];
    for (let faults = 1; faults <= most && this.#options.left() > 0; faults += 1) {
      const held: Held[] = [];
      const found = (await this.#longest(faults, parents, held)) ?? (await this.#otherLengths(faults, held));
      if (found !== undefined) return found;
      parents = held;
    }
    return undefined;
  }

  async #longest(faults: number, parents: readonly Held[], held: Held[]): Promise<Found<R> | undefined> {
    const planOf = indexed(parents, ({ further }) => further.length, ({ plan, further }, index) => [...plan, further[index] as Fault]);
    return this.#level(faults, 'longest', planOf, (plan, run, parent) => {
      const last = plan.at(-1) as Fault;
      held.push({ plan, further: faults < this.#options.most ? this.#further(run, plan) : [], lengths: [...parent.lengths, this.#lengths(last, run)] });
    });
  }

  #otherLengths(faults: number, held: readonly Held[]): Promise<Found<R> | undefined> {
    const count = ({ lengths }: Held): number => lengths.reduce((product, all) => product * (all.length + 1), 1) - 1;
    const planOf = indexed(held, count, ({ plan, lengths }, index) => {
      let rest = index + 1;
      return plan.map((fault, at) => {
        const all = lengths[at] ?? [];
        const ms = all[(rest % (all.length + 1)) - 1];
        rest = Math.floor(rest / (all.length + 1));
        return ms === undefined ? fault : { ...fault, ms };
      });
    });
    return this.#level(faults, 'other', planOf, () => {});
  }

  async #level(
    faults: number,
    lengths: Level['lengths'],
    { of, at }: ReturnType<typeof indexed<Held, readonly Fault[]>>,
    onHeld: (plan: readonly Fault[], run: R, parent: Held) => void,
  ): Promise<Found<R> | undefined> {
    const level: Level = { faults, lengths, of, done: 0, isSampled: (faults > 1 || lengths === 'other') && of > this.#options.left() };
    if (of > 0) this.levels.push(level);
    const [start, step] = level.isSampled ? strideOf(of, this.#options.seed) : [0, 1];
    for (; level.done < of && this.#options.left() > 0; ) {
      const [plan, parent] = at((start + level.done * step) % of);
      const run = await this.#options.run(plan);
      level.done += 1;
      if (run.failure !== undefined) return this.#shrunk(plan, run);
      onHeld(plan, run, parent);
    }
    return undefined;
  }

  /** What can follow a plan: faults from its last place on. */
  #further({ places }: R, plan: readonly Fault[]): Fault[] {
    const last = plan.at(-1);
    const from = places.findIndex(({ name }) => name === last?.place);
    const able = places.slice(Math.max(0, from)).filter(({ isNews }) => isNews);
    return able.flatMap((place) => faultsAt(place, this.#options.longest)).filter((fault) => fault.place !== last?.place || fault.kind > last.kind);
  }

  /** The lengths that could matter: until just before and just after each instant at which something happened meanwhile. */
  #lengths(fault: Fault, { struck, instants }: R): number[] {
    const fromMs = struck.find((it) => it.place === fault.place && it.kind === fault.kind)?.atMs;
    if (fromMs === undefined || !isSearched(fault)) return [];
    const all = [...instants].flatMap((atMs) => [atMs - fromMs - 1, atMs - fromMs + 1]);
    return [...new Set(all)].filter((ms) => ms > 0 && ms < (fault.ms ?? 0)).sort((a, b) => a - b);
  }

  /** Fewest faults first, then each as short as it can be. What fails may hold when it is longer, so they are tried in order. */
  async #shrunk(plan: readonly Fault[], run: R): Promise<Found<R>> {
    let found: Found<R> = { plan, run };
    let tries = SHRINK_RUNS;
    const fails = async (smaller: readonly Fault[]): Promise<boolean> => {
      if (tries-- <= 0) return false;
      const tried = await this.#options.run(smaller);
      if (tried.failure !== undefined) found = { plan: smaller, run: tried };
      return tried.failure !== undefined;
    };
    for (const fault of plan) if (found.plan.length > 1) await fails(found.plan.filter((it) => it !== fault));
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

const SHRINK_RUNS = 500;

/** All that several parents have, by one index. */
function indexed<P, T>(parents: readonly P[], count: (parent: P) => number, make: (parent: P, index: number) => T): { of: number; at: (index: number) => [T, P] } {
  const ends: number[] = [];
  for (const parent of parents) ends.push((ends.at(-1) ?? 0) + count(parent));
  const at = (index: number): [T, P] => {
    const which = ends.findIndex((end) => index < end);
    const parent = parents[which] as P;
    return [make(parent, index - (ends[which - 1] ?? 0)), parent];
  };
  return { of: ends.at(-1) ?? 0, at };
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
