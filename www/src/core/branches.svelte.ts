// The branches of what is shown: the run that was opened, and everything that was made of it. None is ever dropped; undo hides one.

import type { Simulation } from 'locket-wasm';
import type { SimulationSpan } from 'locket-wasm/types';

import type { ManualAction } from './run.js';
import type { Whole } from './whole.js';

/** A line of events: the opened run, or a change of it. */
export interface Branch {
  id: number;
  simulation: Simulation;
  /** Its number within the simulation; other settings have a simulation of their own. */
  number: number;
  /** The scenario's text. */
  scenario: string;
  /** Where it left which other one; `null` for the first. */
  from: { branch: number; timeMs: number } | null;
  /** The action of the branch, as words without a full stop. */
  words: string;
  /** Everything that was done by hand up to its end, in order. */
  manualActions: readonly ManualAction[];
  /** Up to when the author's remarks are about it. */
  notesUntilMs: number;
  /** The kind of change that opened it: the next change of that kind replaces it, as when a slider is dragged. */
  change: string | undefined;
  /** Where it ends by itself, if nothing is open then. */
  plannedEndMs: number;
  /** A link of the package to it. */
  link: string;
  overlaps: readonly SimulationSpan[];
  endMs: number;
}

export class Branches {
  /** Those that are shown, in the order in which they were made. */
  shown = $state.raw<readonly Branch[]>([]);
  current = $state.raw<Branch | undefined>();

  #made = 0;
  readonly #undone: Branch[] = [];

  /** Forgets everything, for another run. */
  begin(branch: NewBranch, whole: Whole): Branch {
    for (const simulation of new Set([...this.shown, ...this.#undone].map((one) => one.simulation))) {
      if (simulation !== branch.simulation) simulation.close();
    }
    this.shown = [];
    this.#undone.length = 0;
    return this.add(branch, whole);
  }

  /** Adds a branch, and goes to it. One of the same kind of change that nothing was made of yet makes room for it. */
  add(branch: NewBranch, { timeline: { twoOwners, endMs } }: Whole): Branch {
    const replaced = this.replaceable(branch.change);
    const made = { ...branch, id: this.#made++, overlaps: twoOwners, endMs };
    if (replaced !== undefined && replaced.simulation !== branch.simulation) replaced.simulation.close();
    this.shown = [...this.shown.filter((one) => one !== replaced), made];
    this.current = made;
    return made;
  }

  /** The branch that another change of this kind takes the place of. */
  replaceable(change: string | undefined): Branch | undefined {
    const { current } = this;
    const isReplaceable = change !== undefined && current?.change === change && current === this.shown.at(-1) && current.from !== null;
    return isReplaceable ? current : undefined;
  }

  /** True if a branch is there, be it undone. */
  has(id: number): boolean {
    return [...this.shown, ...this.#undone].some((one) => one.id === id);
  }

  /** Goes to a branch, even if it was undone. */
  go(id: number): Branch | undefined {
    const undone = this.#undone.findIndex((one) => one.id === id);
    if (undone >= 0) this.shown = [...this.shown, ...this.#undone.splice(undone, 1)];
    return (this.current = this.shown.find((one) => one.id === id) ?? this.current);
  }

  /** Takes back what was done last. The branch that it left, and when if it was done at a moment; `undefined` if there is nothing to take back. */
  undo(): { branch: Branch; timeMs: number | undefined } | undefined {
    const last = this.shown.at(-1);
    const from = last?.from;
    const before = this.shown.find(({ id }) => id === from?.branch);
    if (last === undefined || !from || before === undefined) return undefined;
    this.shown = this.shown.slice(0, -1);
    this.#undone.push(last);
    this.current = before;
    return { branch: before, timeMs: last.change === undefined ? from.timeMs : undefined };
  }
}

/** A branch that is not in the list yet. */
export type NewBranch = Omit<Branch, 'endMs' | 'id' | 'overlaps'>;
