// How much a run may do.

import { safeInteger } from '../base/checks.js';

/** What takes steps. */
export interface StepsOption {
  /**
   * How many steps a run may take, 20,000,000 by default, which takes some seconds; {@link StepLimitError} says that it would
   * take more. A step is one thing that happens, such as that a message arrives, a timer fires or a process polls.
   */
  maxSteps?: number;
}

const STEPS_DEFAULT = 20_000_000;

/** The steps that a run may take. */
export function checkSteps({ maxSteps = STEPS_DEFAULT }: StepsOption): number {
  return safeInteger('maxSteps', maxSteps, 1);
}
