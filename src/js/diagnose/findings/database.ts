// The faults of Locket's database, by the errors of Locket's lines and of its answers.

import { counted } from '../../base/text.js';
import type { Case } from '../case.js';
import { databaseErrorOf, type ErrorMeaning, errorOf } from '../errors/error.js';
import { isFailure, type LogEvent } from '../evidence.js';
import type { Circumstance } from './circumstance.js';
import { episodes, extent, type HasEnded, machinesOf } from './episodes.js';
import { lesser, span, unknown } from './finding.js';

/** Lines of Locket about a call to its database that failed. */
export const DATABASE_LINES: ReadonlySet<LogEvent['kind']> = new Set<LogEvent['kind']>(['lock-failed', 'scan-failed', 'timer-failed', 'locket-failed', 'health-check-failed']);
const KINDS = {
  'database-outage': { what: 'The database could not be reached', words: 'Locket could not reach its database.' },
  'database-slow': { what: 'The database was slow', words: "Locket's database answered too late." },
  'database-error': { what: 'The database answered with an error', words: "Locket's database answered with an error." },
};
type Kind = keyof typeof KINDS;

/** Lines that Locket writes only after an answer of its database. */
const ANSWERED = new Set(['inserted', 'renewed', 'collision', 'released', 'timer-fired', 'timer-deleted']);

/** One for each time and kind. */
export function databaseFaults(whole: Case): Circumstance[] {
  const failed = whole.failures.flatMap((event) => {
    const meaning = meaningOf(event);
    return meaning === undefined || !(meaning.kind in KINDS) ? [] : [{ event, meaning }];
  });
  if (failed.length === 0) return [];
  const hasEnded = answersOf(whole);
  const meanings = new Map(failed.map(({ event, meaning }) => [event, meaning]));
  return (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
    const own = failed.filter(({ meaning }) => meaning.kind === kind).map(({ event }) => event);
    return episodes(own, whole, hasEnded).map((episode) => found(kind, episode, meanings, whole));
  });
}

function meaningOf(event: LogEvent): ErrorMeaning | undefined {
  if (DATABASE_LINES.has(event.kind)) return databaseErrorOf(event.error);
  return isFailure(event) ? errorOf(event.error) : undefined;
}

/** When the database answered. */
function answersOf(whole: Case): HasEnded {
  const answers = whole.events
    .filter(({ kind }) => ANSWERED.has(kind))
    .map((event) => whole.clocks.instantOf(event).ms);
  return (fromMs, toMs) => answers.some((ms) => ms > fromMs && ms < toMs);
}

function found(kind: Kind, episode: LogEvent[], meanings: Map<LogEvent, ErrorMeaning>, whole: Case): Circumstance {
  const { from, to } = extent(episode, whole);
  const [first] = episode as [LogEvent];
  const all = episode.map((event) => meanings.get(event) as ErrorMeaning);
  const certainty = all.some((meaning) => meaning.certainty === 'certain') ? 'certain' : 'likely';
  const { what } = KINDS[kind];
  const words = [...new Set(all.map((meaning) => meaning.words))];
  return {
    kind,
    severity: 'warning',
    certainty,
    from,
    to,
    tell: () => ({
      processes: machinesOf(episode),
      summary: `${what} for about ${span(to.ms - from.ms)}: ${counted(episode.length, 'line shows', 'lines show')} it.`,
      cause: unknown(`${words[0]} Check the database's own log. The first error: ${first.error.slice(0, 120)}`),
      lines: [...episode.slice(0, 4), ...episode.slice(-2)],
    }),
    because: { kind, words: words.length === 1 ? (words[0] as string) : KINDS[kind].words, certainty: lesser(certainty, 'likely') },
  };
}
