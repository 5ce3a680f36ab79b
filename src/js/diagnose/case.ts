// The facts of a period: clocks, clients with their beliefs, rows, and Locket's processes. Findings
// come from them.

import { OPERATION_TIMEOUT_MS, TTL_DEFAULT_MS } from '../base/constants.js';
import { grouped } from './arrays.js';
import { type Belief, type Client, clientsOf, newClient } from './clients.js';
import { Clocks } from './clocks.js';
import { endOf } from './errors/error.js';
import { eventsOf, type LogEvent, type Machine } from './evidence.js';
import { between, EXACT_MS, type Instant, isBefore, widened } from './instant.js';
import { isTimeout, ordersOf } from './order.js';
import { type RowLife, rowsOf, type TtlOf } from './rows.js';

/** A key and its facts. */
export interface KeyCase {
  key: string;
  isPresence: boolean;
  ttlMs: number | undefined;
  /** The retry interval of its clients, as far as rows and timeouts show it. */
  retryIntervalMs: number | undefined;
  /** Ordered by their beginning. */
  rows: RowLife[];
  clients: Client[];
  /** Those of all clients, ordered by their beginning. */
  beliefs: Belief[];
  /** True if a row was seen that no Locket log mentions: a log is missing. */
  isLocketMissing: boolean;
}

/** The facts that the logs of a period show. */
export interface Case {
  machines: readonly Machine[];
  /** Those of all machines, one machine after another. */
  events: LogEvent[];
  /** Of these, the lines of something that failed: those with an error text. */
  failures: LogEvent[];
  clocks: Clocks;
  keys: KeyCase[];
  clients: Client[];
  hasLocket: boolean;
  endMs: number;
}

/** Lines of one time may stand so far apart, by their clocks and in their files. */
export const SLACK_MS = 300_000;

/** Combines the events of all machines. Keys whose TTL no line shows have the given one, and times are those of the usual machine if they can be. */
export function caseOf(machines: readonly Machine[], sinceMs: number, untilMs: number, givenTtlMs: number | undefined, usual?: Machine): Case {
  const events = eventsOf(machines);
  const failures = events.filter(({ error }) => error !== '');
  // Of a window, lines so far apart are of different requests, unless they name one: what would be beside them is judged elsewhere.
  const isAll = sinceMs === -Infinity && untilMs === Infinity;
  const orders = ordersOf(machines).filter(({ first, then }) => isAll || Math.abs(then.atMs - first.atMs) < SLACK_MS || (first.uuid !== '' && first.uuid === then.uuid));
  const clocks = Clocks.of(machines, orders, usual);
  const endMs = machines.reduce((end, machine) => Math.max(end, clocks.lastOf(machine, untilMs)?.ms ?? 0), 0);
  const clients = clientsOf(machines, clocks, endMs);
  const clientsByKey = grouped(clients, ({ key }) => key);
  // Without a table no key has a row, whichever was asked for, and a database that is slow is so for all.
  const ofAll = failures.filter(({ machine }) => machine.isLocket);
  const hasLocket = machines.some(({ isLocket }) => isLocket);
  const keys = [...grouped(events, ({ key }) => key)].map(([key, own]) => {
    const others = ofAll.filter((event) => event.key !== key);
    return keyCase(key, [...own, ...others], clientsByKey.get(key) ?? [], { clocks, sinceMs, endMs, hasLocket, givenTtlMs });
  });
  return { machines, events, failures, clocks, keys, clients, hasLocket, endMs };
}

type Setting = Pick<Case, 'clocks' | 'endMs' | 'hasLocket'> & { sinceMs: number; givenTtlMs: number | undefined };

