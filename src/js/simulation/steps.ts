// The limit of a run's steps.

import { STEPS_DEFAULT } from '../base/constants.js';
import { whole } from '../base/options.js';

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
export const STEPS = { maxSteps: whole(1, Number.MAX_SAFE_INTEGER, STEPS_DEFAULT) };
