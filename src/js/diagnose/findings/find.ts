// All findings of a case, the worst first.

import type { Case } from '../case.js';
import type { Finding, FindingKind, Severity } from '../model.js';
import { Causes } from './causes.js';
import { circumstancesOf } from './circumstances.js';
import { clockFindings } from './clock-skew.js';
import { endingFindings } from './endings.js';
import { CERTAINTIES, finding } from './finding.js';
import { ownershipFindings } from './ownership.js';
import { rowFindings } from './row-owners.js';

/** Looks for everything. */
export function findingsOf(whole: Case): Finding[] {
  const circumstances = circumstancesOf(whole);
  const ofKeys = whole.keys.flatMap((own) => {
    const causes = new Causes(own, circumstances, whole);
    return [...ownershipFindings(own, whole, causes), ...rowFindings(own, whole, causes), ...endingFindings(own, causes)];
  });
  return [...ofKeys, ...circumstances.map(({ because: _, ...found }) => finding(found)), ...clockFindings(whole)];
}

const SEVERITIES: Severity[] = ['incident', 'warning', 'note'];
/** Within a severity: what can have done harm, what kept a lock from working, and what led to it. */
const KINDS: FindingKind[] = [
  ...(['two-owners', 'same-owner-name', 'row-deleted', 'table-dropped', 'flapping-presence', 'nobody-holding', 'unaware-owner', 'holder-without-row'] as const),
  ...(['lost-by-collision', 'lost-by-timeout', 'lost-by-error', 'expired', 'restart-loop', 'process-exited', 'refused-settings', 'port-in-use'] as const),
  ...(['database-outage', 'database-slow', 'database-error', 'locket-crash', 'locket-frozen', 'slow-replies', 'slow-requests', 'locket-unreachable', 'calls-failed', 'clock-skew', 'no-row'] as const),
  ...(['logs-incomplete', 'locket-restart', 'hand-over', 'quick-restart'] as const),
];

/** The order of a report. */
export function byRank(a: Finding, b: Finding): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    // Findings that the logs only do not exclude come last.
    Number(a.certainty === 'possible') - Number(b.certainty === 'possible') ||
    KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
    CERTAINTIES.indexOf(a.certainty) - CERTAINTIES.indexOf(b.certainty) ||
    b.toMs - b.fromMs - (a.toMs - a.fromMs) ||
    a.fromMs - b.fromMs
  );
}
