// A presence on the stage: two cells keep theirs, and the BBS reads the list. If cell A is not in it, the BBS starts A's work on B.
// That the work follows the list is all that the page adds: cells, Locket and what the BBS reads are the simulator's.

import type { Simulation } from 'locket-wasm';
import type { SimulationTimeline } from 'locket-wasm/types';

import { tenths } from '../base/time.js';
import { type PresenceFact, type PresenceMoment, presenceWords } from '../core/sentences.js';
import { recorded } from '../story/recorded.js';
import { type Beat, isWithin, type Recorded, type Span } from '../story/run.js';
import { type ClientScene, type Scene, sceneOf } from '../story/scene.js';
import { type Act, CELLS } from './acts.js';

/** The part of a run of presences that no run of a lock has. */
export interface Presence {
  /** The run with A in the list as its only owner. */
  run: Recorded;
  /** When the links of A are cut. */
  cuts: readonly Span[];
  /** When A's work runs on B, too. */
  copies: readonly Span[];
  /** What has happened, in order of time. */
  facts: readonly PresenceFact[];
}

/** The run of two cells, and the same for the trace: where A's work runs, and whether A is in the list. */
export function presenceOf(simulation: Simulation, timeline: SimulationTimeline, acts: readonly Act[]): { run: Recorded; presence: Presence } {
  const all = recorded(simulation, timeline, { firstMs: 0, everyMs: 0 });
  const run = { ...all, holders: all.holders.filter(({ client }) => client === 'A'), writes: [] };
  const cuts = acts.flatMap((act) => (act.do === 'cut' ? [{ fromMs: act.atMs, toMs: act.untilMs ?? timeline.endMs }] : []));
  const copies = copiesOf(timeline);
  const works = [{ client: 'A' as const, fromMs: run.holders[0]?.fromMs ?? 0, toMs: timeline.endMs }, ...copies.map((copy) => ({ client: 'B' as const, ...copy }))];
  const outages = cuts.map((cut) => ({ client: 'A' as const, status: 'cut off' as const, ...cut }));
  return { run: { ...run, beliefs: works, outages }, presence: { run, cuts, copies, facts: factsOf(run, cuts, copies) } };
}

/** From an answer to the BBS without A to the next one with it. */
function copiesOf({ events, endMs }: SimulationTimeline): Span[] {
  const reads = events.filter(({ kind, who, ok }) => kind === 'answered' && who === CELLS.reader && ok === true)
    .map(({ timeMs, words }) => ({ atMs: timeMs, hasA: words.includes(`${CELLS.A} (`) }));
  return reads.flatMap(({ atMs, hasA }, index) => {
    if (hasA || reads[index - 1]?.hasA === false) return [];
    return [{ fromMs: atMs, toMs: reads.slice(index).find((read) => read.hasA)?.atMs ?? endMs }];
  });
}

function factsOf({ holders, ttlMs, endMs, renewals }: Recorded, cuts: readonly Span[], copies: readonly Span[]): PresenceFact[] {
  const ends = cuts.filter(({ toMs }) => toMs < endMs).map(({ toMs }) => toMs);
  const kept = ends.flatMap((toMs) => {
    const renewal = renewals.find(({ atMs }) => atMs > toMs);
    return renewal !== undefined && holders.some((span) => isWithin(span, toMs) && isWithin(span, renewal.atMs)) ? [renewal.atMs] : [];
  });
  return [
    ...ends.map((atMs): PresenceFact => ({ atMs, is: 'heals' })),
    ...kept.map((atMs): PresenceFact => ({ atMs, is: 'keeps' })),
    ...holders.filter(({ toMs }) => toMs < endMs).map(({ toMs }): PresenceFact => ({ atMs: toMs, is: 'leaves', ttlMs })),
    ...holders.slice(1).map(({ fromMs }): PresenceFact => ({ atMs: fromMs, is: 'returns' })),
    ...copies.map(({ fromMs }): PresenceFact => ({ atMs: fromMs, is: 'copies' })),
    ...copies.filter(({ toMs }) => toMs < endMs).map(({ toMs }): PresenceFact => ({ atMs: toMs, is: 'stops-copy' })),
  ].sort((one, other) => one.atMs - other.atMs);
}

/** How the presence of A is at a moment. */
export function presenceMoment({ run, cuts, copies }: Presence, timeMs: number): PresenceMoment {
  return {
    timeMs,
    isCut: cuts.some((cut) => isWithin(cut, timeMs)),
    isListed: run.holders.some((span) => isWithin(span, timeMs)),
    endsMs: run.renewals.findLast(({ atMs }) => atMs <= timeMs)?.endsMs,
    runsTwice: copies.some((copy) => isWithin(copy, timeMs)),
  };
}

// -- the stage

/** The stage at a moment. */
export function presenceScene(presence: Presence, beat: Beat, timeMs: number): Scene {
  const { run } = presence;
  const scene = sceneOf(run, beat, timeMs);
  const moment = presenceMoment(presence, timeMs);
  /** Where a message of A is seen to be lost, that says it. */
  const misses = moment.isCut && !scene.flights.some(({ client }) => client === 'A');
  const lock = { ...scene.lock, words: moment.isListed ? scene.lock.words : 'A is missing' };
  const clients = scene.clients.map((client): ClientScene => (client.letter === 'A' ? { ...client, kind: 'Cell', isWrong: false, misses, words: cellWords(run, moment, client.believes) } : { ...client, kind: 'Cell', words: 'keeps its presence' }));
  return { ...scene, lock, clients, sentence: presenceWords(moment) };
}

function cellWords({ asks }: Recorded, { timeMs, isListed }: PresenceMoment, believes: boolean): string {
  if (believes) return 'believes it is in the list';
  const own = asks.filter(({ client }) => client === 'A');
  const next = own.find(({ fromMs }) => fromMs > timeMs);
  const asksNow = own.some((ask) => isWithin(ask, timeMs));
  if (isListed) return 'is not sure it is in the list';
  return asksNow || next === undefined ? 'tries to come back' : `tries again in ${tenths(next.fromMs - timeMs)}`;
}
