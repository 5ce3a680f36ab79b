// The limit of a search's states. A search that reaches it has no verdict.

import { safeInteger } from '../base/checks.js';

/** As many as a search reaches in the four gigabytes of a module's memory. */
const STATES_MAX = 16_777_216;

/** Of the one search of a question, of each of the many that advice and maps make, and of each about outages. */
const DEFAULTS = { one: 5_000_000, each: 1_000_000, 'of-outages': 500_000 };

/** How many states a search may have. */
export function checkStates(search: keyof typeof DEFAULTS, { maxStates = DEFAULTS[search] }: { maxStates?: number | undefined }): number {
  return safeInteger('maxStates', maxStates, 1, STATES_MAX);
}
