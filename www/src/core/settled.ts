// How long a run goes on: until everything that happened to it has had its effect.

import { durationMs, type ScenarioEvent, type Simulation } from 'locket-wasm';
import type { SimulationNode, SimulationState, SimulationTimeline } from 'locket-wasm/types';

/** A whole run. */
export interface Whole {
  timeline: SimulationTimeline;
  /** Its nodes, with the settings that they had in it. */
  cast: SimulationNode[];
  /** Whether nothing is open at its end. */
  isSettled: boolean;
}

/** Longer than this no visitor waits for a TTL. */
const WAIT_MAX_MS = 180_000;
/** An expiry may be followed by another one. */
const ROUNDS_MAX = 3;

/** The run of the branch that a simulation is in. It also makes the branch complete, so that an action keeps it. */
export function wholeOf(simulation: Simulation, scenario: string, acts: readonly { atMs: number }[]): Whole {
  return whole(simulation, scenario, acts, 0);
}

/** The same, and the run goes on until it has settled. */
export function settledOf(simulation: Simulation, scenario: string, acts: readonly { atMs: number }[]): Whole {
  return whole(simulation, scenario, acts, ROUNDS_MAX);
}

function whole(simulation: Simulation, scenario: string, acts: readonly { atMs: number }[], rounds: number): Whole {
  const here = simulation.snapshot();
  simulation.seek({ timeMs: 0 });
  const begun = simulation.state().nodes;
  const faultsMs = [...acts.map(({ atMs }) => atMs), ...plannedMs(scenario)];
  let untilMs = simulation.timeline().endMs;
  for (let round = 0; ; round++) {
    simulation.seek({ timeMs: untilMs });
    const timeline = simulation.timeline();
    const state = simulation.state();
    // Only a client that runs has a retry interval.
    const cast = state.nodes.map((node, index) => ({ ...node, retryIntervalMs: node.retryIntervalMs ?? begun[index]?.retryIntervalMs ?? null }));
    const lastMs = lastFault(timeline, state, faultsMs);
    const enoughMs = lastMs + waitOf(cast);
    const isSettled = untilMs >= enoughMs || isCalm(timeline, state, lastMs);
    if (isSettled || round === rounds) {
      simulation.restore(here);
      return { timeline, cast, isSettled };
    }
    untilMs = enoughMs;
  }
}

/** A lease and two attempts. */
function waitOf(cast: readonly SimulationNode[]): number {
  return Math.min(Math.max(0, ...cast.map(({ ttlMs, retryIntervalMs }) => (ttlMs ?? 0) + 2 * (retryIntervalMs ?? 0))), WAIT_MAX_MS);
}

/** The last thing that happened to the run from outside, or ends after it, or an expiry. */
function lastFault({ events }: SimulationTimeline, { pending }: SimulationState, faultsMs: readonly number[]): number {
  const ends = pending.filter(({ kind }) => kind === 'wakes' || kind === 'stall-ends').map(({ timeMs }) => timeMs);
  return Math.max(0, ...faultsMs, ...ends, events.findLast(isFault)?.timeMs ?? 0);
}

const NO_FAULTS = new Set<ScenarioEvent['kind']>(['called', 'noted', 'started']);

function isFault({ id, cause, kind }: ScenarioEvent): boolean {
  return kind === 'expired' || (id !== null && cause === null && !NO_FAULTS.has(kind));
}

/** Whether each lock has one owner at the end, who knows it and has renewed it since. */
function isCalm({ endMs, holders, events }: SimulationTimeline, { nodes, pending }: SimulationState, lastMs: number): boolean {
  if (pending.some(({ kind, timeMs }) => (kind === 'message' || kind === 'answer') && timeMs > endMs + LATE_MS)) return false;
  const kept = new Set(events.filter(({ runner, timeMs }) => (runner === 'renewed' || runner === 'acquired') && timeMs > lastMs).map(({ who }) => who));
  return [...new Set(holders.map(({ key }) => key))].every((key) => {
    const believers = nodes.filter((node) => node.believes && node.keys.includes(key));
    const [owner] = believers;
    const holder = holders.findLast((span) => span.key === key && span.toMs === endMs);
    return believers.length === 1 && owner !== undefined && kept.has(owner.name) && holder?.owner === (owner.owner ?? owner.name);
  });
}

/** A message that takes longer may still do harm. */
const LATE_MS = 1_000;

/** When the scenario's actions are, or end: not all of them are events. */
function plannedMs(scenario: string): number[] {
  const { actions = [] } = JSON.parse(scenario) as { actions?: { at?: string; for?: string; do?: string; every?: string }[] };
  return actions.filter((action) => action.do !== 'note' && action.do !== 'fetch-all' && action.every === undefined)
    .map(({ at, for: lasts }) => timeOf(at) + timeOf(lasts));
}

function timeOf(text: string | undefined): number {
  return typeof text === 'string' ? durationMs(text) : 0;
}
