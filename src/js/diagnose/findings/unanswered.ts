// Calls that ended at their deadline: whether Locket, its database or the network was late, as far as
// lines show it.

import { OPERATION_TIMEOUT_MS } from '../../base/constants.js';
import { counted } from '../../base/text.js';
import type { Case } from '../case.js';
import type { Client } from '../clients.js';
import { errorOf } from '../errors/error.js';
import { isFailure, type LogEvent } from '../evidence.js';
import { type Instant, isBefore, shifted } from '../instant.js';
import type { Circumstance } from './circumstance.js';
import { episodes, extent, linesBetween, machinesOf } from './episodes.js';
import { type Cause, found, listed } from './finding.js';

/** A request that Locket handles so long after its caller has given up has waited in it. */
const LATE_MS = 500;
/** Lines near the ends of a time do not show what was between. */
const EDGE_MS = 300;

type Kind = 'locket-frozen' | 'database-slow' | 'slow-replies' | 'slow-requests';

/** One for each time. */
export function unanswered(whole: Case): Circumstance[] {
  const timeouts = whole.failures.filter((event) => isFailure(event) && errorOf(event.error).kind === 'timeout');
  if (timeouts.length === 0) return [];
  return episodes(timeouts, whole, linesBetween(GOOD, whole, EDGE_MS)).map((episode) => ofEpisode(episode, whole));
}

/** When Locket has answered one of these, what was slow before had ended. */
const GOOD: LogEvent['kind'][] = ['renewed', 'inserted', 'released', 'client-acquired'];

function ofEpisode(episode: LogEvent[], whole: Case): Circumstance {
  const given = new Map(episode.filter(({ uuid }) => uuid !== '').map((event) => [event.uuid, event]));
  const lines = whole.events.filter(({ uuid }) => given.has(uuid));
  const late = lines.filter((line) => line.kind === 'caller-gone' && isLate(line, given, whole));
  const inTime = lines.filter((line) => (line.kind === 'inserted' || line.kind === 'timer-fired') && !isLate(line, given, whole));
  const { from, to } = extent([...episode, ...late], whole);
  const processes = machinesOf(episode);
  const kind = kindOf(late, inTime, given, whole);
  // For longer it would not have waited for its database in silence.
  const certainty = kind === 'locket-frozen' && to.ms - from.ms <= OPERATION_TIMEOUT_MS ? 'possible' : 'likely';
  const reason: Cause = { kind, words: kind === 'slow-requests' ? whyUnanswered(whole, processes, from, to) : KINDS[kind].why, certainty };
  const told = () => ({
    processes,
    summary: `${KINDS[kind].what} (${counted(episode.length, 'request')} without an answer in time).`,
    cause: reason,
    lines: [...episode.slice(0, 4), ...late, ...inTime.slice(0, 3)],
  });
  return found('warning', kind, certainty, { from, to }, told, reason);
}

/** The failed calls of a time, by their ids. */
type Given = ReadonlyMap<string, LogEvent>;

/** True if Locket handled a request long after its caller had given up. */
function isLate(line: LogEvent, given: Given, { clocks }: Case): boolean {
  return isBefore(shifted(clocks.instantOf(given.get(line.uuid) as LogEvent), LATE_MS), clocks.instantOf(line));
}

/** A frozen process writes nothing: a line in the time in which a request waited in it refutes that it was frozen. */
function kindOf(late: readonly LogEvent[], inTime: readonly LogEvent[], given: Given, { clocks }: Case): Kind {
  if (late.length === 0) return inTime.length > 0 ? 'slow-replies' : 'slow-requests';
  // By a clock that was set, no line is in that time for sure.
  if (late.some(({ machine }) => machine.clocks.length > 1)) return 'slow-requests';
  const isAwake = late.some((line) => {
    const [since, until] = [given.get(line.uuid) as LogEvent, line].map((event) => clocks.instantOf(event)) as [Instant, Instant];
    return clocks.isAlive(line.machine, (since.latestMs ?? Infinity) + EDGE_MS, (until.earliestMs ?? -Infinity) - EDGE_MS);
  });
  return isAwake ? 'database-slow' : 'locket-frozen';
}

/** Where requests were lost, as far as it shows in who else had none. */
function whyUnanswered(whole: Case, processes: readonly string[], from: Instant, to: Instant): string {
  if (linesBetween(OF_CALLS, whole, EDGE_MS)(from.ms, to.ms)) return `Locket answered others meanwhile: the network between it and ${listed(processes)} was cut or slow.`;
  const isOther = ({ machine, starts }: Client) => machine !== undefined && !processes.includes(machine.name) && starts.some((start) => whole.clocks.instantOf(start).ms < from.ms);
  if (!whole.clients.some(isOther)) return KINDS['slow-requests'].why;
  return `Only ${listed(processes)} had no answers: the network to Locket was cut or slow, or its Locket process was frozen.`;
}

/** Lines that Locket writes for a caller that it answers. */
const OF_CALLS: LogEvent['kind'][] = ['inserted', 'renewed', 'collision', 'released'];

const KINDS: Record<Kind, { what: string; why: string }> = {
  'locket-frozen': { what: 'Locket logged nothing, and handled requests after their callers had given up', why: 'The Locket process was frozen, or waited for its database: its log shows no line in that time.' },
  'database-slow': { what: 'Locket was running, and requests waited in it until their callers had given up', why: 'Locket waited for its database: it logged other lines while the requests waited in it, so it was not frozen.' },
  'slow-replies': { what: 'Locket applied requests at once, but its replies came too late or never', why: 'The network between clients and Locket was slow or lost replies: Locket applied requests whose callers saw a timeout.' },
  'slow-requests': { what: 'Requests were not answered in time', why: 'The network was slow or cut, or Locket was frozen or waited for its database; the lines do not show which.' },
};
