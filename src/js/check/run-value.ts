// Made of sim/answer.schema.json by `make docs`; do not edit.

import type { Bounds, Question } from './question.js';
import type { Faults } from './faults-value.js';

/** The safety margin of a run. */
export interface SafetyMargin {
  /** The moments, in order. */
  moments: SafetyMarginMoment[];
  /** When the harm is unavoidable: it occurs even if every fault ends at once. */
  unavoidable: SafetyMarginUnavoidable[];
  /** The point of no return: the start of the first such time. `null` if there is none. */
  pointOfNoReturnMs: number | null;
  /**
   * The harm: two owners of a key, or in a run without rivals a presence that is missing.
   *
   * * `presence-gap`: A presence has no row, after it had one and while its client runs.
   * * `two-owners`: Two clients or more believe at the same time that they hold a key.
   */
  harm: 'presence-gap' | 'two-owners';
  /** When the run itself first has the harm; `null` if it never does. */
  harmMs: number | null;
  /** A bar for each moment, and a summary. */
  text: string;
}

/**
 * A fault of a node for a while.
 *
 * * `isolation`: It is cut off: nothing that it sends arrives, and nothing reaches it.
 * * `pause`: It is paused.
 * * `suspend`: It is paused, and its clock is frozen.
 */
export type SafetyMarginFault = 'isolation' | 'pause' | 'suspend';

/** The safety margin at a moment. */
export interface SafetyMarginMoment {
  /** The moment. */
  atMs: number;
  /** Whether it is right after the events of its time; else it is right before them. */
  after: boolean;
  /**
   * The shortest pause from this moment on that leads to the harm. 0: no pause is needed; the
   * harm is there now, or will be without a further fault. `null`: not even the longest pause
   * leads to it.
   */
  smallestMs: number | null;
  /** The client or Locket process to pause; `null` if no pause is needed or none suffices. */
  node: string | null;
  /** Whether the node is paused already. Then the pause has to last so long from this moment on. */
  lastsAlready: boolean;
}

/**
 * A time in which the harm is unavoidable, or there. Each of its ends is right after what
 * happens at it.
 */
export interface SafetyMarginUnavoidable {
  /** From when on. */
  fromMs: number;
  /** Until when; `null` if the run ends before. */
  toMs: number | null;
}

/** The bounds of the question of a run, and what of the run is outside of them. */
export interface RunQuestion {
  /** The kinds of faults that bounds may allow. */
  faults: FaultKind[];
  /** How many clients take part. */
  clients: number;
  /** How many Locket processes there are. */
  processes: number;
  /** All bounds in words. */
  words: string;
  /** The parts of the run that they leave out. */
  outside: Outside[];
  /** Its bounds. */
  bounds: Bounds;
  /** The question, for `explore` and `advise`. */
  question: Question;
}

/** A kind of fault, for a list to choose from. */
export interface FaultKind {
  /**
   * Its argument beside its count.
   *
   * * `downtime`: How long what it brings down is down, at most.
   * * `length`: How long it lasts, at most; without a length it does nothing.
   * * `lostCommits`: How many commits it loses.
   * * `none`: Nothing.
   */
  takes: 'downtime' | 'length' | 'lostCommits' | 'none';
  /** One of them. */
  one: string;
  /** Several of them. */
  several: string;
  /** Its name in a question. */
  name: keyof Faults;
}

/** Something of a run that a search does not try. */
export interface Outside {
  /**
   * Whether a search can try it.
   *
   * * `never`: No search tries it.
   * * `other-key`: It is about other keys, and changes nothing about the keys of the question.
   * * `wider`: A search with wider bounds tries it.
   */
  is: 'never' | 'other-key' | 'wider';
  /** Its name, as the subject of a sentence: `a pause of 17 s`. */
  words: string;
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

export const MARGIN_FAULTS: readonly SafetyMarginFault[] = ['isolation', 'pause', 'suspend'];
