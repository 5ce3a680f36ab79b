// The owners of a key's row, from Locket's lines and clients' lines: the lives of rows, with bounds
// for their start and end. Missing lines widen a bound; contradictions are noted on the row.

import type { Clocks } from './clocks.js';
import { POLL_INTERVAL_MS } from '../base/constants.js';
import { databaseErrorOf, errorOf } from './errors/error.js';
import type { LogEvent, Machine } from './evidence.js';
import { between, type Instant, isApart, isBefore, later, noEarlierThan, noLaterThan, shifted, widened } from './instant.js';

/** How a row ended. */
export type RowEnd =
  | 'expired'
  | 'released'
  /** Another row is there, and no line says that this one was deleted. */
  | 'unseen'
  /** Its table was not there any more. */
  | 'table-missing'
  /** A look at the table did not find it any more, and no line says why. */
  | 'gone'
  | 'open';

/** The life of a row. */
export interface RowLife {
  owner: string;
  from: Instant;
  to: Instant;
  end: RowEnd;
  /** The row that the key had after it. */
  next: RowLife | undefined;
  /** When a row was there after it of which no line says whose it was. */
  stranger: Instant | undefined;
  /** Locket's line of its insertion; `undefined` if only others speak of the row. */
  inserted: LogEvent | undefined;
  ended: LogEvent | undefined;
  /** The last renewal that is known of. */
  renewed: Instant | undefined;
  /** All renewals that Locket's debug lines tell of. */
  renewals: Instant[];
  /** How often the row was written, if a line says so. */
  index: number | undefined;
  isPresence: boolean;
  lines: LogEvent[];
  /** The machines whose lines tell of it. */
  machines: Set<Machine>;
}

/** Clocks that are known are known better. */
const NEAR_MS = 1_000;
/** While its calls are answered, Locket deletes within some ms what a timer finds. */
const TIMER_LATE_MS = 50;

/** The TTL of an owner's row at a time; `undefined` if no line shows it. */
export type TtlOf = (owner: string, atMs: number) => number | undefined;

/** The lives of a key's rows, in their order. */
export function rowsOf(events: readonly LogEvent[], clocks: Clocks, ttlOf: TtlOf, endMs: number): RowLife[] {
  const reader = new RowReader(clocks, ttlOf);
  const timed = events.map((event) => timedOf(event, clocks.instantOf(event))).sort((a, b) => a.dueMs - b.dueMs || rank(a.event) - rank(b.event));
  for (const { event, at } of timed) reader.take(event, at);
  return reader.finish(endMs);
}

/** What others than Locket have seen is taken up last of all that may be as old: Locket's own lines say more exactly what there was. */
const timedOf = (event: LogEvent, at: Instant) => ({ event, at, dueMs: event.machine.isLocket ? at.ms : Math.min(Math.max(at.ms, at.latestMs ?? at.ms), at.ms + NEAR_MS) });

/** At one instant, a row ends before the next begins, and who saw it comes last. */
const ORDER = ['timer-fired', 'timer-deleted', 'expired', 'released', 'lock-failed', 'locket-unrecoverable', 'inserted'];
const rank = ({ kind }: LogEvent) => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);

class RowReader {
  readonly #lives: RowLife[] = [];
  #open: RowLife | undefined;
  /** The last moment at which the open row is known to have been there. */
  #seen: Instant | undefined;
  /** When each machine has last seen the open row: by one clock, all that it has seen has an order. */
  readonly #seenBy = new Map<Machine, Instant>();
  /** The last moment at which a look has found no row; `undefined` if there was one since. */
  #missed: Instant | undefined;
  /** When something last failed or was given up, as calls do that wait for the database. */
  #failedMs = -Infinity;

  constructor(
    readonly clocks: Clocks,
    readonly ttlOf: TtlOf,
  ) {}