function keyCase(key: string, events: readonly LogEvent[], own: readonly Client[], { clocks, sinceMs, endMs, hasLocket, givenTtlMs }: Setting): KeyCase {
  const ttlOf = ttlsOf(own, clocks, givenTtlMs);
  const ttlMs = ttlOf('', 0);
  const rows = rowsOf(withoutVagueLooks(events), clocks, ttlOf, endMs);
  for (const client of own) client.beliefs.forEach((belief) => settle(belief, rows, { clocks, endMs, ttlMs, isAlone: own.every((other) => other === client || other.owner !== client.owner) }));
  const strangers = strangersOf(key, rows, own, endMs);
  const clients = [...own, ...strangers];
  const beliefs = clients.flatMap((client) => client.beliefs).sort((a, b) => a.from.ms - b.from.ms);
  // Without any Locket log, only clients and polls mention a row. Of what was judged before, few lines are left.
  const isLocketMissing = rows.some(({ inserted, lines, to }, index) => inserted === undefined && index > 0 && to.ms > sinceMs && (hasLocket || lines[0]?.kind !== 'look-found'));
  const isPresence = own.some((client) => client.isPresence) || rows.some((row) => row.isPresence);
  return { key, isPresence, ttlMs, retryIntervalMs: retryOf(rows, own, ttlMs), rows, clients, beliefs, isLocketMissing };
}

/** A client says its TTL, which may be another after a restart; an owner whose log is missing most likely has that of the others. */
function ttlsOf(clients: readonly Client[], clocks: Clocks, givenMs: number | undefined): TtlOf {
  const isShown = ({ ttlMs }: LogEvent) => ttlMs !== undefined;
  const telling = clients.filter(({ events }) => events.some(isShown));
  return (owner, atMs) => {
    const { events = [] } = telling.find((client) => client.owner === owner) ?? telling[0] ?? {};
    return (events.findLast((event) => isShown(event) && clocks.instantOf(event).ms <= atMs) ?? events.find(isShown))?.ttlMs ?? givenMs;
  };
}

/** Where Locket itself tells of a row, it does so more exactly than looks at the table, whose clock nothing is known of. */
function withoutVagueLooks(events: readonly LogEvent[]): readonly LogEvent[] {
  if (!events.some(isLook)) return events;
  const ofLocket = events.filter(({ kind, machine }) => machine.isLocket && kind !== 'lock-failed');
  const owners = new Set(ofLocket.flatMap(({ owner, otherOwner }) => [owner, otherOwner]));
  // Of an owner that no given log of Locket has, only the looks tell.
  const isMissing = events.some(({ kind, owner }) => kind === 'look-found' && !owners.has(owner));
  return ofLocket.length > 0 && !isMissing ? events.filter((event) => !isLook(event)) : events;
}

const isLook = ({ kind }: LogEvent) => kind === 'look-found' || kind === 'look-missing';

/** By how often a row was renewed, or by when a call was given up. */
function retryOf(rows: readonly RowLife[], clients: readonly Client[], ttlMs: number | undefined): number | undefined {
  const owners = new Set(clients.map(({ owner }) => owner));
  const isAmbiguous = owners.size < clients.length;
  const periods = rows.flatMap(({ from, renewed, index, inserted }) => {
    return inserted === undefined || renewed === undefined || index === undefined || index < 3 || isAmbiguous ? [] : [(renewed.ms - from.ms) / (index - 1)];
  });
  const timeouts = clients.flatMap(({ events }) => events.filter((event) => isTimeout(event) && (event.tookMs ?? 0) > SHORT_MS).map(({ tookMs }) => tookMs as number));
  const known = [...timeouts, ...periods].filter((ms) => ms > 0 && ms < (ttlMs ?? Infinity)).sort((a, b) => a - b);
  const middle = known[Math.floor(known.length / 2)];
  return middle === undefined ? undefined : Math.max(STEP_MS, Math.round(middle / STEP_MS) * STEP_MS);
}

/** A call that is given up after less was not given up at its deadline. */
const SHORT_MS = 500;
/** Intervals are set in seconds; latency adds some ms. */
const STEP_MS = 100;

