// The differences between the machines' clocks, from the certain order of lines: certain bounds, and
// within them the likeliest difference.

import { TTL_DEFAULT_MS } from '../base/constants.js';
import { grouped } from './arrays.js';
import type { Clock, LogEvent, Machine } from './evidence.js';
import type { Instant } from './instant.js';
import type { Bounds } from './model.js';
import { CLOCK_SLACK_MS, isTimeout, mostOf, NEAR_MS, type Order, order } from './order.js';
import { splitClocks } from './stretches.js';

/** The reading of a machine's clock, in a stretch in which it was not set. */
export interface ClockReading extends Bounds, Clock {
  /** By how much it is ahead of the report's clock. */
  aheadMs: number;
  /** True if the lines contradict each other, as if the clock had been set meanwhile. */
  isContradictory: boolean;
}

/** A fast reply takes about a millisecond. */
const REPLY_MS = 1;
/** Readings that agree this well agree not by chance. */
const AGREEMENT_MS = 50;
/** How near to a timeout a reply is not taken for a fast one. */
const SLOW_NEAR_MS = 30_000;

/** The clocks of machines, all seen from one of them: that in the middle. */
export class Clocks {
  private constructor(
    readonly reference: Machine | undefined,
    readonly readings: ReadonlyMap<Clock, ClockReading>,
    /** By each clock, the times of the lines that show how far it was off then. */
    readonly ties: ReadonlyMap<Clock, number[]>,
  ) {}

  /** Reads them off the order of lines, and tells them by the clock of the usual machine if lines show how far that is off. */
  static of(machines: readonly Machine[], orders: readonly Order[], usual: Machine | undefined): Clocks {
    const agreeing = agreements(orders);
    const firm = [...orders, ...agreeing].filter(({ isDoubtful }) => !isDoubtful);
    const sure = [...firm, ...splitClocks(machines, [...firm, ...agreeing])];
    const clocks = machines.flatMap((machine) => machine.clocks);
    const most = mostShared(clocks, firm);
    if (most === undefined) return new Clocks(undefined, new Map(), new Map());
    const all = [...sure, ...supported(orders)];
    const likely = readingsOf(machines, all, most);
    // What is doubtful and contradicts the rest is about other lines.
    const [used, rough] = likely.get(most)?.isContradictory === true ? [sure, readingsOf(machines, sure, most)] : [all, likely];
    const sorted = [...rough.values()].sort((a, b) => a.aheadMs - b.aheadMs);
    const middle = sorted[Math.floor((sorted.length - 1) / 2)];
    // The one in the middle; of those that agree with it, the one that shares most lines.
    const isFirst = middle === undefined || Math.abs(middle.aheadMs) < AGREEMENT_MS;
    const kept = clocks.findLast((clock) => clock.machine === usual && (clock === most || isBound(rough.get(clock))));
    const reference = kept ?? (isFirst ? most : (clocks.find((clock) => rough.get(clock) === middle) ?? most));
    const ties = new Map<Clock, number[]>(clocks.map((clock) => [clock, []]));
    for (const { first, then, isDoubtful } of agreeing) for (const { clock, atMs } of isDoubtful ? [] : [first, then]) ties.get(clock)?.push(atMs);
    return new Clocks(reference.machine, reference === most ? rough : readingsOf(machines, used, reference), ties);
  }

  /** True if lines show how far a clock was off at or before a line, and at or after it: if it was set, it was not between these. */
  isTied({ clock, atMs }: LogEvent): boolean {
    const ties = this.ties.get(clock) ?? [];
    return ties.some((ms) => ms < atMs + NEAR_MS) && ties.some((ms) => ms > atMs - NEAR_MS);
  }

  /** True if a line shows that a process was running between two times on the clock of the report. */
  isAlive({ life, clocks }: Machine, fromMs: number, toMs: number): boolean {
    return clocks.some((clock) => {
      const { ms } = this.instantOf({ clock, atMs: 0 });
      return life?.isBetween(fromMs - ms, toMs - ms) === true;
    });
  }

  /** True if only guesses say how far the clock of a machine is off: it was set, or lines that may not belong together differ by it. */
  isGuessed({ clocks }: Machine): boolean {
    const [first, second] = clocks.map((clock) => this.readings.get(clock));
    return second !== undefined || (first !== undefined && first.earliestMs === null && first.latestMs === null && Math.abs(first.aheadMs) > NEAR_MS);
  }

