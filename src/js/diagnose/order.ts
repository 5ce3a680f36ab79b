// Which lines of different machines are about the same request or the same row, and so have an order whatever their clocks
// say. Each rule follows from how Locket and its clients work, not from how the lines look.

import { grouped, lastWhere } from './arrays.js';
import type { LogEvent, Machine } from './evidence.js';

/** That an event happened at least `gapMs` after another; `-Infinity` orders nothing, and is for likely replies. */
export interface Order {
  first: LogEvent;
  /** How long before the line of `first` it happened. */
  firstEarlierMs: number;
  then: LogEvent;
  gapMs: number;
  /** A reply that most likely took no time: the clocks' difference can be read off. */
  isReply: boolean;
}

/** The longest that a request of a client can have been under way, if nothing else is known: today's default TTL. */
const DEADLINE_MS = 15_000;
/** Timers measure with other clocks than logs are written with. */
const TIMER_SLACK_MS = 100;

/** All orders between machines that the lines show. */
export function ordersOf(machines: readonly Machine[]): Order[] {
  const lockets = machines.filter(({ isLocket }) => isLocket);
  const clients = machines.filter(({ isLocket }) => !isLocket);
  const byUuid = indexed(lockets, ({ uuid }) => uuid);
  const inserts = indexed(lockets, ({ kind, key, owner }) => (kind === 'inserted' ? rowName(key, owner) : ''));
  const ends = indexed(lockets, ({ kind, key, owner }) => (kind === 'timer-deleted' || kind === 'released' ? rowName(key, owner) : ''));
  return clients.flatMap(({ events }) => [
    ...events.flatMap((event, index) => requestOrders(event, events[index - 1], byUuid.get(event.uuid) ?? [])),
    ...acquireOrders(events, inserts),
    ...releaseOrders(events, ends),
    ...events.flatMap((event) => refusalOrders(event, events, inserts, ends)),
  ]);
}

const rowName = (key: string, owner: string) => `${key}\n${owner}`;

function indexed(machines: readonly Machine[], nameOf: (event: LogEvent) => string): Map<string, LogEvent[]> {
  return grouped(machines.flatMap(({ events }) => events), nameOf);
}

const order = (first: LogEvent, then: LogEvent, firstEarlierMs = 0, gapMs = 0, isReply = false): Order => {
  return { first, then, firstEarlierMs, gapMs, isReply };
};

/** A request is sent before Locket says anything of it, and answered after. */
function requestOrders(event: LogEvent, previous: LogEvent | undefined, handled: readonly LogEvent[]): Order[] {
  if (event.uuid === '' || (event.kind !== 'client-lost' && event.kind !== 'client-failed')) return [];
  const { tookMs, ttlMs } = event;
  // A first attempt does not say how long it took; it begins when its client does.
  const begun = tookMs === undefined && previous?.kind === 'client-started' ? previous : undefined;
  const asked = (line: LogEvent, gapMs = 0) => {
    if (tookMs !== undefined) return [order(event, line, tookMs, gapMs)];
    return begun === undefined ? [] : [order(begun, line, 0, gapMs)];
  };
  return handled.flatMap((line) => {
    switch (line.kind) {
      case 'lock-failed':
      case 'collision':
        return isTimeout(event) ? asked(line) : [...asked(line), order(line, event, 0, 0, (tookMs ?? 0) < FAST_MS)];
      case 'caller-gone':
        return isTimeout(event) ? [order(event, line, GIVING_UP_MS)] : [];
      case 'inserted':
        return asked(line);
      case 'timer-fired':
        return ttlMs === undefined ? [] : asked(line, ttlMs - TIMER_SLACK_MS);
      default:
        return [];
    }
  });
}

/** A call that took less has a reply that took less. */
const FAST_MS = 100;
/** How long after it has given up a client says so. */
const GIVING_UP_MS = 5;

/** Whether a call ended since nobody answered, so that Locket may have handled it later. */
export const isTimeout = ({ error }: Pick<LogEvent, 'error'>): boolean => error.includes('DeadlineExceeded');

