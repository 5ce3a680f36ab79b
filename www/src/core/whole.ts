// A run to its end. The package says when it has settled.

import type { Simulation } from 'locket-wasm';
import type { SimulationNode, SimulationTimeline } from 'locket-wasm/types';

/** A whole run. */
export interface Whole {
  timeline: SimulationTimeline;
  /** Its nodes, with the settings that they had in it. */
  cast: SimulationNode[];
  /** True if nothing is open at its end. */
  isSettled: boolean;
}

/** The run of the branch that a simulation is in. It also makes the branch complete, so that an action keeps it. */
export function wholeOf(simulation: Simulation): Whole {
  return whole(simulation, () => {
    simulation.seek({ timeMs: simulation.timeline().endMs });
    return simulation.hasSettled;
  });
}

/** The same, and the run goes on until it has settled. */
export function settledOf(simulation: Simulation): Whole {
  return whole(simulation, () => simulation.settle());
}

function whole(simulation: Simulation, goToEnd: () => boolean): Whole {
  const here = simulation.snapshot();
  const isSettled = goToEnd();
  const timeline = simulation.timeline();
  const cast = simulation.state().nodes.map((node) => ({ ...node, retryIntervalMs: node.retryIntervalMs ?? (node.isRunner ? retryOf(node.name, simulation, timeline) : null) }));
  simulation.restore(here);
  return { timeline, cast, isSettled };
}

/** Only a client that runs has a retry interval: this may have begun late, and be down at the end. */
function retryOf(name: string, simulation: Simulation, { events }: SimulationTimeline): number | null {
  for (const [index, { who }] of events.entries()) {
    if (who !== name) continue;
    simulation.seek({ event: index + 1 });
    const { retryIntervalMs = null } = simulation.state().nodes.find((it) => it.name === name) ?? {};
    if (retryIntervalMs !== null) return retryIntervalMs;
  }
  return null;
}
