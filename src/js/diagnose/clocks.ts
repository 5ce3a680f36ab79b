// The differences between the machines' clocks, from the certain order of lines: certain bounds, and
// within them the likeliest difference.

import { grouped } from './arrays.js';
import type { LogEvent, Machine } from './evidence.js';
import type { Instant } from './instant.js';
import { isTimeout, NEAR_MS, type Order } from './order.js';

/** The reading of a machine's clock. */
export interface ClockReading {
  machine: Machine;
  /** By how much it is ahead of the report's clock. */
  aheadMs: number;
  earliestMs: number | null;
  latestMs: number | null;
  /** Whether the lines contradict each other, as if the clock had been set meanwhile. */
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
  readonly #readings: Map<Machine, ClockReading>;

  private constructor(
    readonly reference: Machine | undefined,
    readings: ClockReading[],
  ) {
    this.#readings = new Map(readings.map((reading) => [reading.machine, reading]));
  }

  /** Reads them off the order of lines. */
  static of(machines: readonly Machine[], orders: readonly Order[]): Clocks {
    const first = mostShared(machines, orders);
    if (first === undefined) return new Clocks(undefined, []);
    const firm = [...orders.filter(({ isDoubtful }) => !isDoubtful), ...agreements(orders)];
    const all = [...firm, ...supported(orders, readings(machines, firm, first))];
    const rough = readings(machines, all, first);
    const sorted = [...rough].sort((a, b) => a.aheadMs - b.aheadMs);
    const middle = sorted[Math.floor((sorted.length - 1) / 2)]?.aheadMs ?? 0;
    // The one in the middle; of those that agree with it, the one that shares most lines.
    const isFirst = Math.abs(middle) < AGREEMENT_MS;
    const reference = isFirst ? first : (sorted.find(({ aheadMs }) => aheadMs === middle)?.machine ?? first);
    return new Clocks(reference, reference === first ? rough : readings(machines, all, reference));
  }

