// Which clients a cut keeps from Locket at a moment: by what the scenario plans, and by what was done by hand.

import { durationMs } from 'locket-wasm';
import type { ScenarioAct } from 'locket-wasm/types';

import type { ManualAction } from './run.js';

type Cut = Extract<ScenarioAct, { do: 'cut' | 'heal' }>;

export function cutOff(scenario: string, manualActions: readonly ManualAction[], nowMs: number): ReadonlySet<string> {
  const { actions = [] } = JSON.parse(scenario) as { actions?: (Cut & { at: string })[] };
  const planned = actions.map((act) => ({ atMs: durationMs(act.at), act }));
  const byHand = manualActions.flatMap(({ atMs, act }) => (act === undefined ? [] : [{ atMs, act }]));
  const cut = new Set<string>();
  for (const { atMs, act } of [...planned, ...byHand].sort((a, b) => a.atMs - b.atMs)) {
    if (atMs > nowMs || (act.do !== 'cut' && act.do !== 'heal')) continue;
    for (const name of [act.from, act.to]) {
      if (act.do === 'cut') cut.add(name);
      else cut.delete(name);
    }
  }
  return cut;
}
