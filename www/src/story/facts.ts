// The events of a run that its captions show, from the simulator's events.

import type { ScenarioEvent } from 'locket-wasm';
import type { SimulationTimeline } from 'locket-wasm/types';

import { isWithin, type Letter, letterOf, type Recorded } from './run.js';

/** Something that happens to the lock or to a client, as far as captions tell it. */
export type Fact = { atMs: number } & (
  | { is: 'crashes'; client: Letter }
  | { is: 'deleted'; client: Letter }
  | { is: 'expires'; client: Letter; ttlMs: number; isAway: boolean }
  | { is: 'fails-over' }
  | { is: 'freezes'; client: Letter; believes: boolean }
  | { is: 'loses-message'; client: Letter }
  | { is: 'overwrites'; client: Letter; whose: Letter; isStale: boolean }
  | { is: 'releases'; client: Letter }
  | { is: 'takes'; client: Letter; ttlMs: number; isFirst: boolean }
  | { is: 'wakes'; client: Letter; believes: boolean; holds: boolean }
  | { is: 'writes'; client: Letter }
);

/** The facts of a run, in order of time. */
export function factsOf({ events }: SimulationTimeline, run: Recorded): Fact[] {
  const believes = (client: Letter, atMs: number): boolean => run.beliefs.some((belief) => belief.client === client && isWithin(belief, atMs));
  const holds = (client: Letter, atMs: number): boolean => run.holders.some((holder) => holder.client === client && isWithin(holder, atMs));
  const facts: Fact[] = [
    ...run.outages.map(({ client, status, fromMs: atMs }): Fact =>
      (status === 'down' ? { is: 'crashes', client, atMs } : { is: 'freezes', client, atMs, believes: believes(client, atMs) })),
    ...run.outages.filter(({ status }) => status === 'paused').map(({ client, toMs: atMs }): Fact => ({ is: 'wakes', client, atMs, believes: believes(client, atMs), holds: holds(client, atMs) })),
    ...run.beliefs.map(({ client, fromMs: atMs }, index): Fact => ({ is: 'takes', client, atMs, ttlMs: run.ttlMs, isFirst: index === 0 })),
    ...run.writes.map(({ client, sentMs: atMs }): Fact => ({ is: 'writes', client, atMs })),
    ...run.writes.flatMap(({ client, arrivesMs: atMs, over, isStale }): Fact[] => (over === null ? [] : [{ is: 'overwrites', client, whose: over.client, isStale, atMs }])),
    ...events.flatMap((event) => factsOfEvent(event, run)),
  ];
  return facts.sort((one, other) => one.atMs - other.atMs);
}

function factsOfEvent(event: ScenarioEvent, { names, ttlMs, holders, outages }: Recorded): Fact[] {
  const { kind, timeMs: atMs, who, runner, cause } = event;
  const client = letterOf(names, who);
  if (kind === 'failed-over') return [{ is: 'fails-over', atMs }];
  if (kind === 'message-lost' && client !== undefined) return [{ is: 'loses-message', client, atMs }];
  if (runner === 'released' && client !== undefined) return [{ is: 'releases', client, atMs }];
  const owner = holders.find(({ toMs }) => toMs === atMs)?.client;
  if (owner === undefined) return [];
  // A Release that the owner has not asked for, or a deleted row without a call or a timer as its cause.
  const isDeleted = (isRelease(event) && !event.words.includes(names[owner])) || (kind === 'row-deleted' && cause === null);
  if (isDeleted) return [{ is: 'deleted', client: owner, atMs }];
  const isAway = outages.some((outage) => outage.client === owner && isWithin(outage, atMs));
  return kind === 'expired' ? [{ is: 'expires', client: owner, atMs, ttlMs, isAway }] : [];
}

/** A Release that Locket executed, by any caller. */
export function isRelease({ kind, asks, ok }: ScenarioEvent): boolean {
  return kind === 'handled' && ok === true && asks !== null && asks.startsWith('releases');
}
