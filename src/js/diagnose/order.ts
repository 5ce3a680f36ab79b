// Lines of different machines about the same request or row have an order, whatever their clocks
// show. Each rule follows from how Locket and its clients work, not from the form of the lines.

import { TTL_DEFAULT_MS } from '../base/constants.js';
import { grouped } from './arrays.js';
import { errorOf, isAnswered } from './errors/error.js';
import { eventsOf, isFailure, type LogEvent, type Machine, rowName } from './evidence.js';

/** That an event happened at least `gapMs` after another; `-Infinity` orders nothing, and is for likely replies. */
export interface Order {
  first: LogEvent;
  /** How long before the line of `first` it happened. */
  firstEarlierMs: number;
  then: LogEvent;
  gapMs: number;
  /** A reply that most likely took no time: the clocks' difference can be read off. */
  isReply: boolean;
  /** True if the lines belong together only if no other line is missing, by clocks that differ: it needs support. */
  isDoubtful: boolean;
}

/** How far the clock of `then` is ahead of that of `first` at most: not so far that the later event would come first. */
export const mostOf = ({ first, firstEarlierMs, then, gapMs }: Order): number => then.atMs - (first.atMs - firstEarlierMs) - gapMs;

/** Lines are written with an error of less than a microsecond, and clocks are slewed while they are set. */
export const CLOCK_SLACK_MS = 0.5;

/** Timers measure with other clocks than logs are written with. */
const TIMER_SLACK_MS = 100;

/** Lines about rows, by the names of these. */
type Lines = ReadonlyMap<string, LogEvent[]>;

/** All orders between machines that the lines show. */
export function ordersOf(machines: readonly Machine[]): Order[] {
  const lockets = machines.filter(({ isLocket }) => isLocket);
  const clients = machines.filter(({ isLocket }) => !isLocket);
  const ofLockets = eventsOf(lockets);
  const byUuid = grouped(ofLockets, ({ uuid }) => uuid);
  const inserts = grouped(ofLockets.filter(({ kind }) => kind === 'inserted'), ({ row }) => row);
  const ends = grouped(ofLockets.filter(({ kind }) => kind === 'timer-deleted' || kind === 'released'), ({ row }) => row);
  const holds = grouped(clients.flatMap(holdsOf), ({ row }) => row);
  // A client that was frozen says late that it has given up.
  const deadlineMs = eventsOf(clients).reduce((least, event) => (isFailure(event) && isTimeout(event) ? Math.min(least, event.tookMs ?? least) : least), Infinity);
  const ofClients = clients.flatMap(({ events }) => [
    ...events.filter(isFailure).flatMap((event) => requestOrders(event, byUuid.get(event.uuid) ?? [], deadlineMs)),
    ...releaseOrders(events, ends).map(doubted),
    ...events.filter(({ kind, otherOwner }) => kind === 'client-failed' && otherOwner !== '').flatMap((event) => refusalOrders(event, holds, inserts, ends)).map(doubted),
  ]);
  return [...ofClients, ...acquireOrders(clients, holds, inserts)];
}

/** Without a request's id, lines that are in another order by their clocks may not be about the same row. */
function doubted(known: Order): Order {
  return { ...known, isDoubtful: known.then.atMs < known.first.atMs - known.firstEarlierMs };
}

export const order = (first: LogEvent, then: LogEvent, firstEarlierMs = 0, gapMs = 0, isReply = false): Order => ({ first, then, firstEarlierMs, gapMs, isReply, isDoubtful: false });

