// The faults that stand as chips in a lane's head: a press does one at the cursor, a second press takes it back or ends it.

import type { ScenarioAct, SimulationNode } from 'locket-wasm/types';

import type { Session } from './session.svelte.js';

/** A chip. */
export interface Chip {
  label: string;
  /** The key that does the same in a focused lane; `undefined` if none does. */
  key: string | undefined;
  /** True if what it does is so at the cursor. */
  isOn: boolean;
  press: (session: Session) => void;
}

/** The default length of a freeze. */
export const FREEZE_MS = 20_000;

/** The chips of a client. */
export function clientChips({ name, status, isCutOff }: SimulationNode): Chip[] {
  return [
    chip('Freeze', 'Wake', 'f', status === 'paused', { do: 'pause', node: name, for: `${FREEZE_MS}ms` }, { do: 'resume', node: name }),
    chip('Crash', 'Restart', 'c', status === 'down', { do: 'crash', node: name }, { do: 'start', node: name }),
    chip('Cut off', 'Reconnect', 'x', isCutOff, { do: 'cut', from: name, to: 'locket' }, { do: 'heal', from: name, to: 'locket' }),
  ];
}

/** The chips of a lock. */
export function lockChips(key: string, isHeld: boolean): Chip[] {
  const once = (label: string, act: ScenarioAct): Chip => ({ label, key: undefined, isOn: false, press: (session) => session.act(act) });
  const restart = once('Restart Locket', { do: 'restart', node: 'locket' });
  return isHeld ? [once('Delete', { do: 'delete-row', key }), restart] : [restart];
}

function chip(label: string, onLabel: string, key: string, isOn: boolean, act: ScenarioAct, end: ScenarioAct): Chip {
  const press = (session: Session): void => {
    if (!isOn) session.act(act);
    else if (!session.isFreshAction || !session.undo()) session.act(end);
  };
  return { label: isOn ? onLabel : label, key, isOn, press };
}
