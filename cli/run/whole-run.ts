// A scenario that ran to its end: its result, and the data of its summary and pictures. It is
// simulated once for all of them.

import { type ScenarioRun, Simulation } from 'locket-wasm';
import type { PicturedRun } from 'locket-wasm/picture';
import type { SimulationOptions, SimulationState, SimulationTimeline, TraceFormat } from 'locket-wasm/types';

export class WholeRun implements PicturedRun {
  readonly finished: ScenarioRun;
  /** At its end. */
  readonly #simulation: Simulation;
  readonly #timeline: SimulationTimeline;
  readonly #start: SimulationState;

  constructor(text: string, steps: SimulationOptions) {
    const simulation = new Simulation(text, steps);
    this.#simulation = simulation;
    this.#start = simulation.state();
    this.#timeline = simulation.timeline();
    simulation.seek({ timeMs: simulation.endMs });
    const { description = '' } = JSON.parse(simulation.scenario) as { description?: string };
    const { events, failures, digest } = this.#timeline;
    this.finished = { name: simulation.name, description, events, table: simulation.state().rows, failures, digest };
  }

  get scenario(): string {
    return this.#simulation.scenario;
  }

  /** The state at the start: a client keeps its colour if it restarts with another owner. */
  state(): SimulationState {
    return this.#start;
  }

  timeline(): SimulationTimeline {
    return this.#timeline;
  }

  /** No actions from outside. */
  acts(): [] {
    return [];
  }

  export(format: TraceFormat): string {
    return this.#simulation.export(format);
  }

  [Symbol.dispose](): void {
    this.#simulation.close();
  }
}
