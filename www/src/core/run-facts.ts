// The facts of a run's whole timeline, independent of the cursor: overlaps, gaps of a presence, and all faults.

import type { ScenarioEvent } from 'locket-wasm';
import type { SimulationNode, SimulationTimeline } from 'locket-wasm/types';
import { type Outcome, outcomeOf, runnersOf } from 'locket-wasm/picture';

/** The facts of a run. */
export interface RunFacts extends Outcome {
  wrong: Wrong;
}

/** The faults of a run. Messages between Locket and database count as `queryMs` and `lostReplies`. */
export interface Wrong {
  /** The longest latency of a message, in milliseconds. */
  delayMs: number;
  queryMs: number;
  lostMessages: number;
  lostReplies: number;
  pauses: number;
  pauseMs: number;
  crashes: number;
  restarts: number;
  stops: number;
  rowDeletions: number;
  failovers: number;
  /** Faults that no check on this page allows, in words. */
  others: string[];
}

/** @param cast the nodes of the run */
export function factsOf(timeline: SimulationTimeline, cast: readonly SimulationNode[]): RunFacts {
  return { ...outcomeOf(timeline, cast), wrong: wrongIn(timeline, runnersOf(cast)) };
}

function wrongIn(timeline: SimulationTimeline, runners: ReadonlySet<string>): Wrong {
  const { events, messages, outages } = timeline;
  const pauses = outages.filter(({ node, status }) => status === 'paused' && runners.has(node));
  const isQuery = ({ from, to }: { from: string; to: string }): boolean => from === 'database' || to === 'database';
  const lost = messages.filter(({ fate }) => fate === 'lost');
  const longest = (isOne: (message: { from: string; to: string }) => boolean): number =>
    messages.reduce((most, message) => (isOne(message) ? Math.max(most, (message.arrivesMs ?? message.sentMs) - message.sentMs) : most), 0);
  const count = (isOne: (event: ScenarioEvent) => boolean): number => events.filter(isOne).length;
  return {
    delayMs: longest((message) => !isQuery(message)),
    queryMs: longest(isQuery),
    lostMessages: lost.filter((message) => !isQuery(message)).length,
    lostReplies: lost.filter(isQuery).length,
    pauses: pauses.length,
    pauseMs: Math.max(0, ...pauses.map(({ fromMs, toMs }) => toMs - fromMs)),
    crashes: count(({ kind, who }) => kind === 'crashed' && runners.has(who)),
    restarts: restartsIn(events, runners),
    stops: count(({ runner, cause }) => runner === 'signalled' && cause === null),
    rowDeletions: rowDeletionsIn(events, runners),
    failovers: count(({ kind }) => kind === 'failed-over'),
    others: othersIn(timeline, runners),
  };
}

/** The first start of a runner is none. */
function restartsIn(events: readonly ScenarioEvent[], runners: ReadonlySet<string>): number {
  const starts = events.filter(({ kind, who }) => kind === 'started' && runners.has(who)).map(({ who }) => who);
  return starts.length - new Set(starts).size;
}

/** A row that is deleted by an operator, or by a caller that is no runner. */
function rowDeletionsIn(events: readonly ScenarioEvent[], runners: ReadonlySet<string>): number {
  const calls = new Map(events.map((event) => [event.id, event]));
  return events.filter(({ kind, cause }) => {
    if (kind !== 'row-deleted') return false;
    const call = cause === null ? undefined : calls.get(cause);
    return cause === null || (call?.kind === 'called' && !runners.has(call.who));
  }).length;
}

function othersIn({ events, outages, messages }: SimulationTimeline, runners: ReadonlySet<string>): string[] {
  const serverPauses = outages.filter(({ node, status }) => status === 'paused' && !runners.has(node)).map(({ node }) => `a freeze of ${node}`);
  const told = events.flatMap(({ kind, who, cause }): string[] => {
    if ((kind === 'crashed' || kind === 'stopped') && !runners.has(who)) return [`a stop of ${who}`];
    if (kind === 'stalled') return ['a stall of the database'];
    if (kind === 'table-dropped') return ['a dropped table'];
    // Only an operator writes without a call.
    if (kind === 'row-written' && cause === null) return ['a row that an operator wrote'];
    return [];
  });
  return [...serverPauses, ...told, ...foreignCalls(events, runners), ...messages.filter(({ fate }) => fate === 'refused').slice(0, 1).map(() => 'a refused connection')];
}

/** A client without a runner can take and release a lock at any time. */
function foreignCalls(events: readonly ScenarioEvent[], runners: ReadonlySet<string>): string[] {
  const changing = events.filter(({ kind, who, method }) => kind === 'called' && !runners.has(who) && method === 'Lock');
  return changing.map(({ who }) => `a lock that ${who} takes by hand`);
}