/** Rows say more of a belief's end than the client does that did not say anything. */
function settle(belief: Belief, rows: readonly RowLife[], { clocks, endMs, ttlMs = 0, isAlone }: { clocks: Clocks; endMs: number; ttlMs: number | undefined; isAlone: boolean }): void {
  const { client, end, from } = belief;
  if (end === 'lost' && belief.lost !== undefined && endOf(belief.lost).kind === 'collision') belief.to = refusedAt(belief, rows);
  // The rows of two programs with one name do not tell one from the other.
  if ((end !== 'open' && end !== 'restarted') || !isAlone) return;
  const until = end === 'restarted' ? belief.to : null;
  const untilMs = until?.latestMs ?? Infinity;
  const last = rows.findLast((row) => row.owner === client.owner && row.from.ms <= untilMs && row.to.ms >= from.ms);
  if (last === undefined) return;
  const renewed = [...last.renewals, ...(last.renewed === undefined ? [] : [last.renewed])].findLast(({ ms, latestMs }) => ms > from.ms && (until === null || (latestMs ?? Infinity) < untilMs));
  const machine = client.machine as Machine;
  if (last.end === 'released' && !clocks.isAlive(machine, last.to.ms + RUNNING_MS, until?.ms ?? Infinity)) Object.assign(belief, { end: 'stopped', to: widened(last.to, OPERATION_TIMEOUT_MS, 0) });
  else if (until === null && last.end !== 'open' && last.end !== 'table-missing') {
    // Its row was deleted and not created again, and its log does not say that it knows.
    const ranMs = clocks.isGuessed(machine) ? 0 : Math.min(endMs, clocks.lastOf(machine)?.ms ?? 0);
    const silent = renewed === undefined ? last.to.ms : renewed.ms + ttlMs / 6;
    if (ranMs > last.to.ms + RUNNING_MS) Object.assign(belief, { end: 'running', to: { ms: ranMs, earliestMs: (renewed ?? from).earliestMs, latestMs: null } });
    else if (ranMs <= last.to.ms + EXACT_MS) Object.assign(belief, { end: 'vanished', to: between(renewed ?? from, null, Math.min(silent, last.to.ms)) });
  } else if (until !== null && renewed !== undefined) {
    belief.to = between(renewed, until, last.end === 'expired' ? Math.min(renewed.ms + ttlMs / 6, last.to.ms) : until.ms);
  }
}

/** A renewal is refused after another owner has inserted a row. A clock that does not show it so was set, or stood still while its machine did. */
function refusedAt({ client, to }: Belief, rows: readonly RowLife[]): Instant {
  const own = rows.findLastIndex((row) => row.owner === client.owner && row.from.ms <= to.ms);
  const taken = rows.slice(own + 1).find((row) => row.owner !== client.owner)?.from;
  if (own < 0 || taken === undefined || taken.ms <= to.ms) return to;
  return { ms: taken.ms, earliestMs: to.earliestMs, latestMs: isBefore(to, taken) ? null : to.latestMs };
}

/** Who is refused ends: its next call comes a retry interval later, a third of its lease, and takes less than a second. */
const RUNNING_MS = TTL_DEFAULT_MS / 3 + 1_000;

/** Owners whose own logs are not there: what they believed follows from their rows, with wide bounds. */
function strangersOf(key: string, rows: readonly RowLife[], known: readonly Client[], endMs: number): Client[] {
  const owners = new Set(known.map(({ owner }) => owner));
  const strangers = grouped(rows.filter(({ owner }) => !owners.has(owner)), ({ owner }) => owner);
  return [...strangers].map(([owner, own]) => {
    const client = newClient({ key, owner, machine: undefined, isPresence: own.some(({ isPresence }) => isPresence) });
    client.name = `owner ${owner.slice(0, 8)}`;
    client.beliefs = own.map((row) => inferredBelief(client, row, endMs));
    return client;
  });
}

/** The answer to the insertion may have come late or never; an end is known only of a Release. */
function inferredBelief(client: Client, row: RowLife, endMs: number): Belief {
  const from: Instant = { ...row.from, latestMs: null };
  const shared = { client, from, lines: row.lines, lost: undefined, isInferred: true };
  if (row.end === 'open') return { ...shared, end: 'open', to: { ms: endMs, earliestMs: row.from.earliestMs, latestMs: null } };
  // A Release takes no longer than Locket waits for its database.
  if (row.end === 'released') return { ...shared, end: 'stopped', to: widened(row.to, OPERATION_TIMEOUT_MS, 0) };
  return { ...shared, end: 'vanished', to: { ms: row.to.ms, earliestMs: (row.renewed ?? row.from).earliestMs, latestMs: null } };
}

