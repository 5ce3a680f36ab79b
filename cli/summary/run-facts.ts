// The facts of a run, for a summary: its setting, owners, actions, calls, messages and important events.

import { durationMs, type Scenario, type ScenarioEvent, type Simulation } from 'locket-wasm';
import type { ScenarioAction, SimulationMessage, SimulationTimeline } from 'locket-wasm/types';

import { actionWords } from './action-words.js';
import { Changes } from './changes.js';
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
  calls: SimulationTimeline['calls'];
  messages: readonly SimulationMessage[];
  /** The writes that the storage took too late, and refused for no reason, if there is a storage. */
  writes?: { wrong: number; refused: number };
  changes: Changes;
  /** The failed expectations. */
  failures: readonly string[];
  digest: string;
}

/** The run of a summary: a simulation, or its data. */
export type SummarizedRun = Pick<Simulation, 'acts' | 'scenario' | 'state' | 'timeline'>;

/** The facts of a simulation's current branch, as far as a timeline tells it. */
export function runFacts(simulation: SummarizedRun, timeline = simulation.timeline()): RunFacts {
  const scenario = JSON.parse(simulation.scenario) as Scenario;
  const cast = simulation.state().nodes;
  const { events, endMs, calls, messages, failures, digest } = timeline;
  return {
    scenario,
    endMs,
    events,
    keys: keyHistories(timeline, cast),
    actions: actionsOf(scenario.actions ?? [], simulation, endMs),
    calls,
    messages,
    ...(scenario.storage !== undefined && { writes: { wrong: timeline.wrongWrites, refused: timeline.refusedWrites } }),
    changes: new Changes(events, cast),
    failures,
    digest,
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
