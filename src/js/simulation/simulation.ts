// A scenario that is run step by step, forwards and backwards, with user code taking part.

import { WasmSimulation } from '#glue';

import { LocketArgumentError } from '../base/errors.js';
import { checkSignal, knownFields, safeInteger, text, wholeMs } from '../base/checks.js';
import { type Duration, durationMs, lengthMs } from '../base/duration.js';
import { Owned } from '../base/owned.js';
import { pauses } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';
import type { CommonClientOptions } from '../client/call.js';
import { carriedOptions, LocketClient } from '../client/client.js';
import type { Row } from '../client/resource.js';
import { settle } from '../server/clock.js';
import { actsIn, lengthen, shorten, type Stories } from './link.js';
import type { ScenarioEvent } from './scenario.js';
import { scenarioText } from './scenario-text.js';
import type { Scenario, ScenarioAct } from './scenario-value.js';
import { SimulationCarrier, Waiters } from './simulation-client.js';
import { checkSteps, type StepsOption } from './steps.js';
import { readTimeline, type SimulationTimeline } from './timeline.js';
import type { TraceFormat } from './trace-format.js';

/** How a node is at a moment. */
export interface SimulationNode {
  name: string;
  kind: 'database' | 'joint' | 'lock' | 'locket' | 'presence';
  status: 'down' | 'paused' | 'running';
  /** How many messages wait for it, while it is paused. */
  waiting: number;
  /** What its own clock shows. */
  localTimeMs: number;
  /** The key that a client wants; of a joint lock the first. */
  key: string | null;
  /** All keys that a client wants together, in the order in which it takes them; empty for others than clients. */
  keys: string[];
  /** The owner that a client presents. */
  owner: string | null;
  /** What a client waits for, in words. */
  asks: string | null;
  /** The Locket process that a client is connected to. */
  connectedTo: string | null;
  /** Whether a client acts as the owner of its key, a joint lock as that of all its keys, whatever the table says. */
  believes: boolean;
  /** When that ends if nothing happens; `null` if never. */
  beliefEndsMs: number | null;
  /** The lease that a client asks for. */
  ttlMs: number | null;
  /** How long a client's runner waits between attempts. */
  retryIntervalMs: number | null;
}

/** Something that will happen unless something else happens before. */
export interface SimulationPending {
  timeMs: number;
  /** Where. */
  who: string;
  kind: 'answer' | 'message' | 'stall-ends' | 'timer' | 'wakes';
  /** Who sent a message or an answer. */
  from: string | null;
  /** What a call on its way asks, in words. */
  asks: string | null;
}

/** How everything is at a moment. */
export interface SimulationState {
  timeMs: number;
  nodes: SimulationNode[];
  /** The truth: the rows of the `locks` table. */
  rows: Row[];
  /** When each row goes by itself if nobody renews it; `null` if no process that runs has a timer for it. */
  leases: { path: string; endsMs: number | null }[];
  /** What is to come, in its order. */
  pending: SimulationPending[];
}

/** A place in a simulation; going there restores what was. */
export interface SimulationPlace {
  branch: number;
  timeMs: number;
  /** How many things had been done at that very time. */
  count: number;
}

/** A branch: what was done from outside, in one line of events. */
export interface SimulationBranch {
  /** Where it left which other branch; `null` for the first. */
  from: SimulationPlace | null;
  /** How far it was gone. */
  reachedMs: number;
  /** How many things were done in it from outside. */
  acts: number;
}

/** An action that was done from outside; see {@link Simulation.acts}. */
export interface SimulationAct {
  timeMs: number;
  /** How many things had been done at that very time. */
  count: number;
  action: ScenarioAct;
}

/** Options of {@link Simulation.client}. */
export type SimulationClientOptions = CommonClientOptions;

/** Options of {@link Simulation}. */
export type SimulationOptions = StepsOption;

/** Options of {@link Simulation.fromLink}. */
export type FromLinkOptions = LinkOptions & SimulationOptions;

