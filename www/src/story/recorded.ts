// A simulation as the stage shows it: what the simulator did, as plain data. Runs when the page is built, and again for a run that
// the visitor makes.

import type { ScenarioEvent, Simulation } from 'locket-wasm';
import type { SimulationTimeline } from 'locket-wasm/types';
import { type WritePace, writesOf } from '../base/picture.js';

import { lossAt } from './facts.js';
import { isWithin, type Letter, letterOf, LINES, type Message, type Names, type Recorded } from './run.js';

/** The branch that a simulation is in, with two clients of one lock, or two presences, of which only the first matters. */
export function recorded(simulation: Simulation, timeline: SimulationTimeline, writes: WritePace): Recorded {
  // A client has settings once it has started.
  simulation.seek({ timeMs: 0 });
  const [first, second] = simulation.state().nodes.filter(({ isRunner }) => isRunner);
  if (first?.key == null || first.ttlMs === null || first.retryIntervalMs === null || second === undefined) throw new Error('the run has no two clients');
  const { key, ttlMs, retryIntervalMs } = first;
  const names = { A: first.name, B: second.name };
  const plain = plainParts(timeline, names, first.kind === 'presence');
  return {
    digest: timeline.digest, endMs: timeline.endMs, key, ttlMs, retryIntervalMs, names, ...plain,
    writes: writesOf(plain, writes, LINES),
    renewals: renewalsOf(simulation, timeline, key),
    missed: missedOf(simulation, plain.outages, names),
  };
}

/** Entries of a list that are about A or B, with that in place of the name. */
function lettered<Entry, Kept>(entries: readonly Entry[], names: Names, name: (entry: Entry) => string, keep: (entry: Entry) => Kept): (Kept & { client: Letter })[] {
  return entries.flatMap((entry) => {
    const client = letterOf(names, name(entry));
    return client === undefined ? [] : [{ client, ...keep(entry) }];
  });
}

type PlainParts = Pick<Recorded, 'asks' | 'beliefs' | 'holders' | 'losses' | 'messages' | 'outages'>;

function plainParts(timeline: SimulationTimeline, names: Names, isPresence: boolean): PlainParts {
  const span = ({ fromMs, toMs }: { fromMs: number; toMs: number }): { fromMs: number; toMs: number } => ({ fromMs, toMs });
  const calls = timeline.events.filter(({ kind }) => kind === 'called');
  const endMs = ({ who, timeMs }: ScenarioEvent): number =>
    timeline.events.find((event) => event.who === who && event.timeMs >= timeMs && (event.kind === 'answered' || event.runner === 'retrying' || event.runner === 'lost'))?.timeMs ?? timeline.endMs;
  const holders = lettered(timeline.holders, names, ({ owner }) => owner, span);
  return {
    holders,
    beliefs: lettered(timeline.beliefs, names, ({ client }) => client, span),
    outages: lettered(timeline.outages, names, ({ node }) => node, ({ status, ...rest }) => ({ status, ...span(rest) })),
    asks: lettered(calls, names, ({ who }) => who, (call) => ({ fromMs: call.timeMs, toMs: endMs(call) })),
    losses: holders.filter(({ toMs }) => toMs < timeline.endMs).map(({ client, toMs }) => ({ atMs: toMs, words: lossAt(timeline.events, names[client], toMs) })),
    messages: messagesOf(timeline, names, isPresence),
  };
}

/** Calls that take or renew the lock or give it back, and what a waiting client hears when it gets it. A refused attempt for a lock is only in its pill. */
function messagesOf({ messages, events, beliefs }: SimulationTimeline, names: Names, isPresence: boolean): Message[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  return messages.flatMap(({ from, to, sentMs, arrivesMs, fate, cause, isAnswer }): Message[] => {
    const client = letterOf(names, isAnswer ? to : from);
    const event = byId.get(cause);
    if (client === undefined || event === undefined) return [];
    const own = beliefs.filter((belief) => belief.client === names[client]);
    const message = { client, sentMs, arrivesMs: arrivesMs ?? sentMs + LOST_AFTER_MS, isLost: fate === 'lost' };
    const believed = own.some((belief) => isWithin(belief, sentMs));
    const isGranted = own.some(({ fromMs }) => fromMs >= message.arrivesMs && fromMs < message.arrivesMs + GRANT_MS);
    if (isAnswer) return event.ok === true && isGranted ? [{ kind: 'answer', words: 'yes', ...message }] : [];
    if (event.asks?.startsWith('releases') === true) return [{ kind: 'request', words: '“release”', ...message }];
    if (event.asks?.startsWith('locks') !== true || !(believed || isGranted || isPresence)) return [];
    return [{ kind: 'request', words: believed ? '“renew”' : isPresence ? '“here”' : '“lock”', ...message }];
  });
}

/** How far a message that is lost is drawn. */
const LOST_AFTER_MS = 100;
/** A request that is followed by the belief within this time was granted. */
const GRANT_MS = 1_000;

/** The simulator knows when a lock expires: it is asked right after each write of the row. */
function renewalsOf(simulation: Simulation, { events }: SimulationTimeline, key: string): Recorded['renewals'] {
  return events.filter(({ kind, path }) => kind === 'row-written' && path === key).flatMap(({ timeMs }) => {
    simulation.seek({ timeMs });
    const endsMs = simulation.state().expiries.find(({ path }) => path === key)?.endsMs;
    return endsMs == null ? [] : [{ atMs: timeMs, endsMs }];
  });
}

/** The timer that a frozen client does not hear is its next renewal. */
function missedOf(simulation: Simulation, outages: Recorded['outages'], names: Names): Recorded['missed'] {
  return outages.filter(({ status }) => status === 'paused').flatMap(({ client, fromMs, toMs }) => {
    simulation.seek({ timeMs: Math.max(fromMs - 1, 0) });
    const due = simulation.state().pending.find(({ who, kind }) => who === names[client] && kind === 'timer');
    return due === undefined || due.timeMs >= toMs ? [] : [{ client, atMs: due.timeMs }];
  });
}