  /** What each kind of line says of the rows. */
  readonly #takers: Partial<Record<LogEvent['kind'], (event: LogEvent, at: Instant) => unknown>> = {
    inserted: (event, at) => this.#insert(event, at),
    renewed: (event, at) => this.#renew(event, at),
    'timer-fired': (event, at) => this.#fire(event, at),
    'timer-deleted': (event, at) => {
      // The line of the same timer that it had fired may be missing.
      if (event.index !== this.#open?.index) this.#fire(event, at);
      this.#end('expired', event, at);
    },
    expired: (event, at) => this.#expire(event, at),
    released: (event, at) => this.#end('released', event, at),
    'timer-owner-mismatch': (event, at) => this.#see(event, at, event.otherOwner),
    'timer-mismatch': (event, at) => this.#see(event, at, event.owner),
    // Its Fetch has read the owner.
    'client-failed': (event, at) => event.otherOwner !== '' && this.#see(event, this.#since(event, at), event.otherOwner),
    'client-acquired': (event, at) => this.#see(event, this.#since(event, at), event.owner),
    'lock-failed': (event, at) => databaseErrorOf(event.error).kind === 'table-dropped' && this.#lose(event, at),
    'look-found': (event, at) => (this.#isOnlyLooked(event) ? this.#find(event, at) : this.#see(event, at, event.owner)),
    'look-missing': (event, at) => (this.#isOnlyLooked(event) || this.#seenBy.has(event.machine)) && this.#miss(event, at),
  };

  take(event: LogEvent, at: Instant): void {
    if (hasFailed(event)) this.#failedMs = at.ms;
    this.#takers[event.kind]?.(event, at);
  }

  finish(endMs: number): RowLife[] {
    if (this.#open !== undefined) {
      this.#open.to = { ms: Math.max(endMs, this.#open.from.ms), earliestMs: this.#seen?.earliestMs ?? null, latestMs: null };
    }
    for (const life of this.#lives) this.#tighten(life);
    return this.#lives;
  }

  /** A row began before it ended, and ended before the next began, if a machine tells of both: otherwise their order is a guess. */
  #tighten(life: RowLife): void {
    const { next } = life;
    if (life.end !== 'open') life.from = noLaterThan(life.from, life.to);
    // By a clock that is not compared, a line may be about another row of its owner.
    const isOnly = this.#lives.every((other) => other === life || other.owner !== life.owner);
    if (isOnly && life.to.latestMs === null && life.ended !== undefined) life.to = noEarlierThan(life.to, life.from);
    // Nor does anybody else see that it was another after an end that is not compared.
    if (life.ended !== undefined && life.to.earliestMs === null && !next?.machines.has(life.ended.machine)) return;
    if (next === undefined || (life.inserted === undefined && next.owner === life.owner) || ![...life.machines].some((machine) => next.machines.has(machine))) return;
    life.to = noLaterThan(life.to, next.from);
    next.from = noEarlierThan(next.from, life.to);
  }

  #insert(event: LogEvent, at: Instant): void {
    const open = this.#open;
    // A client may have spoken of it first, by a clock that is not known exactly.
    if (open !== undefined && open.inserted === undefined && open.owner === event.owner && !isApart(open.from, at)) {
      Object.assign(open, { inserted: event, from: noLaterThan(at, open.from) });
      open.machines.add(event.machine);
      open.lines.unshift(event);
      return;
    }
    if (open !== undefined) this.#endUnseen(at, this.#isAfter(event, at));
    this.#begin(event, at, event.owner).inserted = event;
  }

  /** By which renewal a row was written, only Locket's debug lines say. */
  #renew(event: LogEvent, at: Instant): void {
    const open = this.#open;
    const last = this.#lives.at(-1);
    if (open === undefined) {
      // Lines of one machine have an order, whatever its clock.
      if (last !== undefined && (last.ended?.machine === event.machine || isBefore(last.to, at))) last.stranger ??= at;
      return;
    }
    open.renewed = at;
    open.renewals.push(at);
    open.index = event.index ?? open.index;
    this.#seen = at;
  }

