// How near a run is to two owners, moment by moment, in slices or by hand.

import { WasmSafetyMargin } from '#checker';

import { LocketArgumentError } from '../base/errors.js';
import { moduleReady } from '../base/init.js';
import { checkChoice, knownFields, safeInteger } from '../base/checks.js';
import { type Duration, lengthMs } from '../base/duration.js';
import { Owned } from '../base/owned.js';
import { checkWaiting, inSlices } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';
import { Simulation } from '../node.js';
import { lengthen } from '../simulation/link.js';
import { scenarioText } from '../simulation/scenario-text.js';
import type { Scenario } from '../simulation/scenario-value.js';
import { checkSteps, type StepsOption } from '../simulation/steps.js';

/** What befalls a node: it stands still, with its clock or without, or it is cut off from all others. */
export type SafetyMarginFault = 'cut' | 'pause' | 'suspend';

/** How near a moment is to two owners. */
export interface SafetyMarginMoment {
  /** The moment, right before what happens at it. */
  atMs: number;
  /**
   * The shortest pause from this moment on with which two act at once. 0 says that it needs none: they do so now, or will
   * although nothing more goes wrong. `null` says that not even the longest suffices.
   */
  smallestMs: number | null;
  /** The client or Locket process whose pause it is; `null` where none is needed or none suffices. */
  node: string | null;
}

/** How near a run is to two owners. */
export interface SafetyMargin {
  moments: SafetyMarginMoment[];
  /**
   * The first moment, to the millisecond, from which on two owners come about although whatever is wrong ends at once and
   * nothing more goes wrong; `null` if there is none.
   */
  pointOfNoReturnMs: number | null;
  /** When two clients first act at once in the run itself; `null` if they never do. */
  twoOwnersMs: number | null;
  /** A bar for each moment and what matters most in words, for people. */
  text: string;
}

/** Options of {@link SafetyMarginSearch}. */
export interface SafetyMarginSearchOptions extends StepsOption {
  /** What befalls a node; `pause` by default. */
  fault?: SafetyMarginFault;
  /** For how long at most; 30 s by default, an hour at most. What is safe is safe up to that. */
  maxPause?: Duration;
  /** By how much the length of the pause is raised until two act; 1 s by default. */
  pauseStep?: Duration;
  /** How far the moments are apart; 1 s by default. */
  step?: Duration;
}

/** How far a search for it is. */
export interface SafetyMarginProgress {
  /** How many moments are known. */
  moments: number;
  /** Of how many. */
  total: number;
}

/** Options of {@link safetyMargin}. */
export interface SafetyMarginOptions extends SafetyMarginSearchOptions {
  /** Ends the work; the promise is rejected with its reason. */
  signal?: AbortSignal;
  /** Called some hundred times a second with how far the profile is. */
  onProgress?: (progress: SafetyMarginProgress) => void;
}

/**
 * For each moment of a run the shortest pause of one node with which two owners act at once, and the point of no return.
 *
 * At each moment the run goes on from a copy, in which all that is wrong ends, and of the faults that the scenario plans
 * none follows; clients start, stop and call as planned. What is not tried: that anything else goes wrong, that messages
 * which are sent from then on are slow, and other orders of things at one instant. The event loop goes on meanwhile.
 *
 * @param of a scenario's JSON text, the same as a value, or a simulation, of which the branch that it is in is meant
 *
 * @example
 * ```ts
 * const { moments, pointOfNoReturnMs } = await safetyMargin(scenario, { maxPause: '20s' });
 * const nearest = moments.filter(({ smallestMs }) => smallestMs !== null);
 * ```
 *
 * @throws `LocketArgumentError` if no two runners of the scenario want the same key, or an option makes no sense
 */
export async function safetyMargin(
  of: Scenario | Simulation | string,
  options: SafetyMarginOptions = {},
): Promise<SafetyMargin> {
  await moduleReady();
  knownFields('options', options, PROFILE_OPTIONS);
  const { signal, onProgress, ...rest } = options;
  checkWaiting(options);
  const search = new SafetyMarginSearch(of, rest);
  try {
    await inSlices((budget) => search.run(budget), { signal, onSlice: () => onProgress?.(search.progress) });
    return search.profile();
  } finally {
    search.close();
  }
}

/**
 * A safety margin that is found by hand: for a Worker, or wherever {@link safetyMargin} does not fit.
 *
 * @example
 * ```ts
 * using search = new SafetyMarginSearch(scenario);
 * while (!search.run(10_000)) postMessage(search.progress);
 * postMessage(search.profile());
 * ```
 */
export class SafetyMarginSearch {
  readonly #owned: Owned<WasmSafetyMargin>;

  constructor(of: Scenario | Simulation | string, options: SafetyMarginSearchOptions = {}) {
    knownFields('options', options, OPTIONS);
    const { fault = 'pause' } = options;
    checkChoice('fault', fault, FAULTS);
    const maxSteps = checkSteps(options);
    const longest = lengthMs('maxPause', options.maxPause ?? '30s');
    const grain = options.pauseStep === undefined ? Math.min(SECOND_MS, Math.max(longest, 1)) : lengthMs('pauseStep', options.pauseStep);
    const step = lengthMs('step', options.step ?? '1s');
    const isRun = of instanceof Simulation;
    const text = isRun ? lengthen(of.link(), {}) : scenarioText(of);
    const core = namingOptions(() => new WasmSafetyMargin(text, isRun, maxSteps, fault, longest, grain, step));
    this.#owned = new Owned('search', core);
  }

  /** Does about `budget` things more, such as that a message arrives. Whether the profile is done. */
  run(budget: number): boolean {
    const things = safeInteger('budget', budget, 1, BUDGET_MAX);
    const { core } = this.#owned;
    return callWasm(() => core.run(things));
  }

  /** How far it is. */
  get progress(): SafetyMarginProgress {
    const { core } = this.#owned;
    return { moments: core.known(), total: core.total() };
  }

  /** What is known so far. */
  profile(): SafetyMargin {
    const { core } = this.#owned;
    const { json, text } = callWasm(() => core.profile() as { json: string; text: string });
    const { moments, pointOfNoReturn, twoOwnersAt } = JSON.parse(json) as ProfileJson;
    return {
      moments: moments.map(({ at, smallest, node }) => ({ atMs: at, smallestMs: smallest, node })),
      pointOfNoReturnMs: pointOfNoReturn,
      twoOwnersMs: twoOwnersAt,
      text,
    };
  }

  /** Gives its memory back. Doing so twice is fine. */
  close(): void {
    this.#owned.free();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

const FAULTS: SafetyMarginFault[] = ['cut', 'pause', 'suspend'];
const SECOND_MS = 1000;
const BUDGET_MAX = 2 ** 32 - 1;
const OPTIONS = new Set(['fault', 'maxPause', 'maxSteps', 'pauseStep', 'step']);
const PROFILE_OPTIONS = new Set([...OPTIONS, 'signal', 'onProgress']);

interface ProfileJson {
  moments: { at: number; smallest: number | null; node: string | null }[];
  pointOfNoReturn: number | null;
  twoOwnersAt: number | null;
}

/** Mistakes get the names that users know. */
function namingOptions<T>(call: () => T): T {
  try {
    return callWasm(call);
  } catch (error) {
    const name = error instanceof LocketArgumentError ? NAMES.get(error.field) : undefined;
    if (!(error instanceof LocketArgumentError) || name === undefined) throw error;
    throw new LocketArgumentError(name, error.message.slice(error.field.length + 2));
  }
}

const NAMES = new Map([
  ['longest', 'maxPause'],
  ['grain', 'pauseStep'],
]);
