// The safety margin of a run, moment by moment, in slices or step by step.

import { WasmSafetyMargin } from '#checker';

import { LocketArgumentError } from '../base/errors.js';
import { moduleReady } from '../base/init.js';
import { checkChoice, knownFields, text } from '../base/checks.js';
import { type Duration, lengthMs } from '../base/duration.js';
import { Owned } from '../base/owned.js';
import { checkWaiting } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';
import { Simulation } from '../node.js';
import { lengthen } from '../simulation/link.js';
import { scenarioText } from '../simulation/scenario-text.js';
import type { Scenario } from '../simulation/scenario-value.js';
import { checkSteps, type StepsOption } from '../simulation/steps.js';
import { ByHand, doneInSlices } from './by-hand.js';
import { MARGIN_FAULTS, type SafetyMargin, type SafetyMarginFault } from './run-value.js';

/** Options of {@link SafetyMarginSearch}. */
export interface SafetyMarginSearchOptions extends StepsOption {
  /** The fault of a node; `pause` by default. */
  fault?: SafetyMarginFault;
  /** The client or Locket process that has the fault; each of them by default. */
  node?: string;
  /**
   * The longest pause to try; 30 s by default, at most an hour. Safe moments are safe up to this
   * length.
   */
  maxPause?: Duration;
  /** The step of the pause's length; 1 s by default. */
  pauseStep?: Duration;
  /** The time between two moments; 1 s by default. */
  step?: Duration;
}

/** The progress of a search. */
export interface SafetyMarginProgress {
  /** The number of finished moments. */
  moments: number;
  /** The number of all moments. */
  total: number;
}

/** Options of {@link safetyMargin}. */
export interface SafetyMarginOptions extends SafetyMarginSearchOptions {
  /** Aborts the work; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called some hundred times a second with the progress. */
  onProgress?: (progress: SafetyMarginProgress) => void;
}

/**
 * Finds, for each moment of a run, the shortest pause of one node that leads to two owners, and the
 * point of no return. In a run of presences without rivals, the harm is a presence that is missing.
 *
 * From each moment, a copy of the run continues. In it faults in force go on, and no planned fault
 * follows; clients start, stop and call as planned. It does not try other faults, slow messages, or
 * other orders of events at one instant. The event loop stays responsive.
 *
 * @param of a scenario's JSON text, a scenario's value, or a simulation, whose current branch is
 * used
 *
 * @example
 * ```ts
 * const { moments, pointOfNoReturnMs } = await safetyMargin(scenario, { maxPause: '20s' });
 * const nearest = moments.filter(({ smallestMs }) => smallestMs !== null);
 * ```
 *
 * @throws `LocketArgumentError` if no two runners of the scenario want the same key and none keeps
 * a presence, or if an option is invalid
 */
export async function safetyMargin(
  of: Scenario | Simulation | string,
  options: SafetyMarginOptions = {},
): Promise<SafetyMargin> {
  await moduleReady();
  knownFields('options', options, ALL_OPTIONS);
  const { signal, onProgress, ...rest } = options;
  checkWaiting(options);
  return doneInSlices(new SafetyMarginSearch(of, rest), { signal, onProgress }, 1, (search) => search.margin());
}

/**
 * A search for a safety margin that you run step by step, for example in a Worker.
 *
 * @example
 * ```ts
 * using search = new SafetyMarginSearch(scenario);
 * while (!search.run(10_000)) postMessage(search.progress);
 * postMessage(search.margin());
 * ```
 */
export class SafetyMarginSearch extends ByHand {
  readonly #owned: Owned<WasmSafetyMargin>;

  constructor(of: Scenario | Simulation | string, options: SafetyMarginSearchOptions = {}) {
    knownFields('options', options, OPTIONS);
    const { fault = 'pause' } = options;
    checkChoice('fault', fault, MARGIN_FAULTS);
    const maxSteps = checkSteps(options);
    const longest = lengthMs('maxPause', options.maxPause ?? '30s');
    const grain = options.pauseStep === undefined ? Math.min(SECOND_MS, Math.max(longest, 1)) : lengthMs('pauseStep', options.pauseStep);
    const step = lengthMs('step', options.step ?? '1s');
    const node = options.node === undefined ? undefined : text('node', options.node);
    const isRun = of instanceof Simulation;
    const run = isRun ? lengthen(of.link(), {}) : scenarioText(of);
    const owned = new Owned('search', namingOptions(() => new WasmSafetyMargin(run, isRun, maxSteps, fault, longest, grain, step, node)));
    super(owned);
    this.#owned = owned;
  }

  override get progress(): SafetyMarginProgress {
    const { core } = this.#owned;
    return { moments: core.known(), total: core.total() };
  }

  /** The result so far. */
  margin(): SafetyMargin {
    const { core } = this.#owned;
    const { json, text } = callWasm(() => core.profile() as { json: string; text: string });
    return { ...(JSON.parse(json) as Omit<SafetyMargin, 'text'>), text };
  }
}

const SECOND_MS = 1000;
const OPTIONS = new Set(['fault', 'maxPause', 'maxSteps', 'node', 'pauseStep', 'step']);
const ALL_OPTIONS = new Set([...OPTIONS, 'signal', 'onProgress']);

/** Renames fields in errors to the users' names. */
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
