// The limit of a run's steps.

import { safeInteger } from '../base/checks.js';
import { STEPS_DEFAULT } from '../base/constants.js';

/** The option of everything that runs scenarios. */
export interface StepsOption {
  /**
   * The most steps of a run, 20,000,000 by default, which takes some seconds; more throw a
   * {@link StepLimitError}. A step is one event, such as the arrival of a message, a timer or a
   * poll.
   */
  maxSteps?: number;
}

/** The steps that a run may take. */
export function checkSteps({ maxSteps = STEPS_DEFAULT }: StepsOption): number {
  return safeInteger('maxSteps', maxSteps, 1);
}
