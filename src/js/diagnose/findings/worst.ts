// The worst findings of any number, in their order. The others are only counted: most of a long log never get their texts.

import type { Finding, FindingKind, Severity } from '../model.js';
import { CERTAINTIES, finding, type Found, timesOf } from './finding.js';

/** The most findings of a diagnosis. */
const FINDINGS_MAX = 500;

/** Takes findings one after another. */
export class WorstFindings {
  /** Of all that were taken. */
  count = 0;
  /** The worst first. */
  readonly kept: Finding[] = [];

  take(found: Found): void {
    this.count += 1;
    const { severity, certainty, kind } = found;
    const rank = { severity, certainty, kind, ...timesOf(found) };
    // Most of a long log are no worse than the last one.
    const place = this.kept.findLastIndex((kept) => byRank(kept, rank) <= 0) + 1;
    if (place === FINDINGS_MAX) return;
    this.kept.splice(place, 0, finding(found));
    if (this.kept.length > FINDINGS_MAX) this.kept.pop();
  }
}

const SEVERITIES: Severity[] = ['incident', 'warning', 'note'];
/** Within a severity: what can have done harm, what kept a lock from working, and what led to it. */
const KINDS: FindingKind[] = [
  ...(['two-owners', 'row-deleted', 'table-dropped', 'nobody-holding', 'unaware-owner', 'holder-without-row'] as const),
  ...(['lost-by-collision', 'lost-by-timeout', 'lost-by-error', 'expired', 'restart-loop', 'process-exited'] as const),
  ...(['database-outage', 'database-slow', 'database-error', 'locket-crash', 'locket-frozen', 'slow-replies', 'slow-requests', 'calls-failed', 'clock-skew', 'no-row'] as const),
  ...(['logs-incomplete', 'locket-restart'] as const),
];

/** The parts of a finding that decide its rank. */
type Ranked = Pick<Finding, 'certainty' | 'fromMs' | 'kind' | 'severity' | 'toMs'>;

/** The order of a report. */
function byRank(a: Ranked, b: Ranked): number {
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
