// The runners that an action of a scenario means.

import type { SimulationNode } from 'locket-wasm/types';

/** The clients with a runner that a name means: one, or all of an entry with a `count`. */
export function runnersNamed(cast: readonly SimulationNode[], name: unknown): SimulationNode[] {
  return cast.filter((node) => node.isRunner && (node.name === name || node.entry === name));
}
