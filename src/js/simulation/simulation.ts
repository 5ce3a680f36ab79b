// A scenario that runs step by step, forwards and backwards.

import { runSeeds, WasmSimulation } from '#glue';

import { LocketArgumentError } from '../base/errors.js';
import { booleanAnswer, knownFields, safeInteger, text, wholeMs } from '../base/checks.js';
import { type Duration, durationMs, lengthMs } from '../base/duration.js';
import { INSPECT, seen } from '../base/look.js';
import { length } from '../base/times.js';
import { checkedOptions } from '../base/options.js';
import { Owned } from '../base/owned.js';
import { callWasm } from '../base/wasm.js';
import type { SimulationBranch, SimulationPlace } from './branch.js';
import { actsIn, lengthen, shorten, type Stories } from './link.js';
import type { ScenarioEvent } from './run-value.js';
import { scenarioText } from './scenario-text.js';
import type { Scenario, ScenarioAct } from './scenario-value.js';
import type { SimulationState } from './state.js';
import { STEPS, type StepsOption } from './steps.js';
import type { SimulationTimeline } from './timeline.js';
import type { TraceFormat } from './trace-format.js';

/** An action that was done from outside; see {@link Simulation.acts}. */
export interface SimulationAct {
  timeMs: number;
  /** How many things had been done at that very time. */
  count: number;
  action: ScenarioAct;
}

/** Options of {@link Simulation}. */
export type SimulationOptions = StepsOption;

/** Options of {@link Simulation.fromLink}. */
export type FromLinkOptions = LinkOptions & SimulationOptions;

/** Options of {@link Simulation.link}. */
export interface LinkOptions {
  /**
   * Scenario texts by name that the receiver of the link also has, such as those of
   * `locket-wasm/stories`.
   */
  stories?: Stories;
}

const LINK_OPTIONS = { stories: storiesOf };

function storiesOf(field: string, stories: unknown = {}): Stories {
  if (typeof stories !== 'object' || stories === null || Object.values(stories).some((story) => typeof story !== 'string')) {
    throw new LocketArgumentError(field, 'expected texts of scenarios by name');
  }
  return stories as Stories;
}

/**
 * A scenario that runs step by step. Go forwards or back, and act at any moment: an action in the
 * past starts a branch, and keeps the old one. A run beyond `maxSteps` throws a
 * {@link StepLimitError}, and the simulation stays at its moment.
 *
 * @example
 * ```ts
 * using sim = new Simulation(scenario);
 * sim.runUntil('7s');
 * sim.act({ do: 'pause', node: 'bbs-0', for: '20s' });
 * sim.runUntil((now) => now.state().nodes.filter((node) => node.believes).length > 1);
 * console.log(sim.nowMs, sim.link());
 * ```
 */
export class Simulation {
  readonly #owned: Owned<WasmSimulation>;

  /**
   * Creates a simulation at the start of a scenario.
   *
   * @param scenario its JSON text, or the same as a value
   * @throws {@link ScenarioError} with line and column of the first validation error
   */
  constructor(scenario: string | Scenario, options: SimulationOptions = {}) {
    const { maxSteps } = checkedOptions(options, STEPS);
    const made = madeFromLink.get(scenario as object);
    this.#owned = new Owned('simulation', made ?? callWasm(() => new WasmSimulation(scenarioText(scenario), maxSteps)));
  }

  /**
   * Opens a {@link Simulation.link | link}. A link that was made with `stories` needs them here,
   * too.
   *
   * @throws {@link LocketArgumentError} if the link is invalid, or of an unsupported version
   * @throws {@link StepLimitError} if it needs more steps than allowed
   */
  static fromLink(link: string, options: FromLinkOptions = {}): Simulation {
    const { maxSteps, stories } = checkedOptions(options, { ...STEPS, ...LINK_OPTIONS });
    const long = lengthen(text('link', link), stories);
    const core = callWasm(() => WasmSimulation.fromLink(long, maxSteps));
    const key = {};
    madeFromLink.set(key, core);
    return new this(key as Scenario);
  }

