// Made of sim/answer.schema.json by `make docs`; do not edit.

import type { EventKind, RunnerEventKind } from '../simulation/run-value.js';

/**
 * The verdict on a question, within its bounds.
 *
 * * `safe`: No schedule breaks the property, however long it runs.
 * * `unknown`: Neither was shown.
 * * `unsafe`: A schedule breaks the property.
 */
export type Verdict = 'safe' | 'unknown' | 'unsafe';

/**
 * Why a safe verdict does not hold for any number of clients.
 *
 * * `allow`: Two owners may overlap for up to `allow`. Overlaps of more clients can follow
 *   each other, and together last longer.
 * * `each-client`: A client alone breaks the rule that proves the property for any number, in
 *   a world that allows others everything.
 * * `not-asked`: Each client was not asked alone: in Rust, `Reductions::each_client` was off.
 * * `owner-strings`: Clients present one owner string, so they are one owner to Locket.
 * * `property`: The property is about several clients: which of them has the lock next, or
 *   your own property.
 * * `row-queues`: Transactions hold their rows for a while: how long a call waits depends on
 *   how many clients there are.
 * * `shared-faults`: How long a process drains, or which commits a failover loses, depends on
 *   clients with other keys, too.
 * * `too-many-states`: The search of a client among any number of others reached its limit of
 *   states.
 */
export type WhyNotAny =
  | 'allow'
  | 'each-client'
  | 'not-asked'
  | 'owner-strings'
  | 'property'
  | 'row-queues'
  | 'shared-faults'
  | 'too-many-states';

/**
 * Why a verdict is unknown.
 *
 * * `clock-rates`: A clock's rate puts timers between the instants of the search. No schedule
 *   breaks the property in steps of `gridMs`, or an exact run does not confirm the one that was
 *   found.
 * * `coarse-grid`: No schedule breaks the property in steps of `gridMs`, but these steps are
 *   too long for an exact answer.
 * * `each-client`: A client alone breaks the rule that proves the property for any number, in
 *   a world that allows others everything. No schedule of the question's clients was found that
 *   breaks the property.
 * * `never-exercised`: No state tested the property, so the question is probably not the
 *   intended one.
 * * `suspends`: No schedule breaks the property in steps of `gridMs`. The clock of a suspended
 *   machine is frozen, and no step covers all times of its timers.
 * * `too-many-states`: The search reached its limit of states. It proves nothing beyond its
 *   reach.
 */
export type WhyUnknown =
  | 'clock-rates'
  | 'coarse-grid'
  | 'each-client'
  | 'never-exercised'
  | 'suspends'
  | 'too-many-states';

/** The members of every answer. */
export interface ExplorationReport {
  /** The verdict with its bounds, a few sentences. */
  summary: string;
  /** The bounds within which it holds, as a sentence. */
  bounds: string;
  /** The number of different states found. */
  states: number;
  /** The step of time of the search. */
  gridMs: number;
  /** The longest step that gives an exact answer. */
  exactGridMs: number;
  /** Every schedule with fewer faults than this, or as many and ending earlier, was tried. */
  reached: {
    /** The number of faults. */
    faults: number;
    /** The time. */
    timeMs: number;
  };
  /** The proof; `null` if the verdict is not safe. */
  proof: {
    /**
     * The way.
     *
     * * `all-schedules`: Every schedule of the question's clients was tried.
     * * `each-client`: Every schedule of each client alone was tried, in a world that allows
     *   others everything. So it holds for any number of clients.
     */
    by: 'all-schedules' | 'each-client';
    /** The number of states that were visited for it. */
    states: number;
    /**
     * Whether it holds for any number of Locket processes, not only for those of the question: no
     * process was followed, only the rows.
     */
    anyProcesses: boolean;
  } | null;
  /**
   * For how many clients the verdict holds; a number is that of the question's clients. Of
   * `any`, each has the settings of one of the question and an owner string of its own. Of
   * `any-without-shared-keys`, no two want the same key either. If the verdict is unknown, those
   * that the question is about.
   */
  clients: ('any' | 'any-without-shared-keys') | number;
  /**
   * Why a safe verdict does not hold for any number of clients; `null` if it does, or is not
   * safe.
   */
  notAnyBecause: WhyNotAny | null;
  /**
   * No schedule of any number of clients has fewer faults than this and breaks the property, or
   * as many and breaks it earlier. `null` if that is not known.
   */
  lowerBound: {
    /** The number of faults. */
    faults: number;
    /** The time. */
    timeMs: number;
  } | null;
  /**
   * Up to how many of the faults that may happen any number of times the question is safe;
   * `null` if it is so for any number, or has none of these.
   */
  edge: {
    /** The faults that may happen any number of times, by their names in the question. */
    faults: string[];
    /** The question is safe with up to so many of each of them. */
    safeUpTo: number;
    /** With so many, a schedule breaks the property; `null` if none was found. */
    unsafeWith: number | null;
  } | null;
  /** The coverage of the search. */
  coverage: Coverage;
  /** The verdict and the story, as text for people. */
  text: string;
}