  /** A timer fires a TTL after the renewal that it belongs to, or after a scan that has found the row. It waits for the database without a bound. */
  #fire(event: LogEvent, at: Instant): void {
    const ttlMs = this.ttlOf(event.owner, at.ms);
    const life = this.#lives.findLast(({ owner, from, index = 0 }) => owner === event.owner && from.ms <= at.ms - (ttlMs ?? 0) + TIMER_LATE_MS && index <= (event.index ?? index));
    // By a clock that is not compared, it may be one of any row of this owner.
    if (life === undefined || (at.earliestMs === null && at.latestMs === null)) return;
    // Locket's own line of that very renewal says more than any reckoning.
    if (event.index !== undefined && life.index === event.index && life.renewals.length > 0) return;
    life.index = event.index ?? life.index;
    // It was renewed later than any line says, and nothing shows when.
    if (ttlMs === undefined) life.renewed = undefined;
    if (ttlMs === undefined) return;
    const least = shifted(at, -ttlMs);
    const isSure = !event.isOfScan && this.#failedMs < least.ms;
    const vague = between(life.renewed ?? life.from, least, least.ms - (event.isOfScan ? POLL_INTERVAL_MS / 2 : 0));
    const renewed = life.index === 1 ? life.from : isSure ? widened(least, TIMER_LATE_MS, 0) : vague;
    // Nothing is written later than the row's end.
    if (life !== this.#open && renewed.ms > (life.to.latestMs ?? life.to.ms)) return;
    if (life.renewed !== undefined && life.renewed.ms > renewed.ms) return;
    life.renewed = renewed;
    if (life === this.#open) this.#seen = renewed;
    else if (life.end === 'unseen') life.to = between(renewed, life.to, (renewed.ms + (life.to.latestMs ?? life.to.ms)) / 2);
  }

  /** A line that names no owner, after those that do: if these are missing, it is of the row that is there. */
  #expire(event: LogEvent, at: Instant): void {
    const open = this.#open;
    const isTold = this.#lives.some(({ end, to }) => end === 'expired' && !isApart(to, at));
    if (open !== undefined && !isTold && (event.index ?? open.index) === (open.index ?? event.index)) this.#end('expired', event, at, open.owner);
  }

