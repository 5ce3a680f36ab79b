// The faults of a scenario besides pauses and latency, as far as the checker knows them.

import type { Bounds } from 'locket-wasm/check';
import type { SimulationNode } from 'locket-wasm/types';

import { runnersNamed } from './runners.js';

export const FAULT_NAMES = ['crashes', 'failovers', 'lostMessages', 'restarts', 'rowDeletions'] as const;
export type FaultName = (typeof FAULT_NAMES)[number];
export type Faults = Partial<Pick<Bounds, FaultName | 'lostCommits'>>;

interface Action { do?: unknown; node?: unknown; count?: unknown; lostCommits?: unknown; every?: unknown }

/** The number of each fault in a run with these nodes. Endless repetitions and faults of Locket processes are left out. */
export function faultsOf(scenario: string, cast: readonly SimulationNode[]): Faults {
  const { actions = [] } = JSON.parse(scenario) as { actions?: Action[] };
  const faults: Faults = {};
  const add = (name: FaultName, times: number): void => void (faults[name] = (faults[name] ?? 0) + times);
  for (const action of actions) {
    const times = typeof action.count === 'number' ? action.count : 1;
    if (action.every !== undefined) continue;
    if (action.do === 'lose-messages') add('lostMessages', times);
    else if (action.do === 'delete-row') add('rowDeletions', 1);
    else if (action.do === 'fail-over') {
      add('failovers', 1);
      faults.lostCommits = Math.max(faults.lostCommits ?? 1, typeof action.lostCommits === 'number' ? action.lostCommits : 1);
    } else if (action.do === 'crash' || action.do === 'restart') {
      const { length: runners } = runnersNamed(cast, action.node);
      if (runners > 0) add('crashes', runners);
      if (runners > 0 && action.do === 'restart') add('restarts', runners);
    }
  }
  return faults;
}
