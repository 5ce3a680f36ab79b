// The checker's questions about a scenario's settings, and about a map of settings.

import type { Duration, Scenario } from 'locket-wasm';
import type { MapQuestion, Question } from 'locket-wasm/check';
import type { MapAxis, SimulationNode } from 'locket-wasm/types';

import { durationText } from '../base/time.js';
import { FAULT_NAMES, type Faults, faultsOf } from './faults.js';
import { AXES, type MapSettings } from './map.js';
import type { Wrong } from './run-facts.js';
import type { RunnerKind, Settings } from './settings.js';

/** How long replies may take, at most: what people choose from, in milliseconds. */
export const DELAYS_MS: readonly number[] = [0, 1_000, 2_000];
export const DELAY_USUAL_MS: number = 1_000;
/** The longest that may be asked for. */
export const DELAY_MAX_MS = 10_000;

type ScenarioProfile = Scenario['profile'];

/** The members of a client that define its runner, besides its settings. */
const RUNNER_MEMBERS = ['firstAttemptDeadline', 'kind', 'margin'] as const;

/**
 * Can two clients with the settings of a scenario be owners at the same time, with its latency, one such pause and its other
 * faults? `undefined` if the scenario has a Locket with rules of its own, or joint locks, which the checker does not know.
 *
 * @param cast the nodes of a run of it
 * @param run what goes wrong in a run of it, if the bounds are to include that
 */
export function questionOf(scenario: string, cast: readonly SimulationNode[], settings: Settings, runner: RunnerKind, delayMs: number, run?: Wrong): Question | undefined {
  const { clients = [], profile } = JSON.parse(scenario) as { clients?: Record<string, unknown>[]; profile?: ScenarioProfile };
  if (typeof profile === 'object') return undefined;
  const first = clients.find((client) => 'retryInterval' in client || 'runner' in client) ?? {};
  if (first['kind'] === 'joint') return undefined;
  const members = Object.fromEntries(RUNNER_MEMBERS.filter((name) => name in first).map((name) => [name, first[name]]));
  return {
    ...members,
    ...(profile === undefined ? {} : { profile }),
    runner,
    ttl: `${settings.ttlMs / 1_000}s`,
    retryInterval: `${settings.retryIntervalMs}ms`,
    latency: durationText(Math.max(delayMs, wholeSeconds(run?.delayMs ?? 0))),
    ...pauseOf(Math.max(settings.pauseMs, run?.pauseMs ?? 0), run?.pauses),
    ...widest(faultsOf(scenario, cast), run),
  };
}

/** As much of each fault as is planned, or as much as a run has if that is more. */
function widest(planned: Faults, run: Wrong | undefined): Faults {
  if (run === undefined) return planned;
  const most = FAULT_NAMES.map((name) => [name, Math.max(planned[name] ?? 0, run[name])] as const);
  return { ...planned, ...Object.fromEntries(most.filter(([, times]) => times > 0)) };
}

function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1_000) * 1_000;
}

/** The shortest freeze that breaks the settings of a question, with everything else in it as it is: a map of one cell. */
export function breakingFreeze({ ttl = '15s', retryInterval = '5s', pause: _, pauses: __, ...question }: Question): MapQuestion {
  return { ...question, axis: 'pause', ttl: [ttl], retryInterval: [retryInterval] };
}

/** How far the map goes; a pause as far as it takes to reach the TTL. */
const MAP_STEPS_MAX: Partial<Record<MapAxis, number>> = { latency: 6, lostMessages: 3, clockRate: 6 };

/** One row of the map: the smallest value that gives two owners, for each retry interval. */
export function mapRow(ttlSeconds: number, retrySeconds: readonly number[], { axis, runner }: MapSettings, delayMs: number): MapQuestion {
  const maxSteps = MAP_STEPS_MAX[axis];
  return {
    runner,
    axis,
    profile: 'upstream',
    ttl: [`${ttlSeconds}s`],
    retryInterval: retrySeconds.map((seconds) => durationText(1_000 * seconds)),
    latency: durationText(AXES[axis].hasDelay ? delayMs : 0),
    ...(maxSteps === undefined ? {} : { maxSteps }),
  };
}

/** The question of a map cell, with the given value of its axis. */
export function cellQuestion(ttlMs: number, retryIntervalMs: number, { axis, runner }: MapSettings, delayMs: number, amount: number): Question {
  const common: Question = { runner, profile: 'upstream', ttl: durationText(ttlMs), retryInterval: durationText(retryIntervalMs), latency: durationText(AXES[axis].hasDelay ? delayMs : 0) };
  if (axis === 'pause') return { ...common, ...pauseOf(amount) };
  if (axis === 'lostMessages') return { ...common, lostMessages: amount };
  if (axis === 'latency') return { ...common, latency: durationText(amount) };
  // The first of the two clients has the slow clock.
  return { ...common, clients: [{ clock: { ratePpm: -amount } }, {}] };
}

/** A pause that was measured, as that of a real incident, would make a search's steps as short as a millisecond: the next second bounds it. */
function pauseOf(pauseMs: number, pauses = 1): { pause?: Duration; pauses?: number } {
  const boundMs = pauseMs % 100 === 0 ? pauseMs : wholeSeconds(pauseMs);
  return boundMs === 0 ? {} : { pause: durationText(boundMs), ...(pauses > 1 ? { pauses } : {}) };
}
