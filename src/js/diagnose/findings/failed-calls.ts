// Calls that failed: of clients to Locket, and of Locket to its database. What a timeout shows is another file's.

import { counted } from '../../base/text.js';
import { grouped } from '../arrays.js';
import type { Case } from '../case.js';
import { databaseErrorOf, type ErrorMeaning, errorOf } from '../errors/error.js';
import type { ErrorKind } from '../errors/row.js';
import { isFailure, type LogEvent } from '../evidence.js';
import { type Circumstance, ENDS_BRING } from './circumstance.js';
import { episodes, extent, linesBetween, machinesOf } from './episodes.js';
import { isWithin } from './locket-processes.js';
import { about, causeOf, found, lesser, listed, quoted, span, unknown } from './finding.js';

/** Faults of Locket's database are found by the lines of all machines together, each kind for itself. */
const DATABASE_FAULTS = {
  'database-outage': { what: 'The database could not be reached', words: 'Locket could not reach its database.' },
  'database-slow': { what: 'The database was slow', words: "Locket's database answered too late." },
  'database-error': { what: 'The database answered with an error', words: "Locket's database answered with an error." },
};
type DatabaseFault = keyof typeof DATABASE_FAULTS;
const isDatabaseFault = (kind: string): kind is DatabaseFault => kind in DATABASE_FAULTS;

/** Lines of Locket about a call to its database that failed. */
const DATABASE_LINES: ReadonlySet<LogEvent['kind']> = new Set<LogEvent['kind']>(['lock-failed', 'scan-failed', 'timer-failed', 'locket-failed', 'health-check-failed']);
/** Lines that Locket and its clients write only after an answer of the database. */
const ANSWERED: LogEvent['kind'][] = ['inserted', 'renewed', 'collision', 'released', 'timer-fired', 'timer-deleted', 'client-acquired'];
/** Reasons that are no fault of their own, or that other findings tell. */
const ELSEWHERE = new Set<ErrorKind>(['collision', 'not-found', 'timeout', 'call-cancelled']);

/** One for each reason and time. The finding about a Locket that was down covers its callers. */
export function failedCalls(whole: Case, downtimes: readonly Circumstance[]): Circumstance[] {
  const failures = whole.failures.flatMap((event) => {
    const meaning = meaningOf(event);
    return meaning === undefined || ELSEWHERE.has(meaning.kind) || (ENDS_BRING.has(meaning.kind) && downtimes.some(({ from, to }) => isWithin(whole.clocks.instantOf(event), from, to))) ? [] : [{ event, meaning }];
  });
  const groups = grouped(failures, ({ event, meaning }) => (isDatabaseFault(meaning.kind) ? meaning.kind : `${meaning.words}\n${meaning.kind === 'refused-settings' ? event.row : event.machine.id}`));
  return [...groups.values()].flatMap((own) => {
    const events = own.map(({ event }) => event);
    const [{ meaning }] = own as [(typeof own)[0]];
    const { kind } = meaning;
    if (isDatabaseFault(kind)) return episodes(events, whole, linesBetween(ANSWERED, whole)).map((episode) => databaseFault(kind, episode, whole));
    return episodes(events, whole).map((episode) => failedCall(episode, meaning, whole));
  });
}

/** A lost lock is a finding of its own, with its error. */
function meaningOf(event: LogEvent): ErrorMeaning | undefined {
  if (DATABASE_LINES.has(event.kind)) return databaseErrorOf(event.error);
  const meaning = isFailure(event) ? errorOf(event.error) : undefined;
  return event.kind === 'client-failed' || isDatabaseFault(meaning?.kind ?? '') ? meaning : undefined;
}

function databaseFault(kind: DatabaseFault, episode: LogEvent[], whole: Case): Circumstance {
  const { from, to } = extent(episode, whole);
  const [first] = episode as [LogEvent];
  const meanings = episode.map((event) => meaningOf(event) as ErrorMeaning);
  const certainty = meanings.some((meaning) => meaning.certainty === 'certain') ? 'certain' : 'likely';
  const { what, words: general } = DATABASE_FAULTS[kind];
  const [words = general, ...others] = new Set(meanings.map((meaning) => meaning.words));
  const names = listed(machinesOf(episode).map(quoted));
  const told = () => ({
    processes: machinesOf(episode),
    summary: episode.length === 1 ? `${what}: 1 line of ${names} shows it.` : `${what}: ${counted(episode.length, 'line')} of ${names} in ${about(to.ms - from.ms)} show it.`,
    cause: unknown(`${words} Check the database's own log. The first error: ${first.error.slice(0, 120)}`),
    lines: [...episode.slice(0, 4), ...episode.slice(-2)],
  });
  return found('warning', kind, certainty, { from, to }, told, { kind, words: others.length === 0 ? words : general, certainty: lesser(certainty, 'likely') });
}

function failedCall(episode: LogEvent[], meaning: ErrorMeaning, whole: Case): Circumstance {
  const { from, to } = extent(episode, whole);
  const [{ machine, key, owner }] = episode as [LogEvent];
  const isRefused = meaning.kind === 'refused-settings';
  const cause = causeOf(meaning);
  const told = () => {
    const whose = machine.isLocket ? `of Locket ${quoted(machine.name)} to its database` : `of ${machine.name} to Locket`;
    const length = episode.length === 1 ? '' : ` in ${span(to.ms - from.ms)}`;
    const summary = isRefused ? `Locket refused the settings of owner ${quoted(owner)} for ${quoted(key)}${length}.` : `${counted(episode.length, 'call')} ${whose} failed${length}.`;
    return { ...(isRefused && { key, owners: [owner] }), processes: machinesOf(episode), summary, cause, lines: [...episode.slice(0, 4), ...episode.slice(-2)] };
  };
  return found(isRefused ? 'incident' : 'warning', 'calls-failed', 'certain', { from, to }, told, cause);
}
