// Harmless lines that look like errors: they are counted, but are no findings.

import type { Case } from '../case.js';
import { errorOf } from '../errors/error.js';
import type { EventKind } from '../messages.js';
import type { Diagnosis } from '../model.js';

const HARMLESS: Partial<Record<EventKind, string>> = {
  'release-refused': 'a standby that stops releases a lock that it does not hold',
  'client-release-failed': 'a standby that stops gets an error, because it has no lock to release',
  'timer-owner-mismatch': 'the timer of a former owner finds a row of another owner',
  'timer-index-mismatch': 'the timer of another Locket is older than the last renewal',
};

/** How many lines of each kind there are. */
export function harmlessLines({ machines }: Case): Diagnosis['harmless'] {
  const counts = new Map<string, number>();
  const note = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const { events } of machines) {
    for (const { kind, error, tookMs } of events) {
      const what = HARMLESS[kind];
      if (what !== undefined) note(what);
      if (kind === 'client-failed' && tookMs === undefined && errorOf(error).kind === 'collision') note('a standby is refused when it starts');
    }
  }
  return [...counts].map(([what, count]) => ({ what, count }));
}
