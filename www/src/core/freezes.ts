// The freezes of a run as things whose ends can be moved: the scenario's own, and those that were done by hand.

import { durationMs } from 'locket-wasm';
import type { SimulationTimeline } from 'locket-wasm/types';

import { type Json, print } from '../base/print.js';
import { durationText } from '../base/time.js';
import { type Acted, manualActionOf } from './run.js';

/** A stretch in which a node is frozen. */
export interface Freeze {
  /** The same for as long as it is moved: which freeze of its node it is. */
  id: string;
  node: string;
  fromMs: number;
  toMs: number;
}

type Members = { [key: string]: Json };

export function freezesOf({ outages }: SimulationTimeline): Freeze[] {
  const paused = outages.filter(({ status }) => status === 'paused');
  return paused.map(({ node, fromMs, toMs }) => {
    const nth = paused.filter((other) => other.node === node && other.fromMs < fromMs).length;
    return { id: `${node} ${nth}`, node, fromMs, toMs };
  });
}

/** The run with other ends of one of its freezes; `undefined` if the freeze is neither planned nor done by hand, such as a repeated one. */
export function withFreeze(run: Acted, freeze: Freeze, to: { fromMs: number; toMs: number }): Acted | undefined {
  return inText(run, freeze, to) ?? inManualActions(run, freeze, to);
}

/** Remarks and expectations speak of the freeze as it was, so they go. */
function inText({ scenario: text, manualActions }: Acted, { node, fromMs, toMs }: Freeze, to: { fromMs: number; toMs: number }): Acted | undefined {
  const scenario = JSON.parse(text) as Members;
  const actions = (Array.isArray(scenario['actions']) ? scenario['actions'] : []) as Members[];
  const timeOf = (action: Members): number => (typeof action['at'] === 'string' ? durationMs(action['at']) : 0);
  const isIts = (action: Members): boolean => action['node'] === node && action['every'] === undefined;
  const freezing = actions.find((action) => isIts(action) && (action['do'] === 'pause' || action['do'] === 'suspend') && timeOf(action) === fromMs);
  if (freezing === undefined) return undefined;
  const kept = actions.filter((action) => action['do'] !== 'note' && !(isIts(action) && action['do'] === 'resume' && timeOf(action) > fromMs && timeOf(action) <= toMs));
  const moved = kept.map((action) => (action === freezing ? { ...action, at: durationText(to.fromMs), for: durationText(to.toMs - to.fromMs) } : action));
  delete scenario['expect'];
  return { scenario: print({ ...scenario, actions: moved }), manualActions };
}

function inManualActions({ scenario, manualActions }: Acted, { node, fromMs, toMs }: Freeze, to: { fromMs: number; toMs: number }): Acted | undefined {
  const freezing = manualActions.find(({ atMs, act }) => atMs === fromMs && act?.do === 'pause' && act.node === node);
  if (freezing === undefined) return undefined;
  const moved = manualActionOf(to.fromMs, { do: 'pause', node, for: durationText(to.toMs - to.fromMs) });
  const kept = manualActions.filter(({ atMs, act }) => !(act?.do === 'resume' && act.node === node && atMs > fromMs && atMs <= toMs));
  // Earlier actions come first.
  return { scenario, manualActions: kept.map((manualAction) => (manualAction === freezing ? moved : manualAction)).sort((a, b) => a.atMs - b.atMs) };
}
