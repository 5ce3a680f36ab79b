// Records a run for the stage: plays a scenario in the simulator and keeps what the stage draws. Runs when the page is built.

import { type ScenarioEvent, Simulation, type SimulationTimeline } from 'locket-wasm';

import { captionOf, type Fact, turnOf } from './captions.js';
import { type Beat, isWithin, type Letter, LETTERS, type Message, type Run } from './run.js';
import type { Tour } from './tours.js';
import { writesOf } from './writes.js';

/** The run of a tour; `stories` are the texts of the shipped scenarios by name. */
export function record(tour: Tour, stories: Stories): Run {
  const simulation = new Simulation(withClients(stories[tour.story] ?? '', tour.clients));
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
  if (first?.key == null || first.ttlMs === null || first.retryMs === null || second === undefined) throw new Error(`${tour.story} has no two clients of one lock`);
  const { key, ttlMs, retryMs } = first;
  const names = { A: first.name, B: second.name };
  const plain = plainParts(timeline, names);
  const whole = {
    digest: timeline.digest, endMs: timeline.endMs, key, ttlMs, retryMs, names, ...plain,
    writes: writesOf(plain),
    leases: leasesOf(simulation, timeline, key),
    missed: missedOf(simulation, plain.outages, names),
    instrument: instrumentAt(tour, simulation, stories),
  };
  return { ...whole, beats: beatsOf(factsOf(timeline, whole), tour.cutsMs) };
}

/** The address of the run in the instrument, where its last beat ends. */
function instrumentAt({ story, clients, cutsMs }: Tour, simulation: Simulation, stories: Stories): string {
  const timeMs = cutsMs.at(-1) ?? 0;
  if (clients === undefined) return `#story=${story}&t=${timeMs}`;
  simulation.seek({ timeMs });
  return `#sim=${encodeURIComponent(simulation.link({ stories }))}`;
}

/** A scenario whose clients have other settings; what it expects is about its own. */
function withClients(scenario: string, change: Tour['clients']): string {
  if (change === undefined) return scenario;
  const { expect: _, clients, ...rest } = JSON.parse(scenario) as { expect: unknown; clients: object[] };
  return JSON.stringify({ ...rest, clients: clients.map((client) => ({ ...client, ...change })) });
}

type Names = Run['names'];

function letterOf(names: Names, name: string): Letter | undefined {
  return LETTERS.find((letter) => names[letter] === name);
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

function lossOf({ kind, timeMs, asks, ok }: ScenarioEvent): { atMs: number; words: string }[] {
  if (kind === 'expired') return [{ atMs: timeMs, words: 'expired' }];
  if (kind === 'failed-over') return [{ atMs: timeMs, words: 'lost' }];
  if (kind === 'handled' && ok === true && asks?.startsWith('releases') === true) return [{ atMs: timeMs, words: 'given back' }];
  return [];
}

/** Calls that take or renew the lock, and what a waiting client hears when it gets it. A refused attempt is only in its pill. */
function messagesOf({ messages, events, beliefs }: SimulationTimeline, names: Names): Message[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  return messages.flatMap(({ from, to, sentMs, arrivesMs, cause, isAnswer }): Message[] => {
    const client = letterOf(names, isAnswer ? to : from);
    const event = byId.get(cause);
    if (client === undefined || event === undefined || arrivesMs === null) return [];
    const believed = beliefs.some((belief) => belief.client === names[client] && isWithin(belief, sentMs));
    if (isAnswer) return event.ok === true && !believed ? [{ kind: 'answer', client, words: 'yes', sentMs, arrivesMs }] : [];
    if (!(event.asks ?? '').startsWith('locks')) return [];
    if (believed) return [{ kind: 'request', client, words: '“renew”', sentMs, arrivesMs }];
    const isGranted = beliefs.some((belief) => belief.client === names[client] && belief.fromMs >= arrivesMs && belief.fromMs < arrivesMs + 1_000);
    return isGranted ? [{ kind: 'request', client, words: '“lock”', sentMs, arrivesMs }] : [];
  });
}

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

function factsOf(timeline: SimulationTimeline, run: Omit<Run, 'beats'>): Fact[] {
  const believes = (client: Letter, atMs: number): boolean => run.beliefs.some((belief) => belief.client === client && isWithin(belief, atMs));
  const holds = (client: Letter, atMs: number): boolean => run.holders.some((holder) => holder.client === client && isWithin(holder, atMs));
  const facts: Fact[] = [];
  for (const { client, status, fromMs, toMs } of run.outages) {
    if (status === 'paused') facts.push({ is: 'freezes', client, atMs: fromMs, believes: believes(client, fromMs) });
    else facts.push({ is: 'crashes', client, atMs: fromMs, holds: holds(client, fromMs) });
    if (toMs >= run.endMs) continue;
    if (status === 'paused') facts.push({ is: 'wakes', client, atMs: toMs, believes: believes(client, toMs), holds: holds(client, toMs) });
    else facts.push({ is: 'restarts', client, atMs: toMs });
  }
  for (const [index, { client, fromMs }] of run.beliefs.entries()) {
    const believer = LETTERS.find((other) => other !== client && believes(other, fromMs)) ?? null;
    facts.push({ is: 'takes', client, atMs: fromMs, ttlMs: run.ttlMs, isFirst: index === 0, wasFree: index > 0, believer });
  }
  for (const { client, sentMs, arrivesMs, over } of run.writes) {
    facts.push({ is: 'writes', client, atMs: sentMs });
    if (over !== null && over.client !== client) facts.push({ is: 'overwrites', client, whose: over.client, atMs: arrivesMs });
  }
  for (const event of timeline.events) facts.push(...factsOfEvent(event, run));
  return facts.sort((one, other) => one.atMs - other.atMs);
}

function factsOfEvent({ kind, timeMs: atMs, who, runner, asks, ok }: ScenarioEvent, { names, ttlMs, holders, outages }: Omit<Run, 'beats'>): Fact[] {
  const client = letterOf(names, who);
  if (kind === 'failed-over') return [{ is: 'fails-over', atMs }];
  if (kind === 'message-lost' && client !== undefined) return [{ is: 'loses-message', client, atMs }];
  if (kind === 'runner' && runner === 'lost' && client !== undefined) return [{ is: 'stops', client, atMs }];
  if (kind === 'runner' && runner === 'released' && client !== undefined) return [{ is: 'releases', client, atMs }];
  if (kind === 'handled' && ok === true && asks !== null && asks.startsWith('releases') && client === undefined) return [{ is: 'deleted', atMs }];
  const owner = holders.find(({ toMs }) => toMs === atMs)?.client;
  if (kind !== 'expired' || owner === undefined) return [];
  const isFrozen = outages.some((outage) => outage.client === owner && isWithin(outage, atMs));
  return [{ is: 'expires', client: owner, atMs, ttlMs, isFrozen }];
}

function beatsOf(facts: readonly Fact[], cutsMs: readonly number[]): Beat[] {
  return cutsMs.map((toMs, index) => {
    const fromMs = index === 0 ? 0 : (cutsMs[index - 1] ?? 0);
    const own = facts.filter(({ atMs }) => (index === 0 || atMs > fromMs) && atMs <= toMs);
    const pinMs = index === 0 ? 0 : (turnOf(own)?.atMs ?? toMs);
    return { fromMs, toMs, pinMs, caption: captionOf(own) };
  });
}