/** Options of {@link Simulation.runUntilAsync}. */
export interface RunUntilAsyncOptions {
  /** Ends it where it is; the promise is rejected with its reason. */
  signal?: AbortSignal;
}

/** Options of {@link Simulation.link}. */
export interface LinkOptions {
  /** Texts of scenarios by name that whoever opens the link has, too: those of `locket-wasm/stories`, for instance. */
  stories?: Stories;
}

const SIMULATION_OPTIONS = new Set(['maxSteps']);
const LINK_OPTIONS = new Set(['stories']);
const FROM_LINK_OPTIONS = new Set([...LINK_OPTIONS, ...SIMULATION_OPTIONS]);

function storiesOf(options: LinkOptions): Stories {
  const stories: unknown = options.stories ?? {};
  if (typeof stories !== 'object' || stories === null || Object.values(stories).some((story) => typeof story !== 'string')) {
    throw new LocketArgumentError('options.stories', 'expected texts of scenarios by name');
  }
  return stories as Stories;
}

const CLIENT_OPTIONS = new Set(['timeout', 'headers', 'interceptors']);

let openCore: (simulation: Simulation) => object;

/** What a simulation is in the module, for questions about it; a public type may not name its class. */
export function coreOf(simulation: Simulation): object {
  return openCore(simulation);
}

