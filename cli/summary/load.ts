// The load of a run: the requests of clients by kind and outcome, the queries, and the messages.

import type { ScenarioEvent } from 'locket-wasm';
import type { SimulationMessage } from 'locket-wasm/types';

/** The kinds of requests, by their names on the wire. */
type RequestKind = NonNullable<ScenarioEvent['method']>;

/** The requests of one kind. */
export interface RequestCount {
  kind: RequestKind;
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
  const calls = [...new Set(callsByEvent(events).values())];
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
  /** The number of the event that sent it. */
  id: number;
  kind: RequestKind;
  outcome?: 'done' | 'failed' | 'refused';
}

/** The end of an attempt, if its request has no answer. */
const GIVEN_UP = new Set<ScenarioEvent['runner']>(['exited', 'lost', 'released', 'retrying']);

/** The call that an event follows from, by the number of the event. */
function callsByEvent(events: readonly ScenarioEvent[]): Map<number, Call> {
  const calls = new Map<number, Call>();
  /** Events by which Locket handled a call. */
  const handled = new Set<number>();
  for (const { id, cause, kind, method, ok, runner } of events) {
    if (id !== null && kind === 'called' && method !== null) {
      calls.set(id, { id, kind: method });
      continue;
    }
    const call = cause === null ? undefined : calls.get(cause);
    if (call === undefined) continue;
    if (id !== null) calls.set(id, call);
    if (id !== null && kind === 'handled') handled.add(id);
    if (kind === 'answered') call.outcome = ok === true ? 'done' : handled.has(cause as number) ? 'refused' : 'failed';
    else if (GIVEN_UP.has(runner)) call.outcome ??= 'failed';
  }
  return calls;
}
