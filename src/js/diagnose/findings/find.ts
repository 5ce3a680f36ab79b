// All findings of a case.

import type { Case } from '../case.js';
import { Causes } from './causes.js';
import { clockFindings } from './clock-skew.js';
import { endingFindings } from './endings.js';
import { exits } from './exits.js';
import { failedCalls } from './failed-calls.js';
import type { Found } from './finding.js';
import { lockets } from './locket-processes.js';
import { nobodyHolding, twoOwners } from './ownership.js';
import { holdersWithoutRow, noRow, unawareOwners } from './row-owners.js';
import { unanswered } from './unanswered.js';

/** Looks for everything. */
export function findingsOf(whole: Case): Found[] {
  const downtimes = lockets(whole);
  const known = [...downtimes, ...unanswered(whole), ...failedCalls(whole, downtimes)];
  const circumstances = [...known, ...exits(whole, known)];
  const ofKeys = whole.keys.flatMap((own) => {
    const causes = new Causes(own, circumstances, whole);
    return [...twoOwners(own, causes), ...nobodyHolding(own, whole, causes), ...noRow(own, whole, causes), ...holdersWithoutRow(own, causes), ...unawareOwners(own), ...endingFindings(own, causes)];
  });
  return [...ofKeys, ...circumstances, ...clockFindings(whole)];
}
