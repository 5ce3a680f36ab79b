// Calls that failed on the way to Locket: no connection, or one that broke.

import { counted } from '../../base/text.js';
import type { Case } from '../case.js';
import { errorOf } from '../errors/error.js';
import type { ErrorKind } from '../errors/row.js';
import { isFailure, type LogEvent } from '../evidence.js';
import type { Circumstance } from './circumstance.js';
import { episodes, extent, machinesOf } from './episodes.js';
import { type Cause, listed, span } from './finding.js';

const ON_THE_WAY = new Set<ErrorKind>(['access-denied', 'connection-closed', 'connection-refused', 'connection-silent', 'name-not-resolved', 'no-connection', 'not-locket', 'tls-failed', 'unreachable']);
/** A single call that failed is no period. */
const CALLS_MIN = 2;

/** One for each client and time. */
export function unreachable(whole: Case): Circumstance[] {
  const failed = whole.failures.filter((event) => isFailure(event) && ON_THE_WAY.has(errorOf(event.error).kind) && !isOfDowntime(event, whole));
  const acquired = whole.events.filter(({ kind }) => kind === 'client-acquired');
  return [...new Set(failed.map(({ machine }) => machine))].flatMap((machine) => {
    const good = acquired.filter((event) => event.machine === machine).map((event) => whole.clocks.instantOf(event).ms);
    const own = failed.filter((event) => event.machine === machine);
    return episodes(own, whole, (fromMs, toMs) => good.some((ms) => ms > fromMs && ms < toMs))
      .filter(({ length }) => length >= CALLS_MIN)
      .map((episode) => found(episode, whole));
  });
}

/** The finding about a Locket that was down covers its callers. */
function isOfDowntime(event: LogEvent, { downtimes, clocks }: Case): boolean {
  const { ms } = clocks.instantOf(event);
  return downtimes.some(({ from, to }) => ms >= (from.earliestMs ?? from.ms) && ms <= (to.latestMs ?? Infinity));
}

function found(episode: LogEvent[], whole: Case): Circumstance {
  const { from, to } = extent(episode, whole);
  const [{ error }] = episode as [LogEvent];
  const { kind, words, certainty } = errorOf(error);
  const cause: Cause = { kind: kind as Cause['kind'], words, certainty };
  return {
    kind: 'locket-unreachable',
    severity: 'warning',
    certainty: 'certain',
    from,
    to,
    tell: () => ({
      processes: machinesOf(episode),
      summary: `${listed(machinesOf(episode))} could not reach Locket for at least ${span(to.ms - from.ms)} (${counted(episode.length, 'call')}).`,
      cause,
      lines: [...episode.slice(0, 4), ...episode.slice(-2)],
    }),
    because: cause,
  };
}
