// All findings of a case.

import type { Case } from '../case.js';
import { Causes } from './causes.js';
import { circumstancesOf } from './circumstances.js';
import { clockFindings } from './clock-skew.js';
import { endingFindings } from './endings.js';
import type { Found } from './finding.js';
import { ownershipFindings } from './ownership.js';
import { rowFindings } from './row-owners.js';

/** Looks for everything. */
export function findingsOf(whole: Case): Found[] {
  const circumstances = circumstancesOf(whole);
  const ofKeys = whole.keys.flatMap((own) => {
    const causes = new Causes(own, circumstances, whole);
    return [...ownershipFindings(own, whole, causes), ...rowFindings(own, whole, causes), ...endingFindings(own, causes)];
  });
  return [...ofKeys, ...circumstances, ...clockFindings(whole)];
}