/** A client learns of its row's insertion after it; it cannot have asked before it started, or long before. */
function acquireOrders(events: readonly LogEvent[], inserts: Map<string, LogEvent[]>): Order[] {
  const failed = new Set(events.filter(({ kind }) => kind === 'client-failed').map(({ uuid }) => uuid));
  const holds = holdsOf(events);
  return [...new Set(holds.map(({ name }) => name))].flatMap((name) => {
    const acquired = holds.filter((hold) => hold.name === name);
    const inserted = (inserts.get(name) ?? []).filter(({ uuid }) => uuid === '' || !failed.has(uuid));
    return inserted.flatMap((insert) => pairOrders(insert, acquired, inserted.length));
  });
}

/** A time for which a client held its row: when it learnt of it, and the earliest that it can have asked. */
interface Hold {
  name: string;
  acquired: LogEvent | undefined;
  asked: LogEvent;
  askedEarlierMs: number;
}

/** Those that the lines show, also where the line that says so is missing. */
function holdsOf(events: readonly LogEvent[]): Hold[] {
  const holds: Hold[] = [];
  let started: LogEvent | undefined;
  let isHeld = false;
  for (const event of events) {
    const name = rowName(event.key, event.owner);
    if (event.kind === 'client-started') [started, isHeld] = [event, false];
    if (event.kind === 'client-failed') started = undefined;
    if (event.kind === 'client-lost') {
      if (!isHeld) holds.push({ name, acquired: undefined, asked: event, askedEarlierMs: 0 });
      isHeld = false;
    }
    if (event.kind !== 'client-acquired') continue;
    const deadlineMs = Math.max(event.ttlMs ?? 0, DEADLINE_MS);
    holds.push({ name, acquired: event, asked: started ?? event, askedEarlierMs: started === undefined ? deadlineMs : 0 });
    [started, isHeld] = [undefined, true];
  }
  return holds;
}

/**
 * One insertion and one hold belong together. Of several, those that are near, which clocks so far apart hardly bring about; if
 * none is, the insertion was before the last hold was known, and after the first was asked for.
 */
function pairOrders(insert: LogEvent, holds: readonly Hold[], insertCount: number): Order[] {
  const known = holds.flatMap((hold) => (hold.acquired === undefined ? [] : [{ ...hold, acquired: hold.acquired }]));
  const near = known.filter(({ acquired }) => acquired.atMs >= insert.atMs && acquired.atMs - insert.atMs < NEAR_MS);
  const [sole] = holds.length === 1 && insertCount === 1 ? known : near;
  if (sole !== undefined && near.length <= 1) {
    return [order(insert, sole.acquired, 0, 0, true), order(sole.asked, insert, sole.askedEarlierMs)];
  }
  const first = known[0];
  const last = known[known.length - 1];
  if (first === undefined || last === undefined || known.length < holds.length || insertCount > 1) return [];
  const likely = order(insert, first.acquired, 0, -Infinity, true);
  return [likely, order(insert, last.acquired), order(first.asked, insert, first.askedEarlierMs)];
}

/** How near a line is to the one that it answers, if clocks agree. */
const NEAR_MS = 1_000;

/** A Release is sent after the signal and logged as done after Locket has deleted the row. */
function releaseOrders(events: readonly LogEvent[], ends: Map<string, LogEvent[]>): Order[] {
  return events.flatMap((event, index) => {
    if (event.kind !== 'client-released') return [];
    const signalled = events[index - 1]?.kind === 'client-signalled' ? events[index - 1] : undefined;
    const released = (ends.get(rowName(event.key, event.owner)) ?? []).filter(({ kind }) => kind === 'released');
    const [only] = released;
    if (only === undefined || released.length > 1) return [];
    return [order(only, event, 0, 0, true), ...(signalled === undefined ? [] : [order(signalled, only)])];
  });
}

/** A first attempt that is refused reads who has the row: that row was inserted before, and deleted after the client started. */
function refusalOrders(event: LogEvent, events: readonly LogEvent[], inserts: Map<string, LogEvent[]>, ends: Map<string, LogEvent[]>): Order[] {
  if (event.kind !== 'client-failed' || event.otherOwner === '') return [];
  const name = rowName(event.key, event.otherOwner);
  const inserted = inserts.get(name) ?? [];
  const ended = ends.get(name) ?? [];
  if (inserted.length !== 1) return [];
  const started = lastWhere(events.slice(0, events.indexOf(event)), ({ kind }) => kind === 'client-started');
  const after = order(inserted[0] as LogEvent, event);
  return started === undefined || ended.length !== 1 ? [after] : [after, order(started, ended[0] as LogEvent)];
}
