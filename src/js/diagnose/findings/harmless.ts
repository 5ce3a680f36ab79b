// Harmless lines that look like errors: they are counted, but are no findings.

import { errorOf } from '../errors/error.js';
import type { LogEvent } from '../evidence.js';
import type { EventKind } from '../messages.js';
import type { Diagnosis } from '../model.js';
import type { Window } from '../windows.js';

const HARMLESS: Partial<Record<EventKind, string>> = {
  'release-refused': 'a standby that stops releases a lock that it does not hold',
  'client-release-failed': 'a standby that stops gets an error, because it has no lock to release',
  'timer-owner-mismatch': 'the timer of a former owner finds a row of another owner',
  'timer-index-mismatch': 'the timer of another Locket is older than the last renewal',
};

/** The harmless lines of windows. */
export class HarmlessLines {
  readonly #counts = new Map<string, number>();

  /** Adds those of a window. Lines before and after its time are those of other windows. */
  add({ whole, sinceMs, untilMs }: Window): void {
    for (const event of whole.events) {
      const what = meaningOf(event);
      if (what !== undefined && event.atMs > sinceMs && event.atMs <= untilMs) this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
    }
  }

  /** How many lines of each kind there are. */
  list(): Diagnosis['harmless'] {
    return [...this.#counts].map(([what, count]) => ({ what, count }));
  }
}

function meaningOf({ kind, error, tookMs }: LogEvent): string | undefined {
  const isRefused = kind === 'client-failed' && tookMs === undefined && errorOf(error).kind === 'collision';
  return isRefused ? 'a standby is refused when it starts' : HARMLESS[kind];
}
