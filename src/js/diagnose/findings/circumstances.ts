// Circumstances of incidents: Locket's processes, its database, the network.

import { counted } from '../../base/text.js';
import type { Case } from '../case.js';
import type { Client } from '../clients.js';
import type { LogEvent } from '../evidence.js';
import { earlier, type Instant, later, shifted } from '../instant.js';
import type { Downtime } from '../lockets.js';
import type { Finding, FindingKind } from '../model.js';
import { databaseErrorKindOf, type ErrorKind, errorKindOf } from './errors.js';
import { type Cause, type Found, listed, quoted, span } from './finding.js';

/** A circumstance, and its description as a cause. */
export interface Circumstance extends Found {
  because: Cause;
}

/** All of them. */
export function circumstancesOf(whole: Case): Circumstance[] {
  const refused = whole.clients.flatMap(({ events }) => events.filter(isRefused));
  const down = whole.downtimes.map((downtime) => downtimeFound(downtime, refused, whole));
  return [...down, ...databaseTroubles(whole), ...timeoutTroubles(whole), ...single(whole)];
}

// -- Locket's processes

function downtimeFound(downtime: Downtime, refused: readonly LogEvent[], whole: Case): Circumstance {
  const { machine, to, reason, isOpen, lines } = downtime;
  const name = machine.name;
  const isCrash = reason === 'crash';
  const kind = isCrash ? 'locket-crash' : 'locket-restart';
  const shown = refused.filter((event) => isWithin(whole.clocks.instantOf(event), downtime.from, to));
  const from = isCrash ? shown.reduce((first, event) => beforeCall(first, event, whole), downtime.from) : downtime.from;
  const again = isOpen ? '' : ` and started again ${span(Math.max(0, to.ms - from.ms))} later`;
  return {
    kind,
    severity: reason === 'stopped' ? 'note' : 'warning',
    certainty: isCrash ? 'likely' : 'certain',
    processes: [name],
    from,
    to,
    isOpen,
    summary: `Locket ${quoted(name)} ${ENDED[reason]}${again}.`,
    cause: DOWN_SINCE[reason],
    lines: [...lines, ...shown.slice(0, 3)],
    because: { kind, words: isCrash ? `Locket ${quoted(name)} was down: it crashed or was killed.` : `Locket ${quoted(name)} was stopped and started again.` },
  };
}

const ENDED: Record<Downtime['reason'], string> = {
  crash: 'ended without a log line: it crashed or was killed',
  database: 'stopped itself because its database failed the health check,',
  'table-missing': 'stopped itself because its table was missing,',
  stopped: 'stopped in order',
};

const DOWN_SINCE: Record<Downtime['reason'], Cause> = {
  crash: { kind: 'unknown', words: 'Its log ends without the lines of a stop; check its stderr log and its supervisor.' },
  database: { kind: 'database-outage', words: 'Its database did not answer the health check.' },
  'table-missing': { kind: 'table-dropped', words: 'The locks table was dropped.' },
  stopped: { kind: 'planned-stop', words: 'Locket was stopped.' },
};

/** A call without a reply was sent to a process that was down, at about the time of its line minus the time it took. */
function beforeCall(first: Instant, event: LogEvent, { clocks }: Case): Instant {
  const sent = clocks.instantOf(event, event.tookMs);
  if (sent.latestMs === null || sent.latestMs > (first.latestMs ?? Infinity)) return first;
  return { ms: Math.max(first.earliestMs ?? -Infinity, sent.ms - (event.tookMs ?? 0) / 2), earliestMs: first.earliestMs, latestMs: sent.latestMs };
}

const isRefused = ({ kind, error }: LogEvent) => (kind === 'client-lost' || kind === 'client-failed') && errorKindOf(error) === 'no-locket';

function isWithin(at: Instant, from: Instant, to: Instant): boolean {
  return at.ms >= (from.earliestMs ?? from.ms) && at.ms <= (to.latestMs ?? Infinity);
}

// -- the database

const DATABASE_LINES = new Set(['lock-failed', 'scan-failed', 'timer-failed', 'locket-failed']);
const DATABASE: Partial<Record<ErrorKind, FindingKind>> = { 'database-down': 'database-outage', 'database-slow': 'database-slow' };
/** Lines of one outage are nearer to each other: Locket scans the table every 5 s. */
const EPISODE_MS = 30_000;

