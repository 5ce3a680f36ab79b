// The checker of the stage: one for its answers and for the visitor's turn, so that they share their Workers.

import { Checker } from '../core/checker.js';

/** More states than this are too many for a visitor to wait for. */
export const STATES_MAX = 1_000_000;
export const checker: Checker = new Checker();
