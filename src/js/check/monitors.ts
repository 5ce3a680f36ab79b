// Properties that users write, looked at after everything that happens in a run.

import { LocketArgumentError } from '../base/errors.js';
import { kindOf } from '../base/checks.js';
import { type ScenarioEvent, Simulation } from '../node.js';
import type { SimulationState } from '../simulation/simulation.js';
import type { Scenario } from '../simulation/scenario-value.js';

/** A moment of a run. */
export interface Moment {
  timeMs: number;
  /** What has happened since the last moment; nothing at the start and at the end. */
  events: ScenarioEvent[];
  /** Whether the scenario is over: what had to come about by then must have. */
  isEnd: boolean;
  /** How everything is. It is asked for when it is read: a monitor that needs events only is faster. */
  readonly state: SimulationState;
}

/**
 * Looks at a moment: `true` if what it is about holds in it, `false` if it is violated, and `undefined` if the moment says
 * nothing about it. It may remember what it has seen, and is told every moment until it says `false`.
 */
export type Monitor = (moment: Moment) => boolean | undefined;

/** What has become of a monitor. */
export interface MonitorResult {
  name: string;
  /** `never-exercised` if no moment said anything about it: that proves nothing. */
  outcome: 'held' | 'never-exercised' | 'violated';
  /** When it was violated; `null` if it was not, as all that follows. */
  timeMs: number | null;
  /** What happened then, each a sentence. */
  words: string[] | null;
  /** A link to that moment: see `Simulation.fromLink`. */
  link: string | null;
}

/**
 * Runs a scenario to its end and has monitors look at every moment of it.
 *
 * @example
 * ```ts
 * const [result] = checkMonitors(scenario, {
 *   'somebody acts after the first minute': ({ timeMs, state }) =>
 *     timeMs < 60_000 ? undefined : state.nodes.some(({ believes }) => believes),
 * });
 * if (result.outcome === 'violated') console.log(result.timeMs, result.link);
 * ```
 *
 * @param scenario its text or value, such as the schedule that {@link explore} found; or a simulation, which goes on from where it is
 * @param monitors by name. What one throws is thrown
 * @throws `ScenarioError` with line and column for the first mistake
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
    const moment = new MomentOf(simulation, events, isEnd);
    for (const it of watched) it.look(moment, simulation);
  }
}

function readMonitors(monitors: unknown): Record<string, Monitor> {
  if (typeof monitors !== 'object' || monitors === null) {
    throw new LocketArgumentError('monitors', `expected functions by name, not ${kindOf(monitors)}`);
  }
  for (const [name, monitor] of Object.entries(monitors)) {
    if (typeof monitor !== 'function') throw new LocketArgumentError(`monitors.${name}`, `expected a function, not ${kindOf(monitor)}`);
  }
  return monitors as Record<string, Monitor>;
}

/** A moment whose state is asked for once, if at all. */
class MomentOf implements Moment {
  readonly timeMs: number;
  readonly #simulation: Simulation;
  #state: SimulationState | undefined;

  constructor(
    simulation: Simulation,
    readonly events: ScenarioEvent[],
    readonly isEnd: boolean,
  ) {
    this.#simulation = simulation;
    this.timeMs = simulation.nowMs;
  }

  get state(): SimulationState {
    this.#state ??= this.#simulation.state();
    return this.#state;
  }
}

/** A monitor, and what it has said. */
class Watched {
  #isExercised = false;
  #violation: Pick<MonitorResult, 'link' | 'timeMs' | 'words'> | undefined;

  constructor(
    readonly name: string,
    readonly monitor: Monitor,
  ) {}

  look(moment: Moment, simulation: Simulation): void {
    if (this.#violation !== undefined) return;
    const said: unknown = this.monitor(moment);
    if (said !== undefined && typeof said !== 'boolean') {
      throw new LocketArgumentError(`monitors.${this.name}`, `expected true, false or undefined, not ${kindOf(said)}`);
    }
    this.#isExercised ||= said !== undefined;
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