/** A counterexample. */
export interface Violation {
  /** The smallest counterexample, in words. */
  story: Story;
  /** The same as a scenario's JSON: `runScenario` and `Simulation` replay it. */
  scenario: string;
  /** When the property is broken in the scenario. */
  timeMs: number;
  /** How long there are two owners; 0 if the property is about something else. */
  twoOwnersMs: number;
  /**
   * The counterexample with the longest violation of all tried; `null` if the search did not
   * look for it.
   */
  longest: LongestSchedule | null;
  /** The verdict. */
  verdict: 'unsafe';
  /** The verdict is known. */
  because: null;
  /** A link to that moment: see `Simulation.fromLink`. */
  link: string;
}

/** A counterexample in words. */
export interface Story {
  /** The events, in order. */
  lines: StoryLine[];
  /** The numbers on which it depends that there are two owners, each with all else unchanged. */
  ranges: StoryRange[];
}

/** One event of a story. */
export interface StoryLine {
  /** When it happens. */
  timeMs: number;
  /** The kind of event. */
  kind: EventKind;
  /** The kind of a runner's event; `null` for other events. */
  runner: RunnerEventKind | null;
  /** A sentence. */
  words: string;
  /** The owner of the row; `null` if it does not matter. */
  rowOf: string | null;
  /** The rest of the row's lease without a renewal. */
  slackMs: number | null;
}

/** A number of a story, and its range that still gives two owners, with all else unchanged. */
export interface StoryRange {
  /** The meaning of the number. */
  what: string;
  /** The number. */
  valueMs: number;
  /** The smallest number that does. */
  leastMs: number;
  /** The largest number that does, of what was tried. */
  mostMs: number;
  /** The largest value tried: the question's bound, or twice the pause. */
  triedMs: number;
}

/** The counterexample with the longest violation. */
export interface LongestSchedule {
  /** How long the violation lasts. */
  lastedMs: number;
  /** Whether no schedule has a longer violation: all were tried, on an exact grid. */
  isExact: boolean;
  /** The schedule as a scenario's JSON. */
  scenario: string;
  /** When the violation exceeds the allowed time. */
  timeMs: number;
  /** A link to that moment: see `Simulation.fromLink`. */
  link: string;
}

/** The coverage of a search. */
export interface Coverage {
  /** The events that occurred, as sentences. */
  happened: string[];
  /**
   * The allowed faults that never occurred, by their names in the question. Their effects were
   * not tried.
   */
  neverHappened: string[];
  /** The states of runners that occurred, as sentences. */
  runners: string[];
  /** The number of different client states. */
  clientStates: number;
  /** The number of different states of Locket with its database. */
  locketStates: number;
}

/** The result of random walks. The members of a counterexample are `null` without one. */
export interface RandomWalks {
  /**
   * Whether a walk found a counterexample. If none did, that proves nothing.
   *
   * * `unknown`: No walk broke the property.
   * * `unsafe`: A walk broke the property.
   */
  verdict: 'unknown' | 'unsafe';
  /** The result with its bounds, a few sentences. */
  summary: string;
  /** The bounds of the walks, as a sentence. */
  bounds: string;
  /** The seed of the walks. */
  seed: number;
  /** The number of walks. */
  walks: number;
  /** The steps of all walks. */
  steps: number;
  /** The coverage of the walks. */
  coverage: Coverage;
  /** The result and the story, as text for people. */
  text: string;
  /** The smallest counterexample, in words. */
  story: Story | null;
  /** The same as a scenario's JSON: `runScenario` and `Simulation` replay it. */
  scenario: string | null;
  /** When the property is broken in the scenario. */
  timeMs: number | null;
  /** How long there are two owners; 0 if the property is about something else. */
  twoOwnersMs: number | null;
  /** A link to that moment: see `Simulation.fromLink`. */
  link: string | null;
}
