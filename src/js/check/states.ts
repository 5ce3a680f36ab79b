// The limit of a search's states. A search that reaches it has no verdict.

import { whole } from '../base/options.js';

/** The most states that fit in the four gigabytes of a module's memory. */
const STATES_MAX = 16_777_216;

/** How many states a search may have. */
export const states = (byDefault: number) => whole(1, STATES_MAX, byDefault);

/** The limit of each of the many searches that advice and maps make. */
export const STATES_EACH = { maxStates: states(1_000_000) };