function databaseTroubles(whole: Case): Circumstance[] {
  const lines = whole.machines.flatMap(({ events }) => events);
  return Object.entries(DATABASE).flatMap(([error, kind]) => {
    const failed = lines.filter((event) => DATABASE_LINES.has(event.kind) && databaseErrorKindOf(event.error) === error);
    const ofClients = lines.filter((event) => isFailure(event) && errorKindOf(event.error) === error);
    return episodes([...failed, ...ofClients], whole).map((episode) => databaseFound(kind, episode, whole));
  });
}

const isFailure = ({ kind }: LogEvent) => kind === 'client-lost' || kind === 'client-failed';

function databaseFound(kind: FindingKind, episode: LogEvent[], whole: Case): Circumstance {
  const { from, to } = extent(episode, whole);
  const isOutage = kind === 'database-outage';
  const words = isOutage ? 'Locket could not reach its database.' : "Locket's database answered too late.";
  return {
    kind,
    severity: 'warning',
    certainty: 'certain',
    processes: [...new Set(episode.map(({ machine }) => machine.name))],
    from,
    to,
    summary: `${isOutage ? 'The database could not be reached' : 'The database was slow'} for about ${span(to.ms - from.ms)}: ${episode.length} ${episode.length === 1 ? 'line shows' : 'lines show'} it.`,
    cause: { kind: 'unknown', words: `Check the database's own log. The first error: ${(episode[0]?.error ?? '').slice(0, 120)}` },
    lines: [...episode.slice(0, 4), ...episode.slice(-2)],
    because: { kind, words },
  };
}

/** Events that follow each other closely. */
function episodes(events: readonly LogEvent[], { clocks }: Case): LogEvent[][] {
  const timed = events.map((event) => ({ event, ms: clocks.instantOf(event).ms })).sort((a, b) => a.ms - b.ms);
  const found: LogEvent[][] = [];
  let lastMs = -Infinity;
  for (const { event, ms } of timed) {
    if (ms - lastMs > EPISODE_MS) found.push([]);
    (found[found.length - 1] as LogEvent[]).push(event);
    lastMs = ms;
  }
  return found;
}

/** From the first call that failed, when it was sent, to the last. It may have begun before and ended later. */
function extent(episode: readonly LogEvent[], { clocks }: Case): { from: Instant; to: Instant } {
  const [first] = episode as [LogEvent];
  const from = episode.reduce((least, event) => earlier(least, clocks.instantOf(event, event.tookMs)), clocks.instantOf(first, first.tookMs));
  const to = episode.reduce((most, event) => later(most, clocks.instantOf(event)), clocks.instantOf(first));
  return { from: { ...from, earliestMs: null }, to: { ...to, latestMs: null } };
}

// -- what took too long

/** A request that Locket handles so long after its caller has given up has waited in it. */
const LATE_MS = 500;

function timeoutTroubles(whole: Case): Circumstance[] {
  const lines = whole.machines.flatMap(({ events }) => events);
  const timeouts = lines.filter((event) => isFailure(event) && errorKindOf(event.error) === 'timeout');
  const gone = lines.filter(({ kind }) => kind === 'caller-gone');
  // The client's own line already covers this request.
  const known = new Set(lines.filter(isFailure).map(({ uuid }) => uuid));
  const orphans = gone.filter(({ uuid }) => !known.has(uuid));
  return episodes([...timeouts, ...orphans], whole).map((episode) => timeoutFound(episode, gone, whole));
}

function timeoutFound(episode: LogEvent[], gone: readonly LogEvent[], whole: Case): Circumstance {
  const { clocks } = whole;
  const ids = new Set(episode.map(({ uuid }) => uuid));
  const handled = gone.filter(({ uuid }) => ids.has(uuid));
  const late = handled.filter(({ uuid, ...line }) => {
    const given = episode.find((event) => event.uuid === uuid && event.kind !== 'caller-gone');
    return given !== undefined && clocks.instantOf(line).ms - clocks.instantOf(given).ms > LATE_MS;
  });
  const { from, to } = extent([...episode, ...late], whole);
  const inTime = whole.machines.flatMap(({ events }) => events).filter(({ uuid, kind }) => ids.has(uuid) && (kind === 'inserted' || kind === 'timer-fired'));
  const kind: FindingKind = late.length > 0 ? 'locket-frozen' : inTime.length > 0 ? 'slow-replies' : 'slow-requests';
  const callers = episode.filter(({ machine }) => !machine.isLocket);
  const processes = [...new Set((callers.length === 0 ? episode : callers).map(({ machine }) => machine.name))];
  const words = kind === 'slow-requests' && callers.length > 0 ? whyUnanswered(whole, processes, from, to) : WHY[kind as keyof typeof WHY];
  const because: Cause = { kind, words };
  return {
    kind,
    severity: 'warning',
    certainty: callers.length === 0 ? 'possible' : 'likely',
    processes,
    from,
    to,
    summary: `${WHAT[kind as keyof typeof WHAT]} (${counted(episode.length, 'request')} without an answer in time).`,
    cause: because,
    lines: [...episode.slice(0, 4), ...late, ...inTime.slice(0, 3)],
    because,
  };
}

