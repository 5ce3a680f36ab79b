// The history of a run that its metrics count: the lives of its processes, and rows, expiries and
// requests by time. It knows no metric and no interval.

import type { ScenarioEvent, Simulation } from '../../node.js';
import type { SimulationNode, SimulationSpan, SimulationTimeline } from '../../types.js';
import { grouped } from './grouped.js';
import { callsByEvent, type RequestKind } from '../summary/load.js';

/** The history of a run. */
export interface History {
  endMs: number;
  lives: Life[];
  /** The number of rows of each type, from a moment on. */
  rows: Record<'lock' | 'presence', Steps>;
  /** When the database did not answer. */
  databaseOutages: SimulationSpan[];
  /** When each client believed that it held its lock. */
  beliefs: Map<string, SimulationSpan[]>;
  /** The times of the rows that each process expired. */
  expiries: Map<string, Record<'lock' | 'presence', number[]>>;
  /** The requests of each process. */
  requests: Map<string, Map<RequestKind, Requests>>;
}

/** Values by time: each from its moment on. */
export interface Steps {
  times: number[];
  values: number[];
}

/** A process from its start to its end. */
export interface Life extends SimulationSpan {
  process: string;
  /** The key of a client's lock; `null` for a Locket process. */
  key: string | null;
  /** While a machine is suspended, its clock is frozen, too. */
  pauses: (SimulationSpan & { isFrozen: boolean })[];
}

/** Requests of one kind at one process; each list in order. */
export interface Requests {
  started: number[];
  succeeded: number[];
  failed: number[];
  /** When each answer was sent, and the milliseconds that it took. */
  answers: Steps;
}

/**
 * The history of a simulation up to `endMs`. The simulation moves to other times.
 *
 */
export function historyOf(simulation: Simulation, endMs: number): History {
  const timeline = simulation.timeline();
  const cast = simulation.state().nodes;
  return {
    endMs,
    lives: livesOf(timeline, cast, simulation)
      .filter(({ fromMs }) => fromMs < endMs)
      .map((life) => ({ ...life, toMs: Math.min(life.toMs, endMs) })),
    ...rowsAndExpiries(timeline.events),
    databaseOutages: databaseOutages(timeline, simulation),
    beliefs: grouped(timeline.beliefs, ({ client }) => client),
    requests: requestsOf(timeline),
  };
}

/** The processes that send metrics: Locket, and each client with a runner for one lock. */
function livesOf({ events, outages, endMs }: SimulationTimeline, cast: readonly SimulationNode[], simulation: Simulation): Life[] {
  const lives: Life[] = [];
  const open = new Map<string, Life>();
  const keys = new Map(cast.filter(({ kind, isRunner }) => kind === 'locket' || (kind === 'lock' && isRunner)).map(({ name, key }) => [name, key]));
  const begin = (process: string, fromMs: number): void => {
    const life: Life = { process, key: keys.get(process) ?? null, fromMs, toMs: endMs, pauses: [] };
    open.set(process, life);
    lives.push(life);
  };
  const end = (process: string, toMs: number): void => {
    const life = open.get(process);
    if (life !== undefined) life.toMs = toMs;
    open.delete(process);
  };
  for (const { name, kind } of cast) if (kind === 'locket') begin(name, 0);
  for (const { who, kind, runner, timeMs } of events) {
    if (!keys.has(who)) continue;
    if (kind === 'crashed' || kind === 'stopped' || kind === 'started' || runner === 'exited') end(who, timeMs);
    if (kind === 'started') begin(who, timeMs);
  }
  const localMs = (name: string, timeMs: number): number | undefined => {
    simulation.seek({ timeMs });
    return simulation.state().nodes.find((node) => node.name === name)?.localTimeMs;
  };
  for (const { node, status, fromMs, toMs } of outages) {
    if (status !== 'paused' || !keys.has(node)) continue;
    const isFrozen = localMs(node, fromMs) === localMs(node, toMs);
    for (const life of lives) if (life.process === node && life.fromMs < toMs && fromMs < life.toMs) life.pauses.push({ fromMs, toMs, isFrozen });
  }
  return lives;
}