  /** When it was zero by the clock of a machine: by its last one that these lines show. */
  zeroOf(machine: Machine): Instant {
    const clock = [...this.readings.keys()].findLast((one) => one.machine === machine) ?? { machine };
    return this.instantOf({ clock, atMs: 0 });
  }

  /** When a machine has logged its last line, whatever it is about. By which clock a line about something else is, is known only if there is one. */
  lastOf({ events, life, clocks }: Machine, untilMs = Infinity): Instant | undefined {
    const last = events.at(-1);
    const lastMs = clocks.length > 1 ? 0 : Math.min(life?.lastMs ?? 0, untilMs);
    return last && this.instantOf({ clock: last.clock, atMs: Math.max(last.atMs, lastMs) });
  }

  /** When something happened: so long before its line was written. */
  instantOf({ clock, atMs }: Pick<LogEvent, 'atMs' | 'clock'>, earlierMs = 0): Instant {
    const { aheadMs = 0, earliestMs = null, latestMs = null } = this.readings.get(clock) ?? {};
    const at = atMs - earlierMs;
    return {
      ms: at - aheadMs,
      earliestMs: latestMs === null ? null : at - latestMs,
      latestMs: earliestMs === null ? null : at - earliestMs,
    };
  }
}

const isBound = (reading: ClockReading | undefined) => typeof reading?.earliestMs === 'number' && reading.latestMs !== null;