  /** The readings of all clocks. */
  list(): ClockReading[] {
    return [...this.#readings.values()];
  }

  /** When something happened: so long before its line was written. */
  instantOf({ machine, atMs }: Pick<LogEvent, 'atMs' | 'machine'>, earlierMs = 0): Instant {
    const { aheadMs = 0, earliestMs = null, latestMs = null } = this.#readings.get(machine) ?? {};
    const at = atMs - earlierMs;
    return {
      ms: at - aheadMs,
      earliestMs: latestMs === null ? null : at - latestMs,
      latestMs: earliestMs === null ? null : at - earliestMs,
    };
  }
}

function mostShared(machines: readonly Machine[], orders: readonly Order[]): Machine | undefined {
  const counts = new Map<Machine, number>(machines.map((machine) => [machine, 0]));
  for (const { first, then } of orders) {
    for (const { machine } of [first, then]) counts.set(machine, (counts.get(machine) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || Number(b.isLocket) - Number(a.isLocket))[0]?.[0];
}

/**
 * Orders in which two clocks agree within some ms, or differ twice by the same amount. A slow reply does not make up for a
 * difference so exactly by chance: then the reply was a fast one.
 */
function agreements(orders: readonly Order[]): Order[] {
  const isNearTimeout = timeoutsNear();
  const replies = orders.filter(({ isReply, then }) => isReply && !isNearTimeout(then));
  const lagOf = ({ first, then }: Order) => then.atMs - first.atMs;
  const pairs = grouped(replies, ({ first, then }) => `${first.machine.id}\n\n${then.machine.id}`);
  const agreeing = [...pairs.values()].flatMap((own) => {
    const sorted = own.sort((a, b) => lagOf(a) - lagOf(b));
    return sorted.filter((reply, index) => {
      const lag = lagOf(reply);
      const beside = [sorted[index - 1], sorted[index + 1]];
      return (lag > -REPLY_MS && lag < AGREEMENT_MS) || beside.some((other) => other !== undefined && other.first !== reply.first && Math.abs(lagOf(other) - lag) < AGREEMENT_MS);
    });
  });
  return agreeing
    .flatMap((reply): Order[] => [
      { ...reply, gapMs: 0 },
      { ...reply, first: reply.then, firstEarlierMs: 2 * AGREEMENT_MS, then: reply.first, gapMs: 0, isReply: false },
    ]);
}

/**
 * Pairs of lines that fit only if the clocks differ. A pair counts if other evidence shows the same difference: bounds that are
 * known already, or other lines that are as hard to explain.
 */
function supported(orders: readonly Order[], known: readonly ClockReading[]): Order[] {
  const of = new Map(known.map((reading) => [reading.machine, reading]));
  const doubtful = grouped(
    orders.filter(({ isDoubtful }) => isDoubtful),
    ({ first, then }) => [first.machine.id, then.machine.id].sort().join('\n\n'),
  );
  return [...doubtful.values()].flatMap((own) => {
    const [{ first, then }] = own as [Order];
    const [a, b] = [of.get(first.machine), of.get(then.machine)];
    if (a === undefined || b === undefined) return [];
    const leastMs = (b.earliestMs ?? -Infinity) - (a.latestMs ?? Infinity);
    const mostMs = (b.latestMs ?? Infinity) - (a.earliestMs ?? -Infinity);
    return leastMs > NEAR_MS || mostMs < -NEAR_MS || agreeAlone(own) ? own : [];
  });
}

/** Whether two of them, about different lines, show that one clock is ahead of the other. */
function agreeAlone(orders: readonly Order[]): boolean {
  const telling = orders.filter((order) => mostOf(order) < -NEAR_MS);
  return telling.some((one) => telling.some((other) => one.first.machine === other.first.machine && one.first !== other.first && one.then !== other.then));
}

/** Whether something happened near a timeout of its machine. */
function timeoutsNear(): (event: LogEvent) => boolean {
  const timeouts = new Map<Machine, number[]>();
  return ({ machine, atMs }) => {
    const known = timeouts.get(machine) ?? machine.events.filter((event) => event.error !== '' && isTimeout(event)).map((event) => event.atMs);
    timeouts.set(machine, known);
    return known.some((ms) => Math.abs(ms - atMs) < SLOW_NEAR_MS);
  };
}

/** Clocks as one of them sees them. */
function readings(machines: readonly Machine[], orders: readonly Order[], reference: Machine): ClockReading[] {
  const edges = edgesOf(orders);
  const latest = shortest(edges, reference, ({ from, to }) => [from, to]);
  const earliest = shortest(edges, reference, ({ from, to }) => [to, from]);
  const isContradictory = latest === undefined || earliest === undefined;
  const likely = likelyOf(orders, reference);
  return machines.map((machine) => {
    const bound = (distances: Map<Machine, number> | undefined) => distances?.get(machine) ?? null;
    const latestMs = bound(latest);
    const back = bound(earliest);
    const earliestMs = back === null ? null : -back;
    const aheadMs = machine === reference ? 0 : likelyAhead(likely.get(machine), earliestMs, latestMs);
    return { machine, aheadMs, earliestMs, latestMs, isContradictory };
  });
}

/** The difference by replies; without replies, the middle of narrow bounds, or no difference. */
function likelyAhead(byReplies: number | undefined, earliestMs: number | null, latestMs: number | null): number {
  const isNarrow = earliestMs !== null && latestMs !== null && latestMs - earliestMs < 4 * AGREEMENT_MS;
  const likely = byReplies ?? (isNarrow ? (earliestMs + latestMs) / 2 : 0);
  return Math.min(Math.max(likely, earliestMs ?? -Infinity), latestMs ?? Infinity);
}

/** The differences that replies show if they take no time, over as many machines as need be. */
function likelyOf(orders: readonly Order[], reference: Machine): Map<Machine, number> {
  const lags = new Map<Machine, Map<Machine, number>>();
  const note = (from: Machine, to: Machine, lag: number) => {
    const others = lags.get(from) ?? new Map<Machine, number>();
    const known = others.get(to);
    if (known === undefined || Math.abs(lag) < Math.abs(known)) others.set(to, lag);
    lags.set(from, others);
  };
  for (const { first, then, isReply } of orders) {
    if (!isReply) continue;
    const lag = then.atMs - first.atMs - REPLY_MS;
    note(first.machine, then.machine, lag);
    note(then.machine, first.machine, -lag);
  }
  const found = new Map([[reference, 0]]);
  for (const machine of found.keys()) {
    for (const [other, lag] of lags.get(machine) ?? []) {
      if (!found.has(other)) found.set(other, (found.get(machine) as number) + lag);
    }
  }
  return found;
}

/** That the clock of `to` is ahead of that of `from` by at most so much. */
interface Edge {
  from: Machine;
  to: Machine;
  mostMs: number;
}

/** The earlier event's clock may be behind, never so far ahead that the later event would come first. */
const mostOf = ({ first, firstEarlierMs, then, gapMs }: Order) => then.atMs - (first.atMs - firstEarlierMs) - gapMs;

function edgesOf(orders: readonly Order[]): Edge[] {
  const edges = new Map<Machine, Map<Machine, Edge>>();
  for (const order of orders) {
    const { first, then } = order;
    if (first.machine === then.machine) continue;
    const mostMs = mostOf(order);
    const others = edges.get(first.machine) ?? new Map<Machine, Edge>();
    const known = others.get(then.machine);
    if (known === undefined || mostMs < known.mostMs) others.set(then.machine, { from: first.machine, to: then.machine, mostMs });
    edges.set(first.machine, others);
  }
  return [...edges.values()].flatMap((others) => [...others.values()]);
}

/** How far each can be ahead, by way of all others; `undefined` if that contradicts itself. */
function shortest(edges: readonly Edge[], from: Machine, ends: (edge: Edge) => [Machine, Machine]): Map<Machine, number> | undefined {
  const distances = new Map([[from, 0]]);
  for (let round = 0; ; round += 1) {
    let isChanged = false;
    for (const edge of edges) {
      const [begin, end] = ends(edge);
      const known = distances.get(begin);
      if (known === undefined || known + edge.mostMs >= (distances.get(end) ?? Infinity) - CLOCK_SLACK_MS) continue;
      if (end === from) return undefined;
      distances.set(end, known + edge.mostMs);
      isChanged = true;
    }
    if (!isChanged) return distances;
    if (round > edges.length) return undefined;
  }
}

/** Lines are written with an error of less than a microsecond, and clocks are slewed while they are set. */
const CLOCK_SLACK_MS = 0.5;