/**
 * A scenario that is run step by step. Go on, go back, and act at any moment: acting in the past starts a branch, and
 * what was there stays. It goes as far as `maxSteps` lead; what would take more throws a {@link StepLimitError}, and the
 * simulation stays where it is.
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
  readonly #waiters = new Waiters();

  static {
    openCore = (simulation) => simulation.#open;
  }

  /**
   * At the start of a scenario.
   *
   * @param scenario its JSON text, or the same as a value
   * @throws {@link ScenarioError} with line and column for the first mistake
   */
  constructor(scenario: string | Scenario, options: SimulationOptions = {}) {
    knownFields('options', options, SIMULATION_OPTIONS);
    const maxSteps = checkSteps(options);
    const made = madeFromLink.get(scenario as object);
    this.#owned = new Owned('simulation', made ?? callWasm(() => new WasmSimulation(scenarioText(scenario), maxSteps)));
  }

  /**
   * Where a {@link Simulation.link | link} points. One that was made with `stories` is opened with them.
   *
   * @throws {@link LocketArgumentError} if it is none, or was made by a version that this one does not read
   * @throws {@link StepLimitError} if more steps lead there than it may take
   */
  static fromLink(link: string, options: FromLinkOptions = {}): Simulation {
    knownFields('options', options, FROM_LINK_OPTIONS);
    const maxSteps = checkSteps(options);
    const long = lengthen(text('link', link), storiesOf(options));
    const core = callWasm(() => WasmSimulation.fromLink(long, maxSteps));
    const key = {};
    madeFromLink.set(key, core);
    return new Simulation(key as Scenario);
  }

  /** The scenario's name. */
  get name(): string {
    return this.#open.name();
  }

  /** The scenario's text, without the white space. */
  get scenario(): string {
    return this.#open.source();
  }

  /** The time, in milliseconds from the start. */
  get nowMs(): number {
    return this.#open.now();
  }

  /** When the scenario ends. Time can go on after that, steps cannot. */
  get endMs(): number {
    return this.#open.end();
  }

  /** How many events there have been. */
  get eventCount(): number {
    return this.#open.eventCount();
  }

  /** Whether what the link says that it was made from is what is told here: rules may have changed since. */
  get isFaithful(): boolean {
    return this.#open.isFaithful();
  }

  /** Goes on until something has happened. What it was; empty at the end. */
  step(): ScenarioEvent[] {
    const core = this.#open;
    const before = core.eventCount();
    callWasm(() => core.stepUntil(core.end()));
    this.#moved();
    return core.events(before) as ScenarioEvent[];
  }

  /** Goes back to before what happened last. Says whether it could. */
  stepBack(): boolean {
    const core = this.#open;
    const went = callWasm(() => core.stepBack());
    this.#moved();
    return went;
  }

  /** Goes to a time, after everything that happens at it; or to the first moment with that many events. */
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
    this.#moved();
  }

  /**
   * Goes on to a time, after everything that happens at it; or until a condition holds, which is looked at after every
   * event up to the scenario's end. Says whether it got there.
   */
  runUntil(until: Duration | ((simulation: Simulation) => boolean)): boolean {
    const core = this.#open;
    if (typeof until === 'function') {
      while (!until(this)) if (this.step().length === 0) return until(this);
      return true;
    }
    const ms = lengthMs('until', until);
    if (ms < core.now()) return false;
    callWasm(() => core.seekTime(ms));
    this.#moved();
    return true;
  }

  /**
   * As {@link Simulation.runUntil}, and lets user code take its turn at the very moment at which its answer arrives or
   * its sleep ends: time does not go on while it can still do something. Everything else has its turn, too, however long
   * it takes. If it would take more steps than it may, it is as far as they led.
   */
  async runUntilAsync(
    until: Duration | ((simulation: Simulation) => boolean),
    options: RunUntilAsyncOptions = {},
  ): Promise<boolean> {
    knownFields('options', options, UNTIL_OPTIONS);
    checkSignal(options.signal);
    const holds = typeof until === 'function' ? () => until(this) : undefined;
    const ms = typeof until === 'function' ? this.endMs : lengthMs('until', until);
    callWasm(() => this.#open.checkTime(ms));
    await settle();
    const pause = pauses(options.signal);
    for (;;) {
      await pause();
      if (holds?.()) return true;
      const core = this.#open;
      const limit = Math.max(core.now(), Math.min(ms, this.#waiters.nextWake()));
      const happened = limit <= ms && callWasm(() => core.stepWithin(limit, STEPS_PER_SLICE));
      if (happened === undefined) continue;
      const turned = this.#waiters.settle(core);
      if (turned) await settle();
      else if (!happened && core.now() >= ms) return holds?.() ?? core.now() === ms;
    }
  }

  /** The branch that it is in, from 0. */
  get currentBranch(): number {
    return this.#open.branch();
  }

  /** All branches. */
  branches(): SimulationBranch[] {
    return JSON.parse(this.#open.branches()) as SimulationBranch[];
  }

  /** Starts a branch here, and goes on in it. Its number. */
  branch(): number {
    return this.#outside((core) => core.startBranch());
  }

  /** Goes to a branch, where it was looked at last. */
  switchTo(branch: number): void {
    const number = safeInteger('branch', branch, 0, UINT32_MAX);
    const core = this.#open;
    callWasm(() => core.switchTo(number));
    this.#waiters.switched(core);
    this.#moved();
  }

  /** Where it is. */
  snapshot(): SimulationPlace {
    const core = this.#open;
    return { branch: core.branch(), timeMs: core.now(), count: core.count() };
  }

  /** Goes to where it was. */
  restore(place: SimulationPlace): void {
    knownFields('place', place, new Set(['branch', 'timeMs', 'count']));
    const branch = safeInteger('place.branch', place.branch, 0, UINT32_MAX);
    const timeMs = safeInteger('place.timeMs', place.timeMs, 0);
    const count = safeInteger('place.count', place.count, 0, UINT32_MAX);
    const core = this.#open;
    callWasm(() => core.restore(branch, timeMs, count));
    this.#waiters.switched(core);
    this.#moved();
  }

  /** Does something now: whatever an action of a scenario can do. In the past, that starts a branch. */
  act(action: ScenarioAct): void {
    const json = scenarioText(action);
    this.#outside((core) => core.act(json));
    this.#moved();
  }

  /** The actions that were done with {@link Simulation.act} in this branch, up to this moment; also those of a link. */
  acts(): SimulationAct[] {
    return actsIn(this.#open.link()).flatMap(({ at, count, act }) => {
      if (act === undefined) return [];
      // Its own time is none: it was done there and then.
      const { at: _, ...action } = act;
      return [{ timeMs: durationMs(at), count, action }];
    });
  }

  /**
   * A client of the scenario that has no runner, for user code to call Locket over the simulated network. An answer
   * arrives when the simulation has gone on to it; {@link Simulation.runUntilAsync} lets user code react in time. One
   * call at a time.
   *
   * @example
   * ```ts
   * const me = sim.client('me', { timeout: '3s' });
   * const asked = me.lock({ key: 'bbs', owner: 'me', ttl: '15s' });
   * await sim.runUntilAsync('10s');
   * await asked;
   * ```
   */
  client(name: string, options: SimulationClientOptions = {}): LocketClient {
    knownFields('options', options, CLIENT_OPTIONS);
    const carrier = new SimulationCarrier(text('name', name), async (request, call) =>
      this.#waiters.call(this.#open, request, call, () => this.#moved()),
    );
    return new LocketClient(carriedOptions(carrier, options));
  }

  /** A promise that is fulfilled when the simulation has gone on for `duration`. */
  sleep(duration: Duration): Promise<void> {
    return this.#waiters.sleep(this.nowMs + lengthMs('duration', duration));
  }

  /** How everything is: nodes and what they believe, the table, what is to come. */
  state(): SimulationState {
    const core = this.#open;
    return { ...(JSON.parse(core.state()) as SimulationState), rows: core.table() as Row[] };
  }

  /** This branch over its whole time, also what is still to come; where the simulation is does not change. */
  timeline(): SimulationTimeline {
    return readTimeline(callWasm(() => this.#open.timeline()));
  }

  /** What has happened so far; from an event on, if it is given. */
  trace(from = 0): ScenarioEvent[] {
    return this.#open.events(safeInteger('from', from, 0, UINT32_MAX)) as ScenarioEvent[];
  }

  /** The digest of what has happened so far: at the end, the scenario's. */
  digest(): string {
    return this.#open.digest();
  }

  /** What the scenario expects and would not hold if it ended here, each a sentence. */
  failures(): string[] {
    return this.#open.failures();
  }

  /**
   * Where the simulated world could go two ways and did not go the usual one, up to this moment: which way it went, by
   * place. With these and without `random` a scenario tells the same run; each stands for itself, so that one can be taken
   * away and the others stay what they are.
   *
   * @example
   * ```ts
   * using sim = new Simulation({ ...scenario, random: true, seed: 42 });
   * sim.seek({ timeMs: sim.endMs });
   * const plain = { ...scenario, random: false, seed: 42, overrides: sim.overrides() }; // the same run, without chance
   * ```
   */
  overrides(): Record<string, number> {
    return JSON.parse(this.#open.overrides()) as Record<string, number>;
  }

  /**
   * This branch up to this moment as a text, short enough for a link: scenario, what was done, where it is. With `stories`,
   * a scenario that is one of them, or a change of one, takes 100 to 300 characters.
   */
  link(options: LinkOptions = {}): string {
    knownFields('options', options, LINK_OPTIONS);
    const stories = storiesOf(options);
    const core = this.#open;
    return shorten(core.link(), core.name(), stories);
  }

  /** What has happened so far, in a form that other tools read; see {@link exportTrace}. */
  export(format: TraceFormat): string {
    const core = this.#open;
    return callWasm(() => core.export(text('format', format)));
  }

  /** Gives its memory back. Calls under way fail. */
  close(): void {
    this.#waiters.close();
    this.#owned.free();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  get #open(): WasmSimulation {
    return this.#owned.core;
  }

  /** Does something that may start a branch. */
  #outside<T>(act: (core: WasmSimulation) => T): T {
    const core = this.#open;
    const at = [core.now(), core.count()] as const;
    const result = callWasm(() => act(core));
    this.#waiters.follow(core, at);
    return result;
  }

  #moved(): void {
    this.#waiters.settle(this.#open);
  }
}

const UINT32_MAX = 2 ** 32 - 1;
/** Some milliseconds. */
const STEPS_PER_SLICE = 16_384;
const UNTIL_OPTIONS = new Set(['signal']);

/** What {@link Simulation.fromLink} hands to the constructor. */
const madeFromLink = new WeakMap<object, WasmSimulation>();