function mostShared(clocks: readonly Clock[], orders: readonly Order[]): Clock | undefined {
  const counts = new Map<Clock, number>(clocks.map((clock) => [clock, 0]));
  for (const { first, then } of orders) {
    for (const { clock } of [first, then]) counts.set(clock, (counts.get(clock) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || Number(b.machine.isLocket) - Number(a.machine.isLocket))[0]?.[0];
}

/**
 * Orders in which two clocks agree within some ms. A slow reply does not make up for a difference so exactly by chance: then it was a
 * fast one. Those that differ twice by the same amount may both be slow or about other lines: they show at most that a clock was set.
 */
function agreements(orders: readonly Order[]): Order[] {
  const isNearTimeout = timeoutsNear();
  const lagOf = ({ first, then }: Order) => then.atMs - first.atMs;
  const isFast = (reply: Order) => lagOf(reply) > -REPLY_MS && lagOf(reply) < AGREEMENT_MS;
  // Replies that are as slow as calls may be are as slow again.
  const replies = orders.filter((reply) => reply.isReply && !isNearTimeout(reply.then) && (lagOf(reply) < AGREEMENT_MS || lagOf(reply) > TTL_DEFAULT_MS));
  const pairs = grouped(replies, ({ first, then }) => `${first.machine.id}\n\n${then.machine.id}`);
  const agreeing = [...pairs.values()].flatMap((own) => {
    const sorted = own.sort((a, b) => lagOf(a) - lagOf(b));
    return sorted.filter((reply, index) => {
      const beside = [sorted[index - 1], sorted[index + 1]];
      return isFast(reply) || beside.some((other) => other !== undefined && other.first !== reply.first && Math.abs(lagOf(other) - lagOf(reply)) < AGREEMENT_MS);
    });
  });
  return agreeing.flatMap((reply): Order[] => [{ ...reply, gapMs: 0 }, order(reply.then, reply.first, 2 * AGREEMENT_MS)].map((one) => ({ ...one, isDoubtful: !isFast(reply) })));
}

/** The name of a line's clock, for maps. */
const nameOf = ({ clock: { machine }, clock }: LogEvent) => `${machine.id} ${machine.clocks.indexOf(clock)}`;

/** Pairs of lines that fit only if the clocks differ, where two of them, about different lines, show that one clock is ahead of the other. */
function supported(orders: readonly Order[]): Order[] {
  const doubtful = grouped(orders.filter(({ isDoubtful }) => isDoubtful), ({ first, then }) => [nameOf(first), nameOf(then)].sort().join('\n\n'));
  return [...doubtful.values()].filter((own) => {
    const telling = own.filter((one) => mostOf(one) < -NEAR_MS);
    return telling.some((one) => telling.some((other) => one.first.clock === other.first.clock && one.first !== other.first && one.then !== other.then));
  }).flat();
}

/** True if something happened near a timeout of its machine. */
function timeoutsNear(): (event: LogEvent) => boolean {
  const timeouts = new Map<Machine, number[]>();
  return ({ machine, atMs }) => {
    const known = timeouts.get(machine) ?? machine.events.filter((event) => event.error !== '' && isTimeout(event)).map((event) => event.atMs);
    timeouts.set(machine, known);
    return known.some((ms) => Math.abs(ms - atMs) < SLOW_NEAR_MS);
  };
}

/** Clocks as one of them sees them. */
function readingsOf(machines: readonly Machine[], orders: readonly Order[], reference: Clock): Map<Clock, ClockReading> {
  // The narrowest first: the others say nothing more.
  const narrow = orders.filter(({ first, then }) => first.clock !== then.clock).sort((a, b) => mostOf(a) - mostOf(b));
  const latest = shortest(narrow, reference, ({ first, then }) => [first.clock, then.clock]);
  const earliest = shortest(narrow, reference, ({ first, then }) => [then.clock, first.clock]);
  const isContradictory = latest === undefined || earliest === undefined;
  const likely = likelyOf(orders, reference);
  // How far a machine's lines say that it went from one clock to the next.
  const borders = new Map(orders.filter(({ first, then }) => first.machine === then.machine).map(({ first, then }) => [then.clock, { before: first.clock, mostMs: then.atMs - first.atMs }]));
  const readings = new Map<Clock, ClockReading>();
  for (const clock of machines.flatMap(({ clocks }) => clocks)) {
    const { machine } = clock;
    const latestMs = latest?.get(clock) ?? null;
    const back = earliest?.get(clock) ?? null;
    const earliestMs = back === null ? null : -back;
    const { before = clock, mostMs = 0 } = borders.get(clock) ?? {};
    const beforeMs = readings.get(before)?.aheadMs ?? Infinity;
    // The first line by a clock is no earlier than the last by the one before.
    const wanted = Math.min(likely.get(clock) ?? beforeMs, beforeMs + mostMs);
    const aheadMs = clock === reference ? 0 : likelyAhead(wanted === Infinity ? undefined : wanted, earliestMs, latestMs);
    readings.set(clock, { machine, aheadMs, earliestMs, latestMs, isContradictory });
  }
  return readings;
}

/** The difference by replies; without replies, the middle of narrow bounds, or no difference. */
function likelyAhead(byReplies: number | undefined, earliestMs: number | null, latestMs: number | null): number {
  const isNarrow = earliestMs !== null && latestMs !== null && latestMs - earliestMs < 4 * AGREEMENT_MS;
  const likely = byReplies ?? (isNarrow ? (earliestMs + latestMs) / 2 : 0);
  return Math.min(Math.max(likely, earliestMs ?? -Infinity), latestMs ?? Infinity);
}

/** The differences that replies show if they take no time, over as many machines as need be. */
function likelyOf(orders: readonly Order[], reference: Clock): Map<Clock, number> {
  const replies = orders.filter(({ isReply }) => isReply).map(({ first, then }) => ({ from: first.clock, to: then.clock, lag: then.atMs - first.atMs - REPLY_MS }));
  replies.sort((a, b) => Math.abs(a.lag) - Math.abs(b.lag));
  const found = new Map([[reference, 0]]);
  for (const [clock, aheadMs] of found) {
    for (const { from, to, lag } of replies) {
      if (from === clock && !found.has(to)) found.set(to, aheadMs + lag);
      if (to === clock && !found.has(from)) found.set(from, aheadMs - lag);
    }
  }
  return found;
}

/** How far each can be ahead, by way of all others; `undefined` if that contradicts itself. */
function shortest(orders: readonly Order[], from: Clock, ends: (order: Order) => [Clock, Clock]): Map<Clock, number> | undefined {
  const distances = new Map([[from, 0]]);
  for (let round = 0; ; round += 1) {
    let isChanged = false;
    for (const order of orders) {
      const [begin, end] = ends(order);
      const mostMs = (distances.get(begin) ?? Infinity) + mostOf(order);
      if (mostMs >= (distances.get(end) ?? Infinity) - CLOCK_SLACK_MS) continue;
      if (end === from) return undefined;
      distances.set(end, mostMs);
      isChanged = true;
    }
    if (!isChanged) return distances;
    if (round > distances.size) return undefined;
  }
}
