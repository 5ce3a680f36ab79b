// Where a clock was set: a machine's lines go back, or what two machines share shows another difference than before. What comes after
// is by another clock, of which only shared lines and the order of the machine's own lines say more.

import { grouped } from './arrays.js';
import type { Clock, LogEvent, Machine } from './evidence.js';
import { CLOCK_SLACK_MS, mostOf, type Order, order } from './order.js';

/** Lines of one process go back by less where its threads write at the same time. */
const BACK_MS = 100;
const FAR_FEWER = 4;
/** More clocks of a machine say nothing more. */
const ROUNDS_MAX = 16;

/** Gives the lines of each machine the clocks of their stretches, and says in which order these are. */
export function splitClocks(machines: readonly Machine[], orders: readonly Order[]): Order[] {
  for (const machine of machines) {
    machine.clocks = [{ machine }];
    for (const event of machine.events) event.clock = machine.clocks[0] as Clock;
    if (machine.isInOrder) machine.events.forEach((event, index) => (event.atMs < (machine.events[index - 1]?.atMs ?? 0) - BACK_MS ? splitAt(machine, index, index) : undefined));
  }
  if (isContradictory(orders)) splitConflicts(machines, orders);
  return machines.filter(({ isInOrder, clocks }) => isInOrder && clocks.length > 1).flatMap(({ events }) => events.flatMap((event, index) => {
    const before = events[index - 1];
    return before === undefined || before.clock === event.clock ? [] : [order(before, event)];
  }));
}

/** True if two machines cannot have one clock each. Hardly any logs are so, and to look where takes memory. */
function isContradictory(orders: readonly Order[]): boolean {
  const most = new Map<Machine, Map<Machine, number>>();
  return orders.some((one) => {
    const [first, then, ms] = [one.first.machine, one.then.machine, mostOf(one)];
    const others = most.get(first) ?? new Map<Machine, number>();
    most.set(first, others.set(then, Math.min(ms, others.get(then) ?? Infinity)));
    return ms + (most.get(then)?.get(first) ?? Infinity) < -CLOCK_SLACK_MS;
  });
}

function splitConflicts(machines: readonly Machine[], orders: readonly Order[]): void {
  const places = new Map(machines.flatMap(({ events }) => events.map((event, index) => [event, index])));
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const conflicts = conflictsIn(orders, places);
    if (conflicts.length === 0) break;
    // Lines that are mixed up have no stretches.
    for (const { machine, from, to } of blamed(conflicts)) splitAt(machine, machine.isInOrder ? from : 0, machine.isInOrder ? to : machine.events.length - 1);
  }
}

/** A clock was set at one of some lines, so each of them may be by either: it gets a clock of its own. */
function splitAt(machine: Machine, from: number, to: number): void {
  const { events } = machine;
  const old = events[to]?.clock;
  for (let index = from; index <= to; index += 1) {
    const clock = { machine };
    if (index < to) (events[index] as LogEvent).clock = clock;
    else for (let rest = to; rest < events.length && events[rest]?.clock === old; rest += 1) (events[rest] as LogEvent).clock = clock;
  }
  machine.clocks = [...new Set(events.map(({ clock }) => clock))];
}

/** Lines of a machine, one of which is the first by another clock. */
interface Suspicion {
  machine: Machine;
  other: Machine;
  from: number;
  to: number;
}

/** Of each two clocks that cannot have run beside each other all the time, the lines of either machine where one of them was set. */
function conflictsIn(orders: readonly Order[], places: ReadonlyMap<LogEvent, number>): Suspicion[] {
  const pairs = grouped(orders, ({ first, then }) => [first, then].map(({ machine: { id, clocks }, clock }) => `${id} ${clocks.indexOf(clock)}`).sort().join('\n\n'));
  return [...pairs.values()].flatMap((own) => {
    const machine = (own[0] as Order).first.machine;
    const placed = own.map((one) => {
      const isFirst = one.first.machine === machine;
      const [mine, theirs] = isFirst ? [one.first, one.then] : [one.then, one.first];
      return { mine, theirs, place: places.get(mine) as number, otherPlace: places.get(theirs) as number, isMost: isFirst, ms: isFirst ? mostOf(one) : -mostOf(one) };
    });
    let [most, least]: (typeof placed[0] | undefined)[] = [];
    for (const one of placed.sort((a, b) => a.place - b.place || a.otherPlace - b.otherPlace)) {
      const against = one.isMost ? least : most;
      const isConflict = against !== undefined && (one.isMost ? one.ms < against.ms - CLOCK_SLACK_MS : one.ms > against.ms + CLOCK_SLACK_MS);
      if (isConflict) {
        const [low, high] = [against.otherPlace, one.otherPlace].sort((a, b) => a - b) as [number, number];
        const { machine: other } = one.theirs;
        return [{ machine, other, from: against.place + 1, to: one.place }, { machine: other, other: machine, from: low + 1, to: high }].filter(({ from, to }) => from <= to);
      }
      if (one.isMost && (most === undefined || one.ms < most.ms)) most = one;
      if (!one.isMost && (least === undefined || one.ms > least.ms)) least = one;
    }
    return [];
  });
}

/** The machines with most conflicts: if it is one that does not agree with several others, these are not to blame. */
function blamed(conflicts: readonly Suspicion[]): Suspicion[] {
  const counts = [...grouped(conflicts, ({ machine }) => machine.id).values()].sort((a, b) => b.length - a.length);
  const most = counts[0]?.length ?? 0;
  const narrowest = counts.filter((own) => own.length === most).map((own) => own.reduce((narrow, one) => (one.to - one.from < narrow.to - narrow.from ? one : narrow)));
  // Of two that do not agree, the one of which far fewer lines are to blame.
  const least = Math.min(...narrowest.map(({ from, to }) => to - from + 1));
  return narrowest.filter(({ from, to }) => to - from < FAR_FEWER * least);
}