  /**
   * The runs of a scenario's text with `count` seeds, each `stride` after the one before, as JSON; for `sweepSeeds`.
   *
   * @internal
   */
  static runSeeds(...asked: Parameters<typeof runSeeds>): string {
    return callWasm(() => runSeeds(...asked));
  }

  /** The scenario's name. */
  get name(): string {
    return this.#open.name();
  }

  /** The scenario's text, without white space. */
  get scenario(): string {
    return this.#open.source();
  }

  /** The time, in milliseconds from the start. */
  get nowMs(): number {
    return this.#open.now();
  }

  /** The end of the scenario. `runUntil` can go further; `step` cannot. */
  get endMs(): number {
    return this.#open.end();
  }

  /** The number of events so far. */
  get eventCount(): number {
    return this.#open.eventCount();
  }

  /** True if the run equals the one that the link was made from: rules may have changed since. */
  get isFaithful(): boolean {
    return this.#open.isFaithful();
  }

  [INSPECT](): string {
    return `Simulation ${seen(() => `'${this.name}' at ${length(this.nowMs)} of ${length(this.endMs)}, ${this.eventCount} events`)}`;
  }

  /** Continues until an event has happened. Returns the events; empty at the end. */
  step(): ScenarioEvent[] {
    const core = this.#open;
    const before = core.eventCount();
    callWasm(() => core.stepUntil(core.end()));
    return core.events(before) as ScenarioEvent[];
  }

