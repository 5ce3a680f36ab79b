// A fact about Locket, its database or the network that may explain findings near it.

import { OPERATION_TIMEOUT_MS, POLL_INTERVAL_MS, TTL_DEFAULT_MS } from '../../base/constants.js';
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

/** How far a circumstance reaches: the row of an owner that it has stopped is deleted a TTL and a scan later. */
const REACH_MS = TTL_DEFAULT_MS + POLL_INTERVAL_MS;
const OF_TIMEOUT: FindingKind[] = ['database-slow', 'locket-frozen', 'slow-replies', 'locket-crash', 'locket-restart', 'slow-requests', 'database-outage'];
const OF_CONNECTION: FindingKind[] = ['locket-crash', 'locket-restart', 'database-outage'];

/** What explains an error that says only that there was no answer, or no connection, to a call that was under way from then to then. */
export function explanationOf(error: ErrorKind, circumstances: readonly Circumstance[], at: Instant, tookMs = 0): Cause | undefined {
  if (error === 'timeout') return near(OF_TIMEOUT, circumstances, at, tookMs);
  return ENDS_BRING.has(error) ? near(OF_CONNECTION, circumstances, at, tookMs) : undefined;
}

/**
 * The cause that a circumstance of these kinds gives to what ended at a moment: one that had begun before. Of several it is one that lasted
 * until the call was made, then the first kind, and then the one that began last.
 */
export function near(kinds: readonly FindingKind[], circumstances: readonly Circumstance[], at: Instant, tookMs = 0): Cause | undefined {
  const those = circumstances.filter(({ kind, from, to, isOpen }) => {
    return kinds.includes(kind) && (from.earliestMs ?? from.ms - REACH_MS) <= (at.latestMs ?? at.ms) && (isOpen === true || at.ms <= to.ms + REACH_MS);
  });
  // A fault that has no bound may have begun as long before its first line as Locket waits for its database.
  const begunMs = ({ ms, earliestMs }: Instant) => (earliestMs === null ? ms - OPERATION_TIMEOUT_MS : ms);
  const lasted = ({ from, to, isOpen }: Circumstance) => Number(begunMs(from) <= at.ms + CLOCKS_MS && (isOpen === true || to.ms >= at.ms - tookMs - CLOCKS_MS));
  const [first] = those.sort((a, b) => lasted(b) - lasted(a) || kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || b.from.ms - a.from.ms);
  // That two things were near each other does not prove that one caused the other.
  return first && { ...first.because, certainty: lesser(lesser(first.because.certainty, first.certainty), 'likely') };
}

/** Clocks that no shared line compares are taken to be right, as NTP keeps them: they may be off by this much. */
const CLOCKS_MS = 500;
