// What if: the scenario of an incident as it was, and with other settings, by the times that matter.

import { Simulation } from 'locket-wasm';
import { type Replay, replayOf, type Reproduction, type RunnerSettings } from 'locket-wasm/diagnose';
import type { SimulationTimeline } from 'locket-wasm/types';

import { length } from '../src/js/base/times.js';
import { runnerName } from './question.js';

/** The outcome of the scenario of an incident. */
export interface WhatIf {
  /** The settings; `null` for those that it had. */
  settings: RunnerSettings | null;
  /** For how long two clients are owners at the same time. */
  twoOwnersMs: number;
  /** For how long no client acts: none believes that it holds the key and runs. */
  noClientActsMs: number;
}

/** The outcome in a run: of the replay, and in times. */
export interface Replayed extends ReturnType<Replay['outcome']> {
  whatIf: WhatIf;
}

/** Runs the scenario as it was, or with other settings. */
export function replayed(found: Reproduction, settings?: RunnerSettings): Replayed {
  const { scenario, outcome } = replayOf(found, settings);
  const simulation = new Simulation(scenario);
  try {
    const timeline = simulation.timeline();
    const { twoOwners, noClientActs } = timeline;
    const ofKey = (spans: SimulationTimeline['noClientActs']) => spans.filter(({ key }) => key === found.finding.key).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    const used = settings && { runner: settings.runner, ttlMs: settings.ttlMs, retryIntervalMs: settings.retryIntervalMs };
    return { ...outcome(timeline), whatIf: { settings: used ?? null, twoOwnersMs: ofKey(twoOwners), noClientActsMs: ofKey(noClientActs) } };
  } finally {
    simulation.close();
  }
}

/** The settings in words. */
export const settingsWords = ({ runner, ttlMs, retryIntervalMs }: RunnerSettings): string => `${runnerName(runner)} runner, TTL ${length(ttlMs)}, retry ${length(retryIntervalMs)}`;

/** The lines of a comparison: as it was, and with the settings that are advised first. */
export function whatIfLines([was, then]: readonly WhatIf[]): string[] {
  if (was === undefined || then === undefined || then.settings === null) return [];
  const times = ({ twoOwnersMs, noClientActsMs }: WhatIf) => `two owners for ${length(twoOwnersMs)}, no client acts for ${length(noClientActsMs)}`;
  return [`What if, in the scenario of these logs: as it was, ${times(was)};`, `with the ${settingsWords(then.settings)}, ${times(then)}.`];
}
