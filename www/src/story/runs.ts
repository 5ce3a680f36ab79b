// The recorded runs: the first comes with the page, the others when they are asked for.

import first from 'virtual:first-run';
import others from 'virtual:other-runs';

import type { Run } from './run.js';

export const firstRun: Run = first;

/** The run of a tour. */
export async function loadRun(tour: string): Promise<Run> {
  return (await others[tour]?.())?.default ?? firstRun;
}
