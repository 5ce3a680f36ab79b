// The moment at which the diagram is, and its caption.

import type { SimulationNode, SimulationState, SimulationTimeline } from 'locket-wasm/types';
import { clientsOf, type Names } from '../base/picture.js';

import { diagramCaption, type Moment, newsOf } from './sentences.js';

/** @param action the visitor's action at this instant, as a sentence */
export function captionOf(timeline: SimulationTimeline, happened: number, state: SimulationState, names: Names, action?: string): string {
  const events = timeline.events.slice(0, happened).filter(({ timeMs }) => timeMs === state.timeMs);
  const clients = clientsOf(state.nodes);
  // A client without a runner may only read.
  const kept = clients.filter(({ isRunner }) => isRunner);
  const hasOneKey = new Set((kept.length > 0 ? kept : clients).map(({ key }) => key)).size <= 1;
  return diagramCaption(momentOf(timeline, state, clients, names), action ?? newsOf(events, names), hasOneKey);
}

function momentOf(timeline: SimulationTimeline, { rows, timeMs }: SimulationState, clients: readonly SimulationNode[], names: Names): Moment {
  const row = rows.find(({ path }) => clients.some(({ key }) => key === path));
  const owner = clients.find((client) => row !== undefined && (client.owner ?? client.name) === row.owner);
  const isKept = owner !== undefined && owner.status === 'running' && owner.believes;
  return {
    timeMs,
    clients: clients.map(({ name, status, isCutOff, believes }) => ({ name: names(name), believes, status: status === 'running' && isCutOff ? 'cut off' : status })),
    // Nothing else announces the expiry of a lock without a runner.
    row: row && { owner: names(owner?.name ?? row.owner ?? ''), endsMs: isKept ? undefined : expiryOf(timeline, row.path, timeMs) },
  };
}

/** When the lock expires that has an owner now; `undefined` if it ends otherwise. */
function expiryOf({ holders, events }: SimulationTimeline, key: string, nowMs: number): number | undefined {
  const toMs = holders.find((span) => span.key === key && span.fromMs <= nowMs && nowMs < span.toMs)?.toMs;
  return events.some(({ kind, path, timeMs }) => kind === 'expired' && path === key && timeMs === toMs) ? toMs : undefined;
}
