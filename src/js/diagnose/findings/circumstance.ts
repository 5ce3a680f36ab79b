// A fact about Locket, its database or the network that may explain findings near it.

import type { ErrorKind } from '../errors/row.js';
import type { Instant } from '../instant.js';
import type { FindingKind } from '../model.js';
import { type Cause, type Found, lesser } from './finding.js';

/** A circumstance, and its description as a cause. */
export interface Circumstance extends Found {
  because: Cause;
}

/** Errors that the end of a Locket process brings to its callers. */
export const ENDS_BRING: ReadonlySet<ErrorKind> = new Set<ErrorKind>(['connection-refused', 'connection-closed', 'no-connection', 'call-reset']);

/** How far a circumstance reaches: its effect may show up to one lease later. */
const REACH_MS = 20_000;
const OF_TIMEOUT: FindingKind[] = ['database-slow', 'locket-frozen', 'slow-replies', 'locket-crash', 'locket-restart', 'slow-requests', 'database-outage'];
const OF_CONNECTION: FindingKind[] = ['locket-crash', 'locket-restart', 'database-outage'];

/** What explains an error that says only that there was no answer, or no connection. */
export function explanationOf(error: ErrorKind, circumstances: readonly Circumstance[], at: Instant): Cause | undefined {
  if (error === 'timeout') return near(OF_TIMEOUT, circumstances, at);
  return ENDS_BRING.has(error) ? near(OF_CONNECTION, circumstances, at) : undefined;
}

/** The cause that a circumstance of these kinds gives at a moment, the first kind first. */
export function near(kinds: readonly FindingKind[], circumstances: readonly Circumstance[], at: Instant): Cause | undefined {
  const those = circumstances.filter(({ kind, from, to, isOpen }) => {
    return kinds.includes(kind) && at.ms >= from.ms - REACH_MS && (isOpen === true || at.ms <= to.ms + REACH_MS);
  });
  const [first] = those.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  // That two things were near each other does not prove that one caused the other.
  return first && { ...first.because, certainty: lesser(lesser(first.because.certainty, first.certainty), 'likely') };
}
