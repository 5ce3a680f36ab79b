// The events of a run that its captions show, from the simulator's events.

import type { ScenarioEvent } from 'locket-wasm';
import type { SimulationTimeline } from 'locket-wasm/types';

import type { Fact } from '../core/sentences.js';
import { isWithin, type Letter, letterOf, type Names, type Recorded } from './run.js';

/** The facts of a run, in order of time. */
export function factsOf({ events, messages, endMs }: SimulationTimeline, run: Recorded): Fact[] {
  const believes = (client: Letter, atMs: number): boolean => run.beliefs.some((belief) => belief.client === client && isWithin(belief, atMs));
  const holds = (client: Letter, atMs: number): boolean => run.holders.some((holder) => holder.client === client && isWithin(holder, atMs));
  const isFrozen = (client: Letter, atMs: number): boolean => run.outages.some((outage) => outage.client === client && outage.status === 'paused' && isWithin(outage, atMs));
  const facts: Fact[] = [
    ...run.outages.map(({ client, status, fromMs: atMs }): Fact =>
      (status === 'down' ? { is: 'crashes', client, atMs } : { is: 'freezes', client, atMs, believes: believes(client, atMs) })),
    ...run.outages.filter(({ status }) => status === 'paused').map(({ client, fromMs, toMs: atMs }): Fact => ({ is: 'wakes', client, atMs, believed: believes(client, fromMs), believes: believes(client, atMs), holds: holds(client, atMs) })),
    ...run.beliefs.map(({ client, fromMs: atMs }, index): Fact => ({ is: 'takes', client, atMs, ttlMs: run.ttlMs, isFirst: index === 0, isAgain: false })),
    ...run.holders.filter(({ client, fromMs }) => believes(client, fromMs)).map(({ client, fromMs: atMs }): Fact => ({ is: 'takes', client, atMs, ttlMs: run.ttlMs, isFirst: false, isAgain: true })),
    ...run.beliefs.filter(({ client, toMs }) => toMs < endMs && !isFrozen(client, toMs)).map(({ client, toMs: atMs }): Fact => ({ is: 'stops', client, knows: !holds(client, atMs), atMs })),
    ...run.writes.map(({ client, sentMs: atMs }): Fact => ({ is: 'writes', client, atMs })),
    ...run.writes.flatMap(({ client, arrivesMs: atMs, over, isStale }): Fact[] => (over === null ? [] : [{ is: 'overwrites', client, whose: over.client, isStale, atMs }])),
    ...messages.filter(({ fate }) => fate === 'lost').flatMap(({ from, to, sentMs: atMs, isAnswer }): Fact[] => {
      const client = letterOf(run.names, isAnswer ? to : from);
      const ask = run.asks.find((one) => one.client === client && isWithin(one, atMs));
      return client === undefined || ask === undefined ? [] : [{ is: 'loses-message', client, what: isAnswer ? 'an answer' : believes(client, atMs) ? 'a renewal' : 'a request', untilMs: ask.toMs, atMs }];
    }),
    ...run.holders.flatMap(({ client, toMs }) => endOf(events, client, toMs, run)),
    ...events.flatMap(({ runner, who, timeMs: atMs }): Fact[] => {
      const client = runner === 'released' ? letterOf(run.names, who) : undefined;
      return client === undefined ? [] : [{ is: 'releases', client, atMs }];
    }),
  ];
  return facts.sort((one, other) => one.atMs - other.atMs);
}

/** How a client lost the lock, if it did not give it back. */
function endOf(events: readonly ScenarioEvent[], client: Letter, atMs: number, { names, ttlMs, outages }: Recorded): Fact[] {
  switch (lossAt(events, names[client], atMs)) {
    case 'deleted':
      return [{ is: 'deleted', client, atMs }];
    case 'expired':
      return [{ is: 'expires', client, atMs, ttlMs, isAway: outages.some((outage) => outage.client === client && isWithin(outage, atMs)) }];
    case 'lost':
      return [{ is: 'fails-over', atMs }];
    default:
      return [];
  }
}

/** How the row of an owner ended at a moment: in the words of the stage. */
export function lossAt(events: readonly ScenarioEvent[], owner: Names[Letter], atMs: number): 'deleted' | 'expired' | 'free' | 'lost' {
  const then = events.filter(({ timeMs }) => timeMs === atMs);
  if (then.some(({ kind }) => kind === 'failed-over')) return 'lost';
  if (then.some(({ kind }) => kind === 'expired')) return 'expired';
  return then.some((event) => isRelease(event) && event.words.includes(owner)) ? 'free' : 'deleted';
}

/** A Release that Locket executed, by any caller. */
function isRelease({ kind, asks, ok }: ScenarioEvent): boolean {
  return kind === 'handled' && ok === true && asks !== null && asks.startsWith('releases');
}