  #see(event: LogEvent, at: Instant, owner: string): void {
    if (this.#open?.owner === owner) {
      this.#sight(event, at);
      if (this.#open.inserted === undefined) this.#open.from = noLaterThan(this.#open.from, at);
      if (this.#open.lines.length < LINES_MAX) this.#open.lines.push(event);
      return;
    }
    // It may have seen the row before, by a clock that is not known exactly.
    const since = this.#seenBy.get(event.machine);
    const last = this.#lives.findLast((life) => life.owner === owner);
    if (last !== undefined && (since === undefined ? !isApart(last.to, at) : (at.earliestMs ?? Infinity) <= (last.to.latestMs ?? -Infinity))) return;
    if (since === undefined && this.#open !== undefined && !isApart(this.#open.from, at)) return;
    const isOrdered = this.#isAfter(event, at) || this.#lives.length === 0;
    if (this.#open !== undefined) this.#endUnseen(at, isOrdered);
    const begun = since ?? (isOrdered ? this.#lastLifeEnd() : null);
    this.#begin(event, between(begun, at, since === undefined ? at.ms : (since.ms + at.ms) / 2), owner);
  }

  /** True if a line certainly is later than what is known of the open row. */
  #isAfter({ machine }: LogEvent, at: Instant): boolean {
    return this.#seenBy.has(machine) || (this.#seen !== undefined && isBefore(this.#seen, at));
  }

  /** Takes up that the open row was there. */
  #sight({ machine }: LogEvent, at: Instant): void {
    this.#open?.machines.add(machine);
    this.#seenBy.set(machine, at);
    this.#seen = this.#seen === undefined ? at : later(this.#seen, at);
  }

  /** True if only looks by the same clock speak of the row before. Others say more exactly when it ended, by clocks that may differ. */
  #isOnlyLooked = ({ machine }: LogEvent) => this.#lives.at(-1)?.lines.every((line) => line.machine === machine) ?? true;

  /** A look at the table, after another that found something else. */
  #find(event: LogEvent, at: Instant): void {
    const open = this.#open;
    if (open?.owner !== event.owner) {
      const since = open === undefined ? this.#missed : this.#seen;
      const from = since === undefined ? between(this.#lastLifeEnd(), at, at.ms) : between(since, at, (since.ms + at.ms) / 2);
      if (open !== undefined) Object.assign(open, { end: 'unseen', to: from });
      this.#begin(event, from, event.owner);
    }
    this.#sight(event, at);
  }

  /** A look that did not find the row any more. */
  #miss(event: LogEvent, at: Instant): void {
    const open = this.#open;
    if (open !== undefined) {
      const seen = this.#seenBy.get(event.machine) ?? (this.#seen as Instant);
      Object.assign(open, { end: 'gone', ended: event, to: noEarlierThan(between(seen, at, (seen.ms + at.ms) / 2), this.#seen as Instant) });
      open.machines.add(event.machine);
      open.lines.push(event);
    }
    this.#open = undefined;
    this.#missed = at;
  }

  #begin(event: LogEvent, from: Instant, owner: string): RowLife {
    const last = this.#lives.at(-1);
    this.#open = { owner, from, to: from, end: 'open', next: undefined, stranger: undefined, inserted: undefined, ended: undefined, renewed: undefined, renewals: [], index: undefined, isPresence: event.isPresence, lines: [event], machines: new Set([event.machine]) };
    if (last !== undefined) last.next = this.#open;
    this.#seen = from;
    this.#seenBy.clear();
    this.#seenBy.set(event.machine, from);
    this.#missed = undefined;
    this.#lives.push(this.#open);
    return this.#open;
  }

  #end(end: RowEnd, event: LogEvent, at: Instant, owner = event.owner): void {
    // A row that has been written more often is another: by a clock that is not compared, the line is older.
    if (this.#open?.owner === owner && (event.index ?? Infinity) < (this.#open.index ?? 0)) {
      const [before, ...others] = this.#lives.filter((life) => life.owner === owner && life.end === 'unseen' && (life.index ?? event.index) === event.index);
      if (before !== undefined && others.length === 0) Object.assign(before, { end, ended: event, index: event.index }).lines.push(event);
      return;
    }
    if (this.#open === undefined || this.#open.owner !== owner) {
      const last = this.#lives.at(-1);
      // A second line about the same end.
      if (last !== undefined && last.owner === owner && last.end === end && !isApart(last.to, at)) return;
      const isOrdered = this.#isAfter(event, at);
      if (this.#open !== undefined) this.#endUnseen(at, isOrdered);
      this.#begin(event, between(isOrdered ? this.#lastLifeEnd() : null, at, at.ms), owner);
    }
    const open = this.#open as RowLife;
    open.machines.add(event.machine);
    Object.assign(open, { end, ended: event, to: this.#seen === undefined || at.latestMs === null ? at : noEarlierThan(at, this.#seen), index: event.index ?? open.index });
    if (!open.lines.includes(event)) open.lines.push(event);
    this.#open = undefined;
  }

  /** The table was dropped, and its row with it. */
  #lose(event: LogEvent, at: Instant): void {
    if (this.#open === undefined) return;
    this.#open.ended = event;
    this.#open.lines.push(event);
    this.#endUnseen(at, this.#isAfter(event, at), 'table-missing');
  }

  /** Where the clocks do not show that the row was seen before, it may have ended later. */
  #endUnseen(at: Instant, isOrdered: boolean, end: RowEnd = 'unseen'): void {
    const open = this.#open as RowLife;
    const seen = this.#seen as Instant;
    Object.assign(open, { end, to: between(seen, isOrdered ? at : null, this.#likelyEnd(open, seen, at)) });
    this.#open = undefined;
  }

  /** After the last renewal, if its client renews as often as is usual: three times within its TTL. */
  #likelyEnd({ owner, from }: RowLife, seen: Instant, until: Instant): number {
    const retryIntervalMs = (this.ttlOf(owner, seen.ms) ?? 0) / 3;
    const renewed = retryIntervalMs === 0 ? seen.ms : from.ms + Math.floor(Math.max(0, until.ms - from.ms) / retryIntervalMs) * retryIntervalMs;
    return (Math.min(Math.max(seen.ms, renewed), until.ms) + until.ms) / 2;
  }

  #lastLifeEnd = () => this.#lives.at(-1)?.to ?? null;

  /** An answer describes a moment after the request and before the answer. */
  #since = ({ askedMs, atMs, ttlMs, owner }: LogEvent, at: Instant) => widened(at, askedMs === undefined ? (ttlMs ?? this.ttlOf(owner, at.ms) ?? 0) : atMs - askedMs, 0);
}

const LINES_MAX = 8;

/** True if a line is that of a call that was not answered as it should be. */
const hasFailed = ({ kind, error }: LogEvent): boolean => kind === 'caller-gone' || (error !== '' && !['collision', 'not-found'].includes(errorOf(error).kind));
