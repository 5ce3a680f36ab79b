// The load of a run: the requests of clients by kind and outcome, the queries, and the messages.

import type { ScenarioEvent } from '../../node.js';
import type { SimulationMessage } from '../../types.js';

/** The requests of one kind. */
export interface RequestCount {
  kind: NonNullable<ScenarioEvent['method']>;
  sent: number;
  /** Locket answered with an error. */
  refused: number;
  /** The client gave up, or the connection broke. */
  failed: number;
}

/** The load of a run. */
export interface Load {
  /** The kinds that occur. */
  requests: RequestCount[];
  /** Queries of Locket processes to the database. */
  queries: number;
  /** All messages, also those of the database. */
  messages: number;
  /** Messages that the network lost. */
  lost: number;
}

/** The kinds, in the order of a summary. */
const KINDS = ['Lock', 'Release', 'Fetch', 'FetchAll'] as const;

/** The load of events and messages. */
export function loadOf(events: readonly ScenarioEvent[], messages: readonly SimulationMessage[]): Load {
  const calls = callsOf(events);
  const requests = KINDS.flatMap((kind): RequestCount[] => {
    const sent = calls.filter((call) => call.kind === kind);
    const count = (outcome: Call['outcome']): number => sent.filter((call) => call.outcome === outcome).length;
    return sent.length === 0 ? [] : [{ kind, sent: sent.length, refused: count('refused'), failed: count('failed') }];
  });
  return {
    requests,
    queries: messages.filter(({ to, isAnswer }) => to === 'database' && !isAnswer).length,
    messages: messages.length,
    lost: messages.filter(({ fate }) => fate === 'lost').length,
  };
}

/** A request of a client; without an outcome it is under way at the end, or its client crashed. */
interface Call {
  kind: RequestCount['kind'] | null;
  outcome?: 'done' | 'failed' | 'refused';
}

/** The end of an attempt, if its request has no answer. */
const GIVEN_UP = new Set<ScenarioEvent['runner']>(['exited', 'lost', 'released', 'retrying']);

function callsOf(events: readonly ScenarioEvent[]): Call[] {
  const calls: Call[] = [];
  /** By the number of an event: the call that it follows from, and whether Locket handled it. */
  const origins = new Map<number, { call: Call; isHandled: boolean }>();
  for (const { id, cause, kind, method, ok, runner } of events) {
    const before = cause === null ? undefined : origins.get(cause);
    if (kind === 'called') {
      const call: Call = { kind: method };
      calls.push(call);
      if (id !== null) origins.set(id, { call, isHandled: false });
      continue;
    }
    if (before === undefined) continue;
    if (id !== null) origins.set(id, { call: before.call, isHandled: kind === 'handled' });
    if (kind === 'answered') before.call.outcome = ok === true ? 'done' : before.isHandled ? 'refused' : 'failed';
    else if (GIVEN_UP.has(runner)) before.call.outcome ??= 'failed';
  }
  return calls;
}