/** Where requests were lost, as far as it shows in who else had none. */
function whyUnanswered(whole: Case, processes: readonly string[], from: Instant, to: Instant): string {
  if (goesOn(whole, from, to)) return `Locket answered others meanwhile: the network between it and ${listed(processes)} was cut or slow.`;
  const isOther = ({ machine, starts }: Client) => machine !== undefined && !processes.includes(machine.name) && starts.some((start) => whole.clocks.instantOf(start).ms < from.ms);
  if (!whole.clients.some(isOther)) return WHY['slow-requests'];
  return `Only ${listed(processes)} had no answers: the network to Locket was cut or slow, or its Locket process was frozen.`;
}

/** Whether Locket said anything of others meanwhile. */
function goesOn({ machines, clocks }: Case, from: Instant, to: Instant): boolean {
  return machines.some(({ isLocket, events }) => {
    return isLocket && events.some((event) => event.kind !== 'caller-gone' && clocks.instantOf(event).ms > from.ms && clocks.instantOf(event).ms < to.ms);
  });
}

const WHAT = {
  'locket-frozen': 'Locket was frozen, and handled requests after their callers had given up',
  'slow-replies': 'Locket applied requests at once, but its replies came too late or never',
  'slow-requests': 'Requests were not answered in time',
};
const WHY = {
  'locket-frozen': 'The Locket process was frozen, or waited for its database: it handled requests seconds after their callers had given up.',
  'slow-replies': 'The network between clients and Locket was slow or lost replies: Locket applied requests whose callers saw a timeout.',
  'slow-requests': 'The network was slow or cut, or Locket was frozen; the lines do not show which.',
};

// -- single lines that say all

function single(whole: Case): Circumstance[] {
  return whole.machines.flatMap(({ events }) => {
    const refused = events.filter((event) => (isFailure(event) && errorKindOf(event.error) === 'invalid') || (event.kind === 'lock-failed' && databaseErrorKindOf(event.error) === 'invalid'));
    const listening = events.filter(({ kind }) => kind === 'port-in-use');
    return [
      ...alone('refused-settings', refused, whole, "Locket refuses the client's settings", 'Locket refuses a TTL of 0 s or less and an empty owner; fix the configuration.'),
      ...alone('port-in-use', listening, whole, 'Locket could not listen: its port is in use', 'Another program, or an older Locket, uses the port.'),
    ];
  });
}

function alone(kind: FindingKind, events: readonly LogEvent[], { clocks }: Case, what: string, words: string): Circumstance[] {
  const [first] = events;
  if (first === undefined) return [];
  const last = events[events.length - 1] as LogEvent;
  const because: Cause = { kind, words };
  const processes = [first.machine.name];
  const summary = `${what} (${listed(processes)}, ${counted(events.length, 'line')}).`;
  return [
    {
      kind,
      severity: 'incident',
      certainty: 'certain',
      key: first.key || null,
      owners: first.owner === '' ? [] : [first.owner],
      processes,
      from: clocks.instantOf(first),
      to: clocks.instantOf(last),
      summary,
      cause: because,
      lines: events.slice(0, 4),
      because,
    },
  ];
}

/** The circumstances, other than those that are as they should be, that explain something at a moment. */
export function explaining(circumstances: readonly Circumstance[], kinds: readonly Finding['kind'][], at: Instant, withinMs: number): Circumstance | undefined {
  const near = circumstances.filter(({ kind, from, to, isOpen }) => {
    if (!kinds.includes(kind)) return false;
    const since = shifted(from, -withinMs).ms;
    return at.ms >= since && (isOpen === true || at.ms <= to.ms + withinMs);
  });
  return near.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))[0];
}
