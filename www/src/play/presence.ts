// A presence on the stage: two cells keep theirs, and the BBS reads the list. If cell A is not in it, the BBS starts A's work on B.
// That the work follows the list is all that the page adds: cells, Locket and what the BBS reads are the simulator's.

import type { Simulation } from 'locket-wasm';
import type { SimulationTimeline } from 'locket-wasm/types';
import { length } from '../base/picture.js';

import { tenths } from '../base/time.js';
import { recorded } from '../story/recorded.js';
import { type Beat, isWithin, type Recorded, type Span } from '../story/run.js';
import { type ClientScene, type Scene, sceneOf } from '../story/scene.js';
import { type Act, CELLS } from './acts.js';
import type { Caption } from './caption.js';

/** The part of a run of presences that no run of a lock has. */
export interface Presence {
  /** The run with A in the list as its only owner. */
  run: Recorded;
  /** When the links of A are cut. */
  cuts: readonly Span[];
  /** When A's work runs on B, too. */
  copies: readonly Span[];
  /** The events in order, as sentences. */
  told: readonly { atMs: number; words: string }[];
}

/** The run of two cells, and the same for the trace: where A's work runs, and whether A is in the list. */
export function presenceOf(simulation: Simulation, timeline: SimulationTimeline, acts: readonly Act[]): { run: Recorded; presence: Presence } {
  const all = recorded(simulation, timeline, { firstMs: 0, everyMs: 0 });
  const run = { ...all, holders: all.holders.filter(({ client }) => client === 'A'), writes: [] };
  const cuts = acts.flatMap((act) => (act.do === 'cut' ? [{ fromMs: act.atMs, toMs: act.untilMs ?? timeline.endMs }] : []));
  const copies = copiesOf(timeline);
  const works = [{ client: 'A' as const, fromMs: run.holders[0]?.fromMs ?? 0, toMs: timeline.endMs }, ...copies.map((copy) => ({ client: 'B' as const, ...copy }))];
  const outages = cuts.map((cut) => ({ client: 'A' as const, status: 'cut off' as const, ...cut }));
  return { run: { ...run, beliefs: works, outages }, presence: { run, cuts, copies, told: wholeOf(run, cuts, copies) } };
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

function wholeOf({ holders, ttlMs, endMs, leases }: Recorded, cuts: readonly Span[], copies: readonly Span[]): Presence['told'] {
  const ends = cuts.filter(({ toMs }) => toMs < endMs).map(({ toMs }) => toMs);
  const kept = ends.flatMap((toMs) => {
    const renewal = leases.find(({ atMs }) => atMs > toMs);
    return renewal !== undefined && holders.some((span) => isWithin(span, toMs) && isWithin(span, renewal.atMs)) ? [renewal.atMs] : [];
  });
  return [
    ...ends.map((atMs) => ({ atMs, words: 'A is connected again. Its next attempt comes by itself.' })),
    ...kept.map((atMs) => ({ atMs, words: 'A renews in time, and stays in the list.' })),
    ...holders.filter(({ toMs }) => toMs < endMs).map(({ toMs }) => ({ atMs: toMs, words: `No renewal arrives. After ${ttlMs / 1_000} seconds A leaves the list.` })),
    ...holders.slice(1).map(({ fromMs }) => ({ atMs: fromMs, words: 'A has never stopped trying. It is in the list again.' })),
    ...copies.map(({ fromMs }) => ({ atMs: fromMs, words: 'The BBS does not find A in the list, and starts its work on B.' })),
    ...copies.filter(({ toMs }) => toMs < endMs).map(({ toMs }) => ({ atMs: toMs, words: 'The BBS finds A in the list, and stops the copy on B.' })),
  ].sort((one, other) => one.atMs - other.atMs);
}

// -- the stage

/** The stage at a moment. */
export function presenceScene(presence: Presence, beat: Beat, timeMs: number): Scene {
  const { run } = presence;
  const scene = sceneOf(run, beat, timeMs);
  const isListed = scene.lock.owner === 'A';
  const isCut = presence.cuts.some((cut) => isWithin(cut, timeMs));
  /** Where a message of A is seen to be lost, that says it. */
  const misses = isCut && !scene.flights.some(({ client }) => client === 'A');
  const lock = { ...scene.lock, words: isListed ? scene.lock.words : 'A is missing' };
  const clients = scene.clients.map((client): ClientScene => (client.letter === 'A' ? { ...client, kind: 'Cell', isWrong: false, misses, words: cellWords(run, client.believes, timeMs) } : { ...client, kind: 'Cell', words: 'keeps its presence' }));
  const works = presence.copies.some((copy) => isWithin(copy, timeMs)) ? 'A’s work runs twice, on A and on B.' : 'A’s work runs on A.';
  return { ...scene, lock, clients, sentence: `${isListed ? `A is in the list, ${lock.words}` : 'A is not in the list'}.${isCut ? ' A is cut off.' : ''} ${works}` };
}

function cellWords({ asks, retryIntervalMs }: Recorded, believes: boolean, timeMs: number): string {
  if (believes) return 'believes it is in the list';
  const own = asks.filter(({ client }) => client === 'A');
  const next = own.find(({ fromMs }) => fromMs > timeMs);
  // An attempt waits for one retry interval at most.
  const asksNow = own.some((ask) => isWithin(ask, timeMs) && timeMs < ask.fromMs + retryIntervalMs);
  return asksNow || next === undefined ? 'tries to come back' : `tries again in ${tenths(next.fromMs - timeMs)}`;
}

// -- the words

export const PRESENCE_HOOK = 'A presence says that a cell is alive. The BBS reads the list every 5 seconds.';

/** The sentence of a moment; `undefined` before anything was done. */
export function presenceCaption({ run, cuts, copies, told }: Presence, timeMs: number): Caption | undefined {
  if (cuts.some((cut) => isWithin(cut, timeMs))) {
    const endsMs = run.holders.some((span) => isWithin(span, timeMs)) ? run.leases.findLast(({ atMs }) => atMs <= timeMs)?.endsMs : undefined;
    if (endsMs !== undefined) return { words: 'A is cut off.', ticks: `It leaves the list in ${tenths(endsMs - timeMs)}.` };
    return { words: copies.some((copy) => isWithin(copy, timeMs)) ? 'A is cut off. The BBS has started its work on B.' : 'A is cut off, and not in the list.' };
  }
  return told.findLast(({ atMs }) => atMs <= timeMs);
}

/** The result of the cuts, up to the end that is shown. */
export function presenceOutcome({ run: { holders }, cuts, copies }: Presence, endMs: number): { isMissing: boolean; words: string } {
  const sum = (spans: readonly Span[]): number => spans.reduce((total, { fromMs, toMs }) => total + Math.max(Math.min(toMs, endMs) - fromMs, 0), 0);
  const missingMs = sum(holders.map(({ toMs }, index) => ({ fromMs: toMs, toMs: holders[index + 1]?.fromMs ?? Infinity })));
  if (missingMs === 0) return { isMissing: false, words: `A was cut off for ${length(sum(cuts))}, and stayed in the list.` };
  const missing = `A was missing from the list for ${length(missingMs)}.`;
  return { isMissing: true, words: sum(copies) === 0 ? `${missing} The BBS did not read it in that time.` : `${missing} Its work ran twice for ${length(sum(copies))}.` };
}
