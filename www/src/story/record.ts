// Records a run for the stage: plays a scenario in the simulator and keeps what the stage draws. Runs when the page is built.

import { type ScenarioEvent, Simulation } from 'locket-wasm';
import type { SimulationTimeline } from 'locket-wasm/types';

import { captionOf, turnOf } from './captions.js';
import { type Fact, factsOf, isRelease } from './facts.js';
import { type Beat, isWithin, type Letter, letterOf, type Message, type Names, type Run } from './run.js';
import type { Tour } from './tours.js';
import { writesOf } from './writes.js';

/** The run of a tour; `stories` are the texts of the shipped scenarios by name. */
export function record(tour: Tour, stories: Stories): Run {
  const simulation = new Simulation(changed(tour, stories[tour.story] ?? ''));
  try {
    return recorded(tour, simulation, stories);
  } finally {
    simulation.close();
  }
}

type Stories = Readonly<Record<string, string>>;

function recorded(tour: Tour, simulation: Simulation, stories: Stories): Run {
  const timeline = simulation.timeline();
  // A client has settings once it has started.
  simulation.seek({ timeMs: 0 });
  const [first, second] = simulation.state().nodes.filter(({ kind }) => kind === 'lock');
  if (first?.key == null || first.ttlMs === null || first.retryIntervalMs === null || second === undefined) throw new Error(`${tour.story} has no two clients of one lock`);
  const { key, ttlMs, retryIntervalMs } = first;
  const names = { A: first.name, B: second.name };
  const plain = plainParts(timeline, names);
  const whole = {
    digest: timeline.digest, endMs: timeline.endMs, key, ttlMs, retryIntervalMs, names, ...plain,
    writes: writesOf(plain, tour.writes),
    leases: leasesOf(simulation, timeline, key),
    missed: missedOf(simulation, plain.outages, names),
    instrument: instrumentAt(tour, simulation, stories),
  };
  return { ...whole, beats: beatsOf(factsOf(timeline, whole), tour.cutsMs) };
}

/** The address of the run in the instrument, where its last beat ends. */
function instrumentAt({ story, clients, latency, cutsMs }: Tour, simulation: Simulation, stories: Stories): string {
  const timeMs = cutsMs.at(-1) ?? 0;
  if (clients === undefined && latency === undefined) return `#story=${story}&t=${timeMs}`;
  simulation.seek({ timeMs });
  return `#sim=${encodeURIComponent(simulation.link({ stories }))}`;
}

/** The scenario with other settings. Its description, notes and expectations are about the old ones, and left out. */
function changed({ clients: change, latency }: Tour, scenario: string): string {
  if (change === undefined && latency === undefined) return scenario;
  const { expect: _, description: __, clients, actions, ...rest } = JSON.parse(scenario) as Changeable;
  const network = latency === undefined ? {} : { network: { latency } };
  return JSON.stringify({
    ...rest,
    ...network,
    clients: clients.map((client) => ({ ...client, ...change })),
    actions: actions?.filter((action) => action.do !== 'note'),
  });
}

interface Changeable {
  description?: unknown;
  expect?: unknown;
  clients: object[];
  actions?: { do: string }[];
}

/** Entries of a list that are about A or B, with that in place of the name. */
function lettered<Entry, Kept>(entries: readonly Entry[], names: Names, name: (entry: Entry) => string, keep: (entry: Entry) => Kept): (Kept & { client: Letter })[] {
  return entries.flatMap((entry) => {
    const client = letterOf(names, name(entry));
    return client === undefined ? [] : [{ client, ...keep(entry) }];
  });
}

type PlainParts = Pick<Run, 'asks' | 'beliefs' | 'holders' | 'losses' | 'messages' | 'outages'>;

function plainParts(timeline: SimulationTimeline, names: Names): PlainParts {
  const span = ({ fromMs, toMs }: { fromMs: number; toMs: number }): { fromMs: number; toMs: number } => ({ fromMs, toMs });
  const calls = timeline.events.filter(({ kind }) => kind === 'called');
  const answeredMs = ({ who, timeMs }: ScenarioEvent): number =>
    timeline.events.find((event) => event.kind === 'answered' && event.who === who && event.timeMs >= timeMs)?.timeMs ?? timeline.endMs;
  return {
    holders: lettered(timeline.holders, names, ({ owner }) => owner, span),
    beliefs: lettered(timeline.beliefs, names, ({ client }) => client, span),
    outages: lettered(timeline.outages, names, ({ node }) => node, ({ status, ...rest }) => ({ status, ...span(rest) })),
    asks: lettered(calls, names, ({ who }) => who, (call) => ({ fromMs: call.timeMs, toMs: answeredMs(call) })),
    losses: timeline.events.flatMap((event) => lossOf(event)),
    messages: messagesOf(timeline, names),
  };
}

function lossOf(event: ScenarioEvent): Run['losses'] {
  if (event.kind === 'expired') return [{ atMs: event.timeMs, words: 'expired' }];
  if (event.kind === 'failed-over') return [{ atMs: event.timeMs, words: 'lost' }];
  return isRelease(event) ? [{ atMs: event.timeMs, words: 'free' }] : [];
}

/** Calls that take or renew the lock or give it back, and what a waiting client hears when it gets it. A refused attempt is only in its pill. */
function messagesOf({ messages, events, beliefs }: SimulationTimeline, names: Names): Message[] {
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
    if (event.asks?.startsWith('locks') !== true || !(believed || isGranted)) return [];
    return [{ kind: 'request', words: believed ? '“renew”' : '“lock”', ...message }];
  });
}

/** How far a message that is lost is drawn. */
const LOST_AFTER_MS = 100;
/** A request that is followed by the belief within this time was granted. */
const GRANT_MS = 1_000;

/** The simulator knows when a lock expires: it is asked right after each write of the row. */
function leasesOf(simulation: Simulation, { events }: SimulationTimeline, key: string): Run['leases'] {
  return events.filter(({ kind, path }) => kind === 'row-written' && path === key).flatMap(({ timeMs }) => {
    simulation.seek({ timeMs });
    const endsMs = simulation.state().leases.find(({ path }) => path === key)?.endsMs;
    return endsMs == null ? [] : [{ atMs: timeMs, endsMs }];
  });
}

/** The timer that a frozen client does not hear is its next renewal. */
function missedOf(simulation: Simulation, outages: Run['outages'], names: Names): Run['missed'] {
  return outages.filter(({ status }) => status === 'paused').flatMap(({ client, fromMs, toMs }) => {
    simulation.seek({ timeMs: fromMs - 1 });
    const due = simulation.state().pending.find(({ who, kind }) => who === names[client] && kind === 'timer');
    return due === undefined || due.timeMs >= toMs ? [] : [{ client, atMs: due.timeMs }];
  });
}

function beatsOf(facts: readonly Fact[], cutsMs: readonly number[]): Beat[] {
  return cutsMs.map((toMs, index) => {
    const fromMs = index === 0 ? 0 : (cutsMs[index - 1] ?? 0);
    const own = facts.filter(({ atMs }) => (index === 0 || atMs > fromMs) && atMs <= toMs);
    const pinMs = index === 0 ? 0 : (turnOf(own)?.atMs ?? toMs);
    return { fromMs, toMs, pinMs, caption: captionOf(own) };
  });
}
