// Made of sim/answer.schema.json by `make docs`; do not edit.

/** The safety margin of a run. */
export interface SafetyMargin {
  /** The moments, in order. */
  moments: SafetyMarginMoment[];
  /**
   * The point of no return, to the millisecond: from here on, two owners occur even if every
   * fault ends at once. `null` if there is none.
   */
  pointOfNoReturnMs: number | null;
  /** When the run itself first has two owners; `null` if it never does. */
  twoOwnersMs: number | null;
  /** A bar for each moment, and a summary. */
  text: string;
}

/** The safety margin at a moment. */
export interface SafetyMarginMoment {
  /** The moment, right before its events. */
  atMs: number;
  /**
   * The shortest pause from this moment on that leads to two owners. 0: no pause is needed;
   * there are two owners now, or will be without a further fault. `null`: not even the longest
   * pause leads to two owners.
   */
  smallestMs: number | null;
  /** The client or Locket process to pause; `null` if no pause is needed or none suffices. */
  node: string | null;
}

/** A minimized failing run. */
export interface MinimizedRun {
  /**
   * The scenario's JSON without randomness, with the needed choices as overrides. It fails as
   * the run did.
   */
  scenario: string;
  /** The needed choices, by place. */
  overrides: {
    [k: string]: number;
  };
  /** Each choice as a sentence with its time. */
  story: string[];
  /** The index of the expectation that fails. */
  expectation: number;
  /** The failure, in words. */
  failure: string;
  /** The number of choices at first. */
  decisions: number;
  /** The number of runs tried. */
  runs: number;
  /** Whether every choice left is needed; if not, the limit of runs was reached. */
  isComplete: boolean;
  /** A link to the end of the scenario: see `Simulation.fromLink`. */
  link: string;
}
