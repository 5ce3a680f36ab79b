// The three things that can be changed at first: TTL, retry interval and pause of the clients with runners.
//
// Values are read from what the package reports; what is written is the scenario's text.

import type { SimulationState, SimulationTimeline } from 'locket-wasm';

import type { Json } from '../base/print.js';
import { print } from '../base/print.js';
import { durationText } from '../base/time.js';

/** The settings, in milliseconds. */
export interface Settings {
  ttlMs: number;
  retryMs: number;
  pauseMs: number;
}

type Members = { [key: string]: Json };

/** What a run shows of its settings; `undefined` if nobody in it has a runner. */
export function settingsOf(state: SimulationState, timeline: SimulationTimeline): Settings | undefined {
  const clients = state.nodes.filter((node) => node.ttlMs !== null && node.retryMs !== null);
  const [first] = clients;
  if (first === undefined) return undefined;
  const names = new Set(clients.map((client) => client.name));
  const pauses = timeline.outages.filter(({ node, status }) => status === 'paused' && names.has(node));
  const pauseMs = Math.max(0, ...pauses.map(({ fromMs, toMs }) => toMs - fromMs));
  return { ttlMs: first.ttlMs ?? 0, retryMs: first.retryMs ?? 0, pauseMs };
}

/**
 * The scenario with other settings. Its remarks and expectations speak of the settings that it had, so they go.
 *
 * @param pauseAt who is paused, and when, if the scenario pauses nobody
 */
export function withSettings(text: string, change: Partial<Settings>, pauseAt: { node: string; atMs: number }): string {
  const scenario = JSON.parse(text) as Members;
  const clients = list(scenario['clients']).map((client) => {
    if (!('retry' in client || 'runner' in client)) return client;
    const ttl = change.ttlMs === undefined ? {} : { ttl: durationText(change.ttlMs) };
    const retry = change.retryMs === undefined || !('retry' in client) ? {} : { retry: durationText(change.retryMs) };
    return { ...client, ...ttl, ...retry };
  });
  let actions = list(scenario['actions']).filter((action) => action['do'] !== 'note');
  if (change.pauseMs !== undefined) actions = withPause(actions, clients, change.pauseMs, pauseAt);
  delete scenario['expect'];
  return print({ ...scenario, clients, actions });
}

function withPause(actions: Members[], clients: Members[], ms: number, { node, atMs }: { node: string; atMs: number }): Members[] {
  const names = new Set(clients.map((client) => client['name']));
  const isPause = (action: Members): boolean => action['do'] === 'pause' && names.has(action['node'] ?? null);
  const at = actions.findIndex(isPause);
  if (at < 0 && ms === 0) return actions;
  if (at < 0) return [...actions, { at: durationText(atMs), do: 'pause', node, for: durationText(ms) }];
  return actions.map((action, index) => (index === at ? { ...action, for: durationText(ms) } : action));
}

function list(value: Json | undefined): Members[] {
  return Array.isArray(value) ? (value as Members[]) : [];
}
