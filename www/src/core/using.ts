// Simulations that are closed once they were used.

import type { Simulation } from 'locket-wasm';

export function using<Result>(simulation: Simulation, act: (simulation: Simulation) => Result): Result {
  try {
    return act(simulation);
  } finally {
    simulation.close();
  }
}
