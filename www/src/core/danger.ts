// The questions for the safety margin, and how it is drawn.

import type { SimulationNode } from 'locket-wasm/types';

/** The longest pause that is tried. */
export const LONGEST_MS = 30_000;

/** More moments than this are not distinguishable. */
const MOMENTS_MAX = 60;
/** With more clients every moment has so many continuations that one should ask for them. */
const CLIENTS_MAX = 6;

/** How far moments are apart: whole seconds. */
export function stepOf(endMs: number): number {
  return Math.max(Math.ceil(endMs / MOMENTS_MAX / 1_000), 1) * 1_000;
}

/** Whether the margin is computed without a click. */
export function isCheap(cast: readonly SimulationNode[]): boolean {
  return cast.filter(({ kind }) => kind !== 'database' && kind !== 'locket').length <= CLIENTS_MAX;
}
