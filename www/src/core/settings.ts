// The settings to change first: TTL, retry interval and pause of the clients with runners, and the kind of runner.
//
// Values are read from the scenario's text and written to it, independent of the cursor.

import { durationMs } from 'locket-wasm';
import type { ScenarioClient, SimulationNode } from 'locket-wasm/types';
import { length } from '../base/picture.js';

import type { Json } from '../base/print.js';
import { print } from '../base/print.js';
import { durationText } from '../base/time.js';
import { ruleLabel, sortedText, splitRule } from './rule.js';

/** The settings, in milliseconds. */
export interface Settings {
  ttlMs: number;
  retryIntervalMs: number;
  pauseMs: number;
}

/** The runner of clients, by name or as a rule; the Cloud Controller's loop has no settings, and stays what it is. */
export type Runner = NonNullable<ScenarioClient['runner']>;
export type RunnerKind = Extract<Runner, string>;

/** The choices of named runners. */
export const RUNNERS: readonly [runner: RunnerKind, label: string][] = [
  ['upstream', 'upstream'],
  ['upstream-before-2025-10', 'before Oct. 2025'],
  ['safe', 'safe'],
];

/** The description of each setting. */
export const SETTINGS_HELP: readonly [label: string, what: string][] = [
  ['TTL', 'how long the lock lasts if its owner does not renew it'],
  ['Retry', 'how long a client waits from one attempt to the next'],
  ['Freeze', 'how long one client is frozen: a suspended machine, a garbage collection'],
  ['Client', 'how clients keep their lock. Diego runs upstream. Before October 2025, one attempt could take as long as the TTL. The safe runner counts its lease from its request, and stops in time. Known libraries and a rule of your own have a field for each member'],
];

/** A change of the settings. */
export type Change = Partial<Settings> & { runner?: Runner };

type Members = { [key: string]: Json };

/** The settings of the first client with a runner, of a run with these nodes; `undefined` without one. */
export function settingsOf(text: string, cast: readonly SimulationNode[]): Settings | undefined {
  const scenario = JSON.parse(text) as Members;
  const first = cast.find(({ isRunner }) => isRunner);
  if (first === undefined) return undefined;
  const actions = list(scenario['actions']);
  const pauses = actions.filter((action) => pausesRunner(action, cast));
  return {
    ttlMs: first.ttlMs ?? 0,
    retryIntervalMs: first.retryIntervalMs ?? 0,
    pauseMs: Math.max(0, ...pauses.map((pause) => pauseMs(pause, actions, ms(scenario['until'], 0)))),
  };
}

/** A pause without a length lasts until a `resume`, or to the end. */
function pauseMs(pause: Members, actions: Members[], endMs: number): number {
  if (pause['for'] !== undefined) return ms(pause['for'], 0);
  const fromMs = ms(pause['at'], 0);
  const resumes = actions.filter((action) => action['do'] === 'resume' && action['node'] === pause['node']).map((action) => ms(action['at'], 0));
  return Math.max(Math.min(...resumes.filter((atMs) => atMs > fromMs), Math.max(endMs, fromMs)) - fromMs, 0);
}

function ms(value: Json | undefined, otherwise: number): number {
  return typeof value === 'string' ? durationMs(value) : otherwise;
}

/** A change in words: `TTL 28 s`. Without one it is the text that is another. */
export function changeWords({ ttlMs, retryIntervalMs, pauseMs: freezeMs, runner }: Change): string {
  const words = [
    ttlMs === undefined ? '' : `TTL ${length(ttlMs)}`,
    retryIntervalMs === undefined ? '' : `retry ${length(retryIntervalMs)}`,
    freezeMs === undefined ? '' : `freeze ${length(freezeMs)}`,
    runner === undefined ? '' : `client ${runnerLabel(runner)}`,
  ].filter(Boolean).join(', ');
  return words === '' ? 'Another text' : words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * The scenario with other settings. Its remarks and expectations speak of the settings that it had, so they go.
 *
 * @param cast the nodes of a run of it
 * @param pauseAt who is paused, and when, if the scenario pauses no client
 */
export function withSettings(text: string, cast: readonly SimulationNode[], change: Change, pauseAt: { node: string; atMs: number }): string {
  const scenario = JSON.parse(text) as Members;
  const clients = list(scenario['clients']).map((client) => (isRunner(client) ? withClientSettings(client, change) : client));
  let actions = list(scenario['actions']).filter((action) => action['do'] !== 'note');
  if (change.pauseMs !== undefined) actions = withPause(actions, cast, change.pauseMs, pauseAt);
  delete scenario['expect'];
  return print({ ...scenario, clients, actions });
}

function withClientSettings(client: Members, { ttlMs, retryIntervalMs, runner = client['runner'] as Runner | undefined }: Change): Members {
  const ttl = ttlMs === undefined ? {} : { ttl: durationText(ttlMs) };
  const { rule, retryInterval = client['retryInterval'] } = typeof runner === 'object' ? splitRule(runner) : { rule: runner };
  const every = retryIntervalMs === undefined ? retryInterval : durationText(retryIntervalMs);
  return { ...client, ...ttl, ...(every === undefined ? {} : { retryInterval: every }), ...(rule === undefined ? {} : { runner: rule as Json }) };
}

/** The runner of the clients; `undefined` if no client has a runner that can change. */
export function runnerOf(text: string): Runner | undefined {
  const first = list((JSON.parse(text) as Members)['clients']).find(isRunner);
  const runner = first && ((first['runner'] ?? 'safe') as Runner);
  return typeof runner === 'object' ? splitRule(runner).rule : runner;
}

export function runnerLabel(runner: Runner): string {
  return typeof runner === 'string' ? (RUNNERS.find(([name]) => name === runner)?.[1] ?? runner) : ruleLabel(runner);
}

/** True if all clients with a runner have the same settings. */
export function hasOneSetting(text: string): boolean {
  const runners = list((JSON.parse(text) as Members)['clients']).filter((client) => 'retryInterval' in client || 'runner' in client);
  return new Set(runners.map(({ ttl, retryInterval, runner = 'safe' }) => sortedText([ttl, retryInterval, runner]))).size === 1;
}

function isRunner(client: Members): boolean {
  return 'retryInterval' in client || ('runner' in client && client['runner'] !== 'cloud-controller');
}

function withPause(actions: Members[], cast: readonly SimulationNode[], ms: number, { node, atMs }: { node: string; atMs: number }): Members[] {
  const at = actions.findIndex((action) => pausesRunner(action, cast));
  if (at < 0 && ms === 0) return actions;
  if (at < 0) return [...actions, { at: durationText(atMs), do: 'pause', node, for: durationText(ms) }];
  return actions.map((action, index) => (index === at ? { ...action, for: durationText(ms) } : action));
}

function list(value: Json | undefined): Members[] {
  return Array.isArray(value) ? (value as Members[]) : [];
}

/** Its node is a client with a runner, or an entry with a `count` of them. */
function pausesRunner(action: Members, cast: readonly SimulationNode[]): boolean {
  const isPause = action['do'] === 'pause' || action['do'] === 'suspend';
  return isPause && cast.some(({ isRunner: runs, name, entry }) => runs && (name === action['node'] || entry === action['node']));
}
