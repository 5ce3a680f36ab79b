// What can be changed at first: TTL, retry interval and pause of the clients with runners, and which runner they are.
//
// Values are read from what the package reports; what is written is the scenario's text.

import type { ScenarioClient, SimulationState, SimulationTimeline } from 'locket-wasm/slim';

import type { Json } from '../base/print.js';
import { print } from '../base/print.js';
import { durationText } from '../base/time.js';

/** The settings, in milliseconds. */
export interface Settings {
  ttlMs: number;
  retryMs: number;
  pauseMs: number;
}

/** Which runner clients are; the Cloud Controller's loop has no settings, and stays what it is. */
export type RunnerKind = NonNullable<ScenarioClient['runner']>;

/** What people choose from. */
export const RUNNERS: readonly [runner: RunnerKind, label: string][] = [
  ['upstream', 'upstream'],
  ['upstream-before-2025-10', 'before Oct. 2025'],
  ['safe', 'safe'],
];

/** What each setting is, in words. */
export const SETTINGS_HELP: readonly [label: string, what: string][] = [
  ['TTL', 'how long a row lives if nobody renews it'],
  ['Retry', 'how long a client waits from one attempt to the next'],
  ['Pause', 'how long one client stands still: a suspended machine, a garbage collection'],
  ['Runner', 'how clients keep their lock. Upstream is what Diego runs; before October 2025 one attempt could take as long as the TTL; the safe one counts its lease from when it asked, and stops in time by itself'],
];

/** What can be changed. */
export type Change = Partial<Settings> & { runner?: RunnerKind };

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
export function withSettings(text: string, change: Change, pauseAt: { node: string; atMs: number }): string {
  const scenario = JSON.parse(text) as Members;
  const clients = list(scenario['clients']).map((client) => {
    if (!isRunner(client)) return client;
    const ttl = change.ttlMs === undefined ? {} : { ttl: durationText(change.ttlMs) };
    const retry = change.retryMs === undefined || !('retry' in client) ? {} : { retry: durationText(change.retryMs) };
    const runner = change.runner === undefined ? {} : { runner: change.runner };
    return { ...client, ...ttl, ...retry, ...runner };
  });
  let actions = list(scenario['actions']).filter((action) => action['do'] !== 'note');
  if (change.pauseMs !== undefined) actions = withPause(actions, clients, change.pauseMs, pauseAt);
  delete scenario['expect'];
  return print({ ...scenario, clients, actions });
}

/** Which runner the clients are; `undefined` if nobody in the scenario has one that could be changed. */
export function runnerOf(text: string): RunnerKind | undefined {
  const first = list((JSON.parse(text) as Members)['clients']).find(isRunner);
  return first && ((first['runner'] as RunnerKind | undefined) ?? 'upstream');
}

function isRunner(client: Members): boolean {
  return 'retry' in client || ('runner' in client && client['runner'] !== 'cloud-controller');
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
