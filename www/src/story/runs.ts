// The recorded runs: the first comes with the page, the others when one of them is asked for.

import first from 'virtual:first-run';

import type { Run } from './run.js';

export const firstRun: Run = first;

/** The run of a tour. */
export async function loadRun(tour: string): Promise<Run> {
  const { default: others } = await import('virtual:other-runs');
  return others[tour] ?? firstRun;
}
