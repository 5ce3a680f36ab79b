// What the checker is asked about a scenario's settings, and about a map of settings.

import type { MapQuestion, Question, Scenario } from 'locket-wasm';

import type { RunnerKind, Settings } from './settings.js';

/** How long replies may take, at most: what people choose from, in milliseconds. */
export const DELAYS_MS = [0, 1_000, 2_000] as const;

/** The rows and columns of the map, in seconds; production runs 15 and 5. */
export const MAP_TTLS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const;
export const MAP_RETRIES = [1, 2, 3, 4, 5] as const;

type ScenarioProfile = Scenario['profile'];

/** What beside its settings makes a runner of a scenario what it is. */
const RUNNER_MEMBERS = ['firstAttemptDeadline', 'kind', 'margin'] as const;

/**
 * Can two clients with the settings that a scenario has act at once, with such replies and one such pause? `undefined` if
 * the scenario has a Locket with rules of its own, which the checker does not know.
 */
export function questionOf(scenario: string, settings: Settings, runner: RunnerKind, delayMs: number): Question | undefined {
  const { clients = [], profile } = JSON.parse(scenario) as { clients?: Record<string, unknown>[]; profile?: ScenarioProfile };
  if (typeof profile === 'object') return undefined;
  const first = clients.find((client) => 'retry' in client || 'runner' in client) ?? {};
  const members = Object.fromEntries(RUNNER_MEMBERS.filter((name) => name in first).map((name) => [name, first[name]]));
  return {
    ...members,
    ...(profile === undefined ? {} : { profile }),
    runner,
    ttlSeconds: settings.ttlMs / 1_000,
    retryIntervalMs: settings.retryMs,
    delay: delayMs,
    ...pauseOf(settings.pauseMs),
  };
}

/** One row of the map: the smallest pause that lets two act, for each retry interval. */
export function mapRow(ttlSeconds: number, runner: RunnerKind, delayMs: number): MapQuestion {
  return { runner, ttlSeconds: [ttlSeconds], retrySeconds: MAP_RETRIES, delay: delayMs };
}

/** What a cell of the map is about, at a pause. */
export function cellQuestion(ttlMs: number, retryMs: number, runner: RunnerKind, delayMs: number, pauseMs: number): Question {
  return { runner, ttlSeconds: ttlMs / 1_000, retryIntervalMs: retryMs, delay: delayMs, ...pauseOf(pauseMs) };
}

function pauseOf(pauseMs: number): { pause?: number } {
  return pauseMs === 0 ? {} : { pause: pauseMs };
}
