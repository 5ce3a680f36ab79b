// Calls that failed for a reason of which no other finding tells: a limit, settings, the form of messages, or an unknown text.

import { counted } from '../../base/text.js';
import type { Case } from '../case.js';
import { databaseErrorOf, type ErrorMeaning, errorOf } from '../errors/error.js';
import type { ErrorKind } from '../errors/row.js';
import type { LogEvent } from '../evidence.js';
import type { CauseKind } from '../model.js';
import type { Circumstance } from './circumstance.js';
import { DATABASE_LINES } from './database.js';
import { episodes, extent } from './episodes.js';
import { type Cause, quoted, span } from './finding.js';

/** Reasons that are no fault of their own, or that other findings tell. */
const ELSEWHERE = new Set<ErrorKind>([
  ...(['collision', 'not-found', 'refused-settings', 'timeout', 'call-cancelled', 'port-in-use'] as const),
  ...(['database-outage', 'database-slow', 'database-error', 'connection-closed', 'connection-refused', 'connection-silent'] as const),
  ...(['access-denied', 'name-not-resolved', 'no-connection', 'not-locket', 'tls-failed', 'unreachable'] as const),
]);

/** One for each machine, reason and time. */
export function failedCalls(whole: Case): Circumstance[] {
  const failed = whole.failures.flatMap((event) => {
    const meaning = meaningOf(event);
    return meaning === undefined || ELSEWHERE.has(meaning.kind) ? [] : [{ event, meaning }];
  });
  return [...new Set(failed.map(({ event }) => event.machine))].flatMap((machine) => {
    const own = failed.filter(({ event }) => event.machine === machine);
    const meanings = new Map(own.map(({ meaning }) => [meaning.words, meaning]));
    return [...meanings].flatMap(([words, meaning]) => {
      const same = own.filter((one) => one.meaning.words === words).map(({ event }) => event);
      return episodes(same, whole).map((episode) => found(episode, meaning, whole));
    });
  });
}

/** A lost lock is a finding of its own, with its error. */
function meaningOf({ kind, error }: LogEvent): ErrorMeaning | undefined {
  if (DATABASE_LINES.has(kind)) return databaseErrorOf(error);
  return kind === 'client-failed' ? errorOf(error) : undefined;
}

function found(episode: LogEvent[], { kind, words, certainty }: ErrorMeaning, whole: Case): Circumstance {
  const { from, to } = extent(episode, whole);
  const [{ machine }] = episode as [LogEvent];
  const cause: Cause = { kind: kind as CauseKind, words, certainty };
  return {
    kind: 'calls-failed',
    severity: 'warning',
    certainty: 'certain',
    from,
    to,
    tell: () => {
      const what = counted(episode.length, 'call');
      const length = episode.length === 1 ? '' : ` in ${span(to.ms - from.ms)}`;
      return {
        processes: [machine.name],
        summary: machine.isLocket ? `${what} of Locket ${quoted(machine.name)} to its database failed${length}.` : `${what} of ${machine.name} to Locket failed${length}.`,
        cause,
        lines: [...episode.slice(0, 4), ...episode.slice(-2)],
      };
    },
    because: cause,
  };
}
