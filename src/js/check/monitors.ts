// Properties written by users, checked after every event of a run.

import { LocketArgumentError } from '../base/errors.js';
import { checkFunction, kindOfAnswer } from '../base/checks.js';
import { type ScenarioEvent, Simulation } from '../node.js';
import type { SimulationState } from '../simulation/state.js';
import type { Scenario } from '../simulation/scenario-value.js';
import { strict } from './strict.js';

/** A moment of a run. */
export interface Moment {
  timeMs: number;
  /** The events since the last moment; empty at the start and at the end. */
  events: ScenarioEvent[];
  /** True if the scenario is over: then everything awaited must have happened. */
  isEnd: boolean;
  /** The state. It is computed when it is read, so a monitor that only reads events is faster. */
  readonly state: SimulationState;
}

/**
 * Checks a moment: `true` if the property holds, `false` if it is violated, and `undefined` if the
 * moment does not test it. A monitor may keep state. It sees every moment until it returns `false`.
 */
export type Monitor = (moment: Moment) => boolean | undefined;

/** The result of a monitor. */
export interface MonitorResult {
  name: string;
  /** `never-exercised` if no moment tested the property, or it never looked at one: that proves nothing. */
  outcome: 'held' | 'never-exercised' | 'violated';
  /** When it was violated; `null` without a violation, as all members below. */
  timeMs: number | null;
  /** The events of that moment, as sentences. */
  words: string[] | null;
  /** A link to that moment: see `Simulation.fromLink`. */
  link: string | null;
}

/**
 * Runs a scenario to its end, and checks every moment with monitors.
 *
 * @example
 * ```ts
 * const [result] = checkMonitors(scenario, {
 *   'an owner after the first minute': ({ timeMs, state }) =>
 *     timeMs < 60_000 ? undefined : state.nodes.some(({ believes }) => believes),
 * });
 * if (result.outcome === 'violated') console.log(result.timeMs, result.link);
 * ```
 *
 * @param scenario its text or value, such as a counterexample of `explore`; or a simulation,
 * which continues from its moment
 * @param monitors by name. An error that a monitor throws is thrown
 * @throws `ScenarioError` with line and column of the first validation error
 */
export function checkMonitors(scenario: string | Scenario | Simulation, monitors: Record<string, Monitor>): MonitorResult[] {
  const watched = Object.entries(readMonitors(monitors)).map(([name, monitor]) => new Watched(name, monitor));
  const isGiven = scenario instanceof Simulation;
  const simulation = isGiven ? scenario : new Simulation(scenario);
  try {
    look([], false);
    for (let events = simulation.step(); events.length > 0; events = simulation.step()) look(events, false);
    look([], true);
    return watched.map((it) => it.result());
  } finally {
    if (!isGiven) simulation.close();
  }

  function look(events: ScenarioEvent[], isEnd: boolean): void {
    const moment = momentOf(simulation, events, isEnd);
    for (const it of watched) it.look(moment, simulation);
  }
}

function readMonitors(monitors: unknown): Record<string, Monitor> {
  if (kindOfAnswer(monitors) !== 'an object') throw new LocketArgumentError('monitors', `expected functions by name, not ${kindOfAnswer(monitors)}`);
  for (const [name, monitor] of Object.entries(monitors as object)) {
    checkFunction(`monitors.${name}`, monitor);
  }
  return monitors as Record<string, Monitor>;
}

/** A moment whose state is computed at most once. */
function momentOf(simulation: Simulation, events: ScenarioEvent[], isEnd: boolean): Moment {
  let state: SimulationState | undefined;
  return {
    timeMs: simulation.nowMs,
    events,
    isEnd,
    get state() {
      return (state ??= simulation.state());
    },
  };
}

/** A monitor with its results. */
class Watched {
  #isExercised = false;
  #violation: Pick<MonitorResult, 'link' | 'timeMs' | 'words'> | undefined;

  constructor(
    readonly name: string,
    readonly monitor: Monitor,
  ) {}

  look(moment: Moment, simulation: Simulation): void {
    if (this.#violation !== undefined) return;
    let hasLooked = false;
    const seen = strict(`monitors.${this.name}`, moment, (name) => (hasLooked ||= name !== 'isEnd'));
    const said: unknown = this.monitor(seen);
    if (said !== undefined && typeof said !== 'boolean') {
      throw new LocketArgumentError(`monitors.${this.name}`, `expected true, false or undefined, not ${kindOfAnswer(said)}`);
    }
    this.#isExercised ||= said !== undefined && hasLooked;
    if (said !== false) return;
    const { timeMs, events } = moment;
    this.#violation = { timeMs, words: events.map(({ words }) => words), link: simulation.link() };
  }

  result(): MonitorResult {
    const { name } = this;
    if (this.#violation !== undefined) return { name, outcome: 'violated', ...this.#violation };
    return { name, outcome: this.#isExercised ? 'held' : 'never-exercised', timeMs: null, words: null, link: null };
  }
}