function rowsAndExpiries(events: readonly ScenarioEvent[]): Pick<History, 'expiries' | 'rows'> {
  const rows: History['rows'] = { lock: { times: [], values: [] }, presence: { times: [], values: [] } };
  const expiries: History['expiries'] = new Map();
  /** The type of each row with an owner, and of the last row of each key. */
  const [types, lastTypes] = [new Map<string, string>(), new Map<string, string>()];
  const counts = { lock: 0, presence: 0 };
  const isType = (type: string | undefined): type is 'lock' | 'presence' => type === 'lock' || type === 'presence';
  const put = (path: string, type: string | undefined, timeMs: number): void => {
    const before = types.get(path);
    if (before === type) return;
    if (type === undefined) types.delete(path);
    else types.set(path, type);
    for (const [one, change] of [[before, -1], [type, 1]] as const) {
      if (!isType(one)) continue;
      counts[one] += change;
      rows[one].times.push(timeMs);
      rows[one].values.push(counts[one]);
    }
  };
  for (const { kind, who, path, row, timeMs } of events) {
    if (kind === 'table-dropped') for (const key of [...types.keys()]) put(key, undefined, timeMs);
    if (path === null) continue;
    if (kind === 'row-deleted') put(path, undefined, timeMs);
    if (kind === 'row-written') {
      lastTypes.set(path, row?.type ?? '');
      put(path, row?.owner ? (row.type ?? '') : undefined, timeMs);
    }
    if (kind === 'expired') {
      // With the profile `documented`, rows expire without a process.
      const process = who === 'database' ? 'locket-0' : who;
      const ofProcess = expiries.get(process) ?? { lock: [], presence: [] };
      expiries.set(process, ofProcess);
      ofProcess[lastTypes.get(path) === 'presence' ? 'presence' : 'lock'].push(timeMs);
    }
  }
  return { rows, expiries };
}

function databaseOutages({ events, outages, endMs }: SimulationTimeline, simulation: Simulation): SimulationSpan[] {
  const stalls = events.filter(({ kind }) => kind === 'stalled').map(({ timeMs }) => {
    simulation.seek({ timeMs });
    return { fromMs: timeMs, toMs: simulation.state().pending.find(({ kind }) => kind === 'stall-ends')?.timeMs ?? endMs };
  });
  return [...outages.filter(({ node }) => node === 'database'), ...stalls];
}

function requestsOf({ events, messages, outages }: SimulationTimeline): History['requests'] {
  const calls = callsByEvent(events);
  const all: History['requests'] = new Map();
  const of = (process: string, kind: RequestKind): Requests => {
    const byKind = all.get(process) ?? new Map<RequestKind, Requests>();
    all.set(process, byKind);
    const requests = byKind.get(kind) ?? { started: [], succeeded: [], failed: [], answers: { times: [], values: [] } };
    byKind.set(kind, requests);
    return requests;
  };
  const pauses = grouped(outages.filter(({ status }) => status === 'paused'), ({ node }) => node);
  /** When each call began at each process. */
  const begun = new Map<string, number>();
  for (const { to, cause, arrivesMs, fate, isAnswer } of messages) {
    const call = cause === null || isAnswer ? undefined : calls.get(cause);
    if (call === undefined || call.id !== cause || fate !== 'arrives' || arrivesMs === null || to === 'database') continue;
    // A paused process reads it when it resumes.
    const startedMs = pauses.get(to)?.find(({ fromMs, toMs }) => fromMs <= arrivesMs && arrivesMs < toMs)?.toMs ?? arrivesMs;
    begun.set(`${to} ${call.id}`, startedMs);
    of(to, call.kind).started.push(startedMs);
  }
  for (const { id, kind, who, ok, answer, timeMs } of events) {
    const call = id === null || kind !== 'handled' ? undefined : calls.get(id);
    if (call === undefined) continue;
    const requests = of(who, call.kind);
    // A collision is a success for the counters (B25).
    requests[ok === true || answer?.startsWith('lock-collision') ? 'succeeded' : 'failed'].push(timeMs);
    requests.answers.times.push(timeMs);
    requests.answers.values.push(timeMs - (begun.get(`${who} ${call.id}`) ?? timeMs));
  }
  for (const byKind of all.values()) for (const { started } of byKind.values()) started.sort((a, b) => a - b);
  return all;
}
