// Made of sim/simulation.schema.json by `make docs`; do not edit.

/** A place in a simulation; `restore` returns to it. */
export interface SimulationPlace {
  /** The branch, from 0. */
  branch: number;
  /** The time. */
  timeMs: number;
  /** The number of actions at that very time. */
  count: number;
}

/** A branch: one line of events with its actions. */
export interface SimulationBranch {
  /** The place where it left another branch; `null` for the first. */
  from: SimulationPlace | null;
  /** The latest time reached in it. */
  reachedMs: number;
  /** The number of actions in it, with those before it left. */
  acts: number;
}
