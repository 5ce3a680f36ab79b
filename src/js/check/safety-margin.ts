// The safety margin of a run, moment by moment.

import { safetyMargin as moduleMargin } from '#checker';

import { LocketArgumentError } from '../base/errors.js';
import { text } from '../base/checks.js';
import { type Duration, lengthMs } from '../base/duration.js';
import { lengthOf, oneOf, optional } from '../base/options.js';
import { callWasm } from '../base/wasm.js';
import { Simulation } from '../node.js';
import { lengthen } from '../simulation/link.js';
import { scenarioText } from '../simulation/scenario-text.js';
import type { Scenario } from '../simulation/scenario-value.js';
import { STEPS, type StepsOption } from '../simulation/steps.js';
import { begun, worked } from './long-work.js';
import { MARGIN_FAULTS, type SafetyMargin, type SafetyMarginFault } from './run-value.js';

/** Options of {@link safetyMargin}. */
export interface SafetyMarginOptions extends StepsOption {
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
  /** Aborts the work; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called some hundred times a second with the progress. */
  onProgress?: (progress: SafetyMarginProgress) => void;
}

/** The progress of a search. */
export interface SafetyMarginProgress {
  /** The number of finished moments. */
  moments: number;
  /** The number of all moments. */
  total: number;
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
  const { fault, node, maxPause, pauseStep, step, maxSteps, ...waiting } = await begun(options, OPTIONS);
  const grain = pauseStep ?? Math.min(SECOND_MS, Math.max(maxPause, 1));
  const isRun = of instanceof Simulation;
  const run = isRun ? lengthen(of.link(), {}) : scenarioText(of);
  const work = namingOptions(() => moduleMargin(run, isRun, maxSteps, fault, maxPause, grain, step, node));
  const [margin, table] = await worked<[Omit<SafetyMargin, 'text'>, string]>(work, waiting);
  return { ...margin, text: table };
}

const SECOND_MS = 1000;
const FAULTS = ['pause', ...MARGIN_FAULTS.filter((fault) => fault !== 'pause')] as const;
const OPTIONS = { fault: oneOf(...FAULTS), ...STEPS, maxPause: lengthOf('30s'), pauseStep: optional(lengthMs), step: lengthOf('1s'), node: optional(text) };

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
