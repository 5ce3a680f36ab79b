// The faults of a scenario besides pauses and latency, as far as the checker knows them.

import type { Bounds } from 'locket-wasm/check';

export const FAULT_NAMES = ['crashes', 'failovers', 'lostMessages', 'restarts', 'rowDeletions'] as const;
export type FaultName = (typeof FAULT_NAMES)[number];
export type Faults = Partial<Pick<Bounds, FaultName | 'lostCommits'>>;

interface Action { do?: unknown; node?: unknown; count?: unknown; lostCommits?: unknown; every?: unknown }

/** How often each thing goes wrong. What repeats without end is left out, and so is what befalls a Locket process. */
export function faultsOf(scenario: string): Faults {
  const { clients = [], actions = [] } = JSON.parse(scenario) as { clients?: { name?: unknown }[]; actions?: Action[] };
  const names = new Set(clients.map(({ name }) => name));
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
    } else if ((action.do === 'crash' || action.do === 'restart') && names.has(action.node)) {
      add('crashes', 1);
      if (action.do === 'restart') add('restarts', 1);
    }
  }
  return faults;
}