/** A request is sent before Locket says anything of it, and answered after. */
function requestOrders(event: LogEvent, handled: readonly LogEvent[], deadlineMs: number): Order[] {
  const { askedMs, ttlMs } = event;
  const asked = (line: LogEvent, gapMs = 0) => (askedMs === undefined ? [] : [order(event, line, event.atMs - askedMs, gapMs)]);
  return handled.flatMap((line) => {
    switch (line.kind) {
      case 'lock-failed':
      case 'collision':
        return isAnswered(event.error) ? [...asked(line), order(line, event, 0, 0, (event.tookMs ?? 0) < FAST_MS)] : asked(line);
      case 'caller-gone':
        return isTimeout(event) ? [order(event, line, GIVING_UP_MS + Math.max(0, (event.tookMs ?? 0) - deadlineMs))] : [];
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

/** True if a call ended at its deadline, so that Locket may have handled it later. */
export const isTimeout = ({ error }: Pick<LogEvent, 'error'>): boolean => error !== '' && errorOf(error).code === 'DeadlineExceeded';

/** A client learns of its row's insertion after it; it cannot have asked before it started, or long before. */
function acquireOrders(clients: readonly Machine[], holds: Lines, inserts: Lines): Order[] {
  const failed = new Set(clients.flatMap(({ events }) => events.filter((event) => isFailure(event) && event.uuid !== '').map(({ uuid }) => uuid)));
  return [...holds].flatMap(([row, own]) => {
    const inserted = inserts.get(row) ?? [];
    const answered = inserted.filter(({ uuid }) => !failed.has(uuid));
    return pairOrders(answered, own, answered.length < inserted.length);
  });
}

/** A line for each time for which a client held its row: that of its beginning, or that of its loss if the other is missing. */
function holdsOf({ events }: Machine): LogEvent[] {
  let isHeld = false;
  return events.filter(({ kind }) => {
    const isFirst = kind === 'client-acquired' || (kind === 'client-lost' && !isHeld);
    isHeld = kind === 'client-acquired' || (isHeld && kind !== 'client-lost' && kind !== 'client-started');
    return isFirst;
  });
}

/** True if a hold was known soon after an insertion, which clocks so far apart hardly bring about. */
const isNear = (insert: LogEvent, hold: LogEvent | undefined) => hold !== undefined && hold.atMs >= insert.atMs && hold.atMs - insert.atMs < NEAR_MS;

/**
 * One insertion and one hold belong together. Of several, the one that is near; if none is, the insertion was before the last hold
 * was known, and after the first was asked for.
 */
function pairOrders(inserts: readonly LogEvent[], holds: readonly LogEvent[], hasFailed: boolean): Order[] {
  const known = holds.filter(({ kind }) => kind === 'client-acquired').sort((a, b) => a.atMs - b.atMs);
  const isEachNear = inserts.every((insert) => known.some((hold) => isNear(insert, hold)));
  return inserts.flatMap((insert, index) => {
    const at = known.filter(({ atMs }) => atMs < insert.atMs).length;
    const nearest = known[at];
    if (nearest !== undefined && isNear(insert, nearest) && !isNear(insert, known[at + 1])) {
      // With an earlier hold, the only insertion may be that one's, and the later hold a renewal after a restart; a holder that goes
      // on may have inserted its row again. So may an insertion that is older than the request.
      const isOlder = nearest.askedMs !== undefined && insert.atMs < nearest.askedMs - CLOCK_SLACK_MS;
      const isDoubtful = isOlder || !isEachNear || (inserts.length < holds.length && (at > 0 || known.length < holds.length));
      if (!isDoubtful) return [order(insert, nearest, 0, 0, true), asked(nearest, insert)];
      return at === 0 ? [reply(insert, nearest)] : [];
    }
    const [first] = known;
    const last = known[known.length - 1];
    // A hold may also be of a row whose insertion failed for its client.
    if (first === undefined || last === undefined || hasFailed || known.length < holds.length || known.some(({ machine }) => machine !== first.machine)) return [];
    // As many insertions as holds are likely to belong together one by one; a renewal may have inserted a row, too.
    if (inserts.length > 1) return inserts.length === holds.length ? [reply(insert, known[index] as LogEvent)] : [];
    const lag = (event: LogEvent | undefined) => (event === undefined ? Infinity : Math.abs(event.atMs - insert.atMs));
    const bounds = [order(insert, last), asked(first, insert)].map((bound) => ({ ...bound, isDoubtful: true }));
    return [reply(insert, (lag(known[at - 1]) < lag(nearest) ? known[at - 1] : nearest) as LogEvent), ...bounds];
  });
}

/** A likely reply, which orders nothing. */
const reply = (first: LogEvent, then: LogEvent): Order => order(first, then, 0, -Infinity, true);

/** A request is sent when its client starts, or at most its deadline before it is answered. */
function asked(acquired: LogEvent, insert: LogEvent): Order {
  // A request may have been under way for a TTL, if nothing else is known.
  const earlierMs = acquired.askedMs === undefined ? Math.max(acquired.ttlMs ?? 0, TTL_DEFAULT_MS) : acquired.atMs - acquired.askedMs;
  return order(acquired, insert, earlierMs);
}

/** How near a line is to the one that it answers, if clocks agree. */
export const NEAR_MS = 1_000;

/** A Release is sent after the signal and logged as done after Locket has deleted the row. */
function releaseOrders(events: readonly LogEvent[], ends: Lines): Order[] {
  return events.flatMap((event, index) => {
    const only = event.kind === 'client-released' ? onlyOf(ends.get(event.row)?.filter(({ kind }) => kind === 'released')) : undefined;
    if (only === undefined) return [];
    const previous = events[index - 1];
    return [order(only, event, 0, 0, true), ...(previous?.kind === 'client-signalled' ? [order(previous, only)] : [])];
  });
}

/** A first attempt that is refused reads who has the row: that row was inserted before, and deleted after the client started. */
function refusalOrders(event: LogEvent, holds: Lines, inserts: Lines, ends: Lines): Order[] {
  const name = rowName(event.key, event.otherOwner);
  const inserted = onlyOf(inserts.get(name));
  const ended = onlyOf(ends.get(name));
  const [first, again] = holds.get(name) ?? [];
  // Its owner held it before, and the line of that insertion is missing.
  if (inserted === undefined || (again !== undefined && !isNear(inserted, first))) return [];
  const after = order(inserted, event);
  if (event.askedMs === undefined || ended === undefined) return [after];
  return [after, order(event, ended, event.atMs - event.askedMs)];
}

/** The event of a list of one. */
const onlyOf = (events: readonly LogEvent[] = []): LogEvent | undefined => (events.length === 1 ? events[0] : undefined);
