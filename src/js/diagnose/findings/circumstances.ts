// Circumstances of incidents: Locket's processes, its database, the network. Each kind has a file.

import type { Case } from '../case.js';
import type { Circumstance } from './circumstance.js';
import { exits } from './exits.js';
import { failedCalls } from './failed-calls.js';
import { lockets } from './locket-processes.js';
import { unanswered } from './unanswered.js';

/** All of them. */
export function circumstancesOf(whole: Case): Circumstance[] {
  const known = [lockets, unanswered, failedCalls].flatMap((of) => of(whole));
  return [...known, ...exits(whole, known)];
}