  /** Goes back before the last event. Returns whether it could. */
  stepBack(): boolean {
    return callWasm(() => this.#open.stepBack());
  }

  /** Goes to a time, after all its events; or to the first moment with that many events. */
  seek(to: { time: Duration } | { timeMs: number } | { event: number }): void {
    knownFields('to', to, new Set(['time', 'timeMs', 'event']));
    const core = this.#open;
    const { time, timeMs, event } = to as { time?: unknown; timeMs?: unknown; event?: unknown };
    if ([time, timeMs, event].filter((given) => given !== undefined).length !== 1) {
      throw new LocketArgumentError('to', 'expected either a time, a timeMs or an event');
    }
    if (event !== undefined) {
      const count = safeInteger('to.event', event, 0, UINT32_MAX);
      callWasm(() => core.seekEvent(count));
    } else {
      const ms = time === undefined ? wholeMs('to.timeMs', timeMs) : lengthMs('to.time', time);
      callWasm(() => core.seekTime(ms));
    }
  }

  /**
   * Continues to a time, after all its events; or until a condition holds, which is checked after
   * every event up to the scenario's end. Returns whether it got there.
   */
  runUntil(until: Duration | ((simulation: Simulation) => boolean)): boolean {
    const core = this.#open;
    if (typeof until === 'function') {
      const holds = (): boolean => booleanAnswer('until', until(this));
      while (!holds()) if (this.step().length === 0) return holds();
      return true;
    }
    const ms = lengthMs('until', until);
    if (ms < core.now()) return false;
    callWasm(() => core.seekTime(ms));
    return true;
  }

  /**
   * True if everything that happens to this branch has had its effect by now. Then each lock has
   * one owner, who knows it and has renewed it since, or a TTL and two attempts have passed.
   */
  get hasSettled(): boolean {
    return this.#open.hasSettled();
  }

  /**
   * Goes to the end of the branch, and on until it {@link Simulation.hasSettled | has settled}.
   * Returns whether it has: a lock that expires before each renewal never settles.
   */
  settle(): boolean {
    return callWasm(() => this.#open.settle());
  }

  /** The current branch, from 0. */
  get currentBranch(): number {
    return this.#open.branch();
  }

  /** All branches. */
  branches(): SimulationBranch[] {
    return JSON.parse(this.#open.branches()) as SimulationBranch[];
  }

  /** Starts a branch here and switches to it. Returns its number. */
  branch(): number {
    return callWasm(() => this.#open.startBranch());
  }

  /** Switches to a branch, at its last moment. */
  switchTo(branch: number): void {
    const number = safeInteger('branch', branch, 0, UINT32_MAX);
    callWasm(() => this.#open.switchTo(number));
  }

  /** The current place. */
  snapshot(): SimulationPlace {
    const core = this.#open;
    return { branch: core.branch(), timeMs: core.now(), count: core.count() };
  }

  /** Returns to a place. */
  restore(place: SimulationPlace): void {
    knownFields('place', place, new Set(['branch', 'timeMs', 'count']));
    const branch = safeInteger('place.branch', place.branch, 0, UINT32_MAX);
    const timeMs = safeInteger('place.timeMs', place.timeMs, 0);
    const count = safeInteger('place.count', place.count, 0, UINT32_MAX);
    callWasm(() => this.#open.restore(branch, timeMs, count));
  }

  /** Performs an action now: any action of a scenario. In the past, it starts a branch. */
  act(action: ScenarioAct): void {
    const json = scenarioText(action, 'action');
    callWasm(() => this.#open.act(json));
  }

  /** The actions that were done with {@link Simulation.act} in this branch, up to this moment; also those of a link. */
  acts(): SimulationAct[] {
    return actsIn(this.#open.link()).map(({ at, count, act }) => {
      // Its own time is none: it was done there and then.
      const { at: _, ...action } = act;
      return { timeMs: durationMs(at), count, action };
    });
  }

  /** The state now: nodes and their beliefs, the table, future events. */
  state(): SimulationState {
    return JSON.parse(this.#open.state()) as SimulationState;
  }

  /**
   * This branch over its whole time, including the future; the simulation stays at its moment.
   *
   * @param options `{ until: 'now' }` for this branch up to that moment
   */
  timeline(options: { until?: 'end' | 'now' } = {}): SimulationTimeline {
    knownFields('options', options, TIMELINE_OPTIONS);
    const { until = 'end' } = options;
    if (until !== 'end' && until !== 'now') throw new LocketArgumentError('options.until', "expected 'end' or 'now'");
    const { events, json } = callWasm(() => this.#open.timeline(until === 'now') as { events: ScenarioEvent[]; json: string });
    return { ...(JSON.parse(json) as Omit<SimulationTimeline, 'events'>), events };
  }

  /** The events so far, from an index on if given. */
  trace(from = 0): ScenarioEvent[] {
    return this.#open.events(safeInteger('from', from, 0, UINT32_MAX)) as ScenarioEvent[];
  }

  /** The digest of the events so far: at the end, the scenario's digest. */
  digest(): string {
    return this.#open.digest();
  }

  /** The expectations that would fail if the scenario ended now, each a sentence. */
  failures(): string[] {
    return this.#open.failures();
  }

  /**
   * This branch up to this moment as a short text for a link: the scenario, its actions, and the
   * moment. With `stories`, a scenario that is one of them, or a change of one, takes 100 to 300
   * characters.
   */
  link(options: LinkOptions = {}): string {
    const { stories } = checkedOptions(options, LINK_OPTIONS);
    const core = this.#open;
    return shorten(core.link(), core.name(), stories);
  }

  /**
   * The events so far, in a format of other tools.
   *
   * @example
   * ```ts
   * using sim = new Simulation(scenario);
   * sim.seek({ timeMs: sim.endMs });
   * writeFileSync('run.mmd', sim.export('mermaid')); // a sequence diagram
   * ```
   */
  export(format: TraceFormat): string {
    const core = this.#open;
    return callWasm(() => core.export(text('format', format)));
  }

  /** Frees its memory. */
  close(): void {
    this.#owned.free();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  get #open(): WasmSimulation {
    return this.#owned.core;
  }

}

const UINT32_MAX = 2 ** 32 - 1;
const TIMELINE_OPTIONS = new Set(['until']);

/** Simulations that {@link Simulation.fromLink} passes to the constructor. */
const madeFromLink = new WeakMap<object, WasmSimulation>();
