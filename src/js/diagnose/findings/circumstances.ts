// Circumstances of incidents: Locket's processes, its database, the network. Each kind has a file.

import type { Case } from '../case.js';
import type { Circumstance } from './circumstance.js';
import { databaseFaults } from './database.js';
import { exits } from './exits.js';
import { failedCalls } from './failed-calls.js';
import { lockets } from './locket-processes.js';
import { singleLines } from './single-lines.js';
import { unanswered } from './unanswered.js';
import { unreachable } from './unreachable.js';

/** All of them. */
export function circumstancesOf(whole: Case): Circumstance[] {
  const known = [lockets, databaseFaults, unanswered, unreachable, failedCalls, singleLines].flatMap((of) => of(whole));
  return [...known, ...exits(whole, known)];
}
