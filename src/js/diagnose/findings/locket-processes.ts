// The times in which a Locket process was down.

import type { Case } from '../case.js';
import { errorOf } from '../errors/error.js';
import { isFailure, type LogEvent } from '../evidence.js';
import type { Instant } from '../instant.js';
import type { Downtime } from '../lockets.js';
import type { Circumstance } from './circumstance.js';
import { type Cause, certainly, likely, quoted, span, unknown } from './finding.js';

/** One for each time. */
export function lockets(whole: Case): Circumstance[] {
  const refused = whole.failures.filter((event) => isFailure(event) && errorOf(event.error).kind === 'connection-refused');
  return whole.downtimes.map((downtime) => downtimeFound(downtime, refused, whole));
}

function downtimeFound(downtime: Downtime, refused: readonly LogEvent[], whole: Case): Circumstance {
  const { machine, to, reason, isOpen, lines } = downtime;
  const name = machine.name;
  const isCrash = reason === 'crash';
  const kind = isCrash ? 'locket-crash' : 'locket-restart';
  const shown = refused.filter((event) => isWithin(whole.clocks.instantOf(event), downtime.from, to));
  const from = isCrash ? shown.reduce((first, event) => beforeCall(first, event, whole), downtime.from) : downtime.from;
  return {
    kind,
    severity: reason === 'stopped' ? 'note' : 'warning',
    certainty: isCrash ? 'likely' : 'certain',
    from,
    to,
    isOpen,
    tell: () => ({
      processes: [name],
      summary: `Locket ${quoted(name)} ${ENDED[reason]}${isOpen ? '' : ` and started again ${span(Math.max(0, to.ms - from.ms))} later`}.`,
      cause: DOWN_SINCE[reason],
      lines: [...lines, ...shown.slice(0, 3)],
    }),
    because: likely(kind, isCrash ? `Locket ${quoted(name)} was down: it crashed or was killed.` : `Locket ${quoted(name)} was stopped and started again.`),
  };
}

const ENDED: Record<Downtime['reason'], string> = {
  crash: 'ended without a log line: it crashed or was killed',
  database: 'stopped itself because its database failed the health check,',
  'table-missing': 'stopped itself because its table was missing,',
  stopped: 'stopped in order',
};

const DOWN_SINCE: Record<Downtime['reason'], Cause> = {
  crash: unknown('Its log ends without the lines of a stop; check its stderr log and its supervisor.'),
  database: likely('database-outage', 'Its database did not answer the health check.'),
  'table-missing': certainly('table-dropped', 'The locks table was dropped.'),
  stopped: certainly('planned-stop', 'Locket was stopped.'),
};

/** A call without a reply was sent to a process that was down, at about the time of its line minus the time it took. */
function beforeCall(first: Instant, event: LogEvent, { clocks }: Case): Instant {
  const sent = clocks.instantOf(event, event.tookMs);
  if (sent.latestMs === null || sent.latestMs > (first.latestMs ?? Infinity)) return first;
  return { ms: Math.max(first.earliestMs ?? -Infinity, sent.ms - (event.tookMs ?? 0) / 2), earliestMs: first.earliestMs, latestMs: sent.latestMs };
}

function isWithin(at: Instant, from: Instant, to: Instant): boolean {
  return at.ms >= (from.earliestMs ?? from.ms) && at.ms <= (to.latestMs ?? Infinity);
}
