// The facts of a run, for a summary: its setting, owners, actions, load and important events.

import { durationMs, type Scenario, type ScenarioEvent, type Simulation } from 'locket-wasm';
import type { ScenarioAction, SimulationSpan, SimulationTimeline } from 'locket-wasm/types';

import { actionWords } from './action-words.js';
import { Changes } from './changes.js';
import { type Load, loadOf } from './load.js';
import { type KeyHistory, keyHistories } from './ownership.js';

/** The facts of a run. */
export interface RunFacts {
  scenario: Scenario;
  /** The end of the run. */
  endMs: number;
  events: readonly ScenarioEvent[];
  /** The keys, in the order of the clients. */
  keys: KeyHistory[];
  /** Faults and other actions, by time; a repeated one once. */
  actions: { timeMs: number; words: string; every?: { intervalMs: number; untilMs: number } }[];
  load: Load;
  /** The writes that the storage took too late, and refused for no reason, if there is a storage. */
  writes?: { wrong: number; refused: number };
  changes: Changes;
  /** The failed expectations. */
  failures: readonly string[];
  digest: string;
}

/** The run of a summary: a simulation, or its data. */
export type SummarizedRun = Pick<Simulation, 'acts' | 'scenario' | 'state' | 'timeline'>;

/** The end of a run, if it is before the end of its scenario. */
export interface RunEnd {
  nowMs: number;
  events: ScenarioEvent[];
  failures: string[];
  digest: string;
}

/**
 * The facts of a simulation's current branch.
 *
 * @param end for a run that ends earlier
 */
export function runFacts(simulation: SummarizedRun, end?: RunEnd): RunFacts {
  const whole = simulation.timeline();
  const timeline = end === undefined ? whole : { ...until(whole, end.nowMs), ...end };
  const scenario = JSON.parse(simulation.scenario) as Scenario;
  const cast = simulation.state().nodes;
  const { events, endMs, failures, digest } = timeline;
  return {
    scenario,
    endMs,
    events,
    keys: keyHistories(timeline, cast),
    actions: actionsOf(scenario.actions ?? [], simulation, endMs),
    load: loadOf(events, timeline.messages),
    ...(scenario.storage !== undefined && { writes: { wrong: timeline.wrongWrites, refused: timeline.refusedWrites } }),
    changes: new Changes(events, cast),
    failures,
    digest,
  };
}

/** The part of a timeline up to a moment. */
function until(timeline: SimulationTimeline, endMs: number): SimulationTimeline {
  const cut = <T extends SimulationSpan>(spans: readonly T[]): T[] => spans.filter(({ fromMs }) => fromMs < endMs).map((span) => ({ ...span, toMs: Math.min(span.toMs, endMs) }));
  const { holders, beliefs, twoOwners, noClientActs, outages, messages } = timeline;
  return {
    ...timeline,
    endMs,
    holders: cut(holders),
    beliefs: cut(beliefs),
    twoOwners: cut(twoOwners),
    noClientActs: cut(noClientActs),
    outages: cut(outages),
    messages: messages.filter(({ sentMs }) => sentMs <= endMs),
  };
}

function actionsOf(actions: readonly ScenarioAction[], simulation: SummarizedRun, endMs: number): RunFacts['actions'] {
  const planned = actions.map((action) => ({
    action,
    timeMs: durationMs(action.at),
    ...(action.every !== undefined && { every: { intervalMs: durationMs(action.every), untilMs: durationMs(action.until) } }),
  }));
  return [...planned, ...simulation.acts()]
    .filter(({ action, timeMs }) => action.do !== 'note' && timeMs <= endMs)
    .sort((a, b) => a.timeMs - b.timeMs)
    .map(({ action, timeMs, ...rest }) => ({ timeMs, words: actionWords(action), ...('every' in rest && { every: rest.every }) }));
}
