// One or two sentences about a moment, from its events and its state. They contain no verdict.

import type { ScenarioEvent } from 'locket-wasm';
import type { EventKind, RunnerEventKind, SimulationNode, SimulationState, SimulationTimeline } from 'locket-wasm/types';
import { clientsOf, type Names, seconds } from '../base/picture.js';

import { listed } from './listed.js';

/** An instant of a run. */
export interface Moment {
  /** The whole run: it shows when a lock expires without a renewal. */
  timeline: SimulationTimeline;
  /** How many events have happened by now. */
  happened: number;
  state: SimulationState;
  names: Names;
  /** The visitor's action at this instant, as a sentence. */
  action?: string | undefined;
}

type Tell = (who: string, event: ScenarioEvent) => string;

const KINDS: Partial<Record<EventKind, Tell>> = {
  crashed: (who) => `${who} crashes.`,
  disconnected: (who) => `The connection of ${who} breaks.`,
  draining: (who) => `${who} finishes its calls, and then stops.`,
  expired: (_, { path }) => `The lock${path === null ? '' : ` ${path}`} expires.`,
  'failed-over': (_, { words }) => `${sentence(words)}.`,
  paused: (who) => `${who} freezes.`,
  resumed: (who) => `${who} wakes.`,
  stalled: (_, { words }) => `${sentence(words)}.`,
  started: (who) => `${who} starts.`,
  stopped: (who) => `${who} stops.`,
  'table-dropped': () => 'The table is dropped.',
};
const RUNNERS: Partial<Record<RunnerEventKind, Tell>> = {
  acquired: (who) => `${who} learns that it holds the lock.`,
  lost: (who) => `${who} learns that it lost the lock.`,
  released: (who) => `${who} has released the lock.`,
  signalled: (who) => `${who} is stopped.`,
};
/** Causes come before their effects. */
const WEIGHT: (EventKind | RunnerEventKind)[] = ['started', 'released', 'signalled', 'resumed', 'acquired', 'lost', 'expired', 'paused', 'stalled', 'failed-over', 'table-dropped', 'disconnected', 'draining', 'stopped', 'crashed'];

/** `12.0 s: A crashes. The lock expires at 20.3 s.` */
export function captionOf(moment: Moment): string {
  const { timeline, happened, state, names, action } = moment;
  const events = timeline.events.slice(0, happened).filter(({ timeMs }) => timeMs === state.timeMs);
  const news = action ?? newsOf(events, names);
  const rest = stateSentences(moment);
  // After an event one sentence is enough; the diagram shows the rest.
  const shown = news === undefined ? rest : [news, ...rest.slice(-1)];
  return `${seconds(state.timeMs)}: ${shown.join(' ')}`;
}

function newsOf(events: readonly ScenarioEvent[], names: Names): string | undefined {
  const told = events.flatMap((event): { weight: number; words: string }[] => {
    const kind = event.runner ?? event.kind;
    const tell = event.runner === null ? KINDS[event.kind] : RUNNERS[event.runner];
    return tell === undefined ? [] : [{ weight: WEIGHT.indexOf(kind), words: tell(names(event.who), event) }];
  });
  return told.sort((a, b) => b.weight - a.weight)[0]?.words;
}

/** The state: problems of clients first, then the lock. */
function stateSentences({ timeline, state, names }: Moment): string[] {
  const clients = clientsOf(state.nodes);
  // A client without a runner may only read.
  const kept = clients.filter(({ isRunner }) => isRunner);
  const isOne = new Set((kept.length > 0 ? kept : clients).map(({ key }) => key)).size <= 1;
  return [...ills(clients, names), isOne ? oneLock(timeline, state, clients, names) : severalKeys(clients, names)];
}

function ills(clients: readonly SimulationNode[], names: Names): string[] {
  const told = (ill: readonly SimulationNode[], words: string): string[] =>
    ill.length === 0 ? [] : [`${many(ill.map(({ name }) => names(name)))} ${ill.length === 1 ? 'is' : 'are'} ${words}.`];
  return [
    ...told(clients.filter(({ status }) => status === 'down'), 'down'),
    ...told(clients.filter(({ status }) => status === 'paused'), 'frozen'),
    ...told(clients.filter(({ status, isCutOff }) => status === 'running' && isCutOff), 'cut off'),
  ];
}

function oneLock(timeline: SimulationTimeline, { rows, timeMs }: SimulationState, clients: readonly SimulationNode[], names: Names): string {
  const believers = clients.filter(({ believes }) => believes);
  const row = rows.find(({ path }) => clients.some(({ key }) => key === path));
  const owner = clients.find((client) => row !== undefined && (client.owner ?? client.name) === row.owner);
  const isKept = owner !== undefined && owner.status === 'running' && owner.believes;
  // Nothing else announces the expiry of a lock without a runner.
  const endsMs = row === undefined || isKept ? undefined : expiryOf(timeline, row.path, timeMs);
  if (endsMs !== undefined && believers.length < 2) return `The lock expires at ${seconds(endsMs)}.`;
  if (believers.length > 0) return `${many(believers.map(({ name }) => names(name)))} ${believers.length === 1 ? 'believes it holds' : 'believe they hold'} the lock.`;
  return row === undefined ? 'The lock is free.' : 'No client believes it holds the lock.';
}

/** When the lock expires that has an owner now; `undefined` if it ends otherwise. */
function expiryOf({ holders, events }: SimulationTimeline, key: string, nowMs: number): number | undefined {
  const toMs = holders.find((span) => span.key === key && span.fromMs <= nowMs && nowMs < span.toMs)?.toMs;
  return events.some(({ kind, path, timeMs }) => kind === 'expired' && path === key && timeMs === toMs) ? toMs : undefined;
}

function severalKeys(clients: readonly SimulationNode[], names: Names): string {
  const believers = clients.filter(({ believes }) => believes);
  if (believers.length === 0) return 'No client believes it holds its key.';
  return `${many(believers.map(({ name }) => names(name)))} ${believers.length === 1 ? 'believes it holds its key' : 'believe they hold their keys'}.`;
}

const NAMES_MAX = 3;

function many(names: readonly string[]): string {
  return names.length > NAMES_MAX ? `${names.length} clients` : listed(names);
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
