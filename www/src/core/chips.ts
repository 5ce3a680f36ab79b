// The faults that stand as chips in a lane's head: a press does one at the cursor, a second press takes it back or ends it.

import type { ScenarioAct, SimulationNode } from 'locket-wasm/types';
import type { Names } from 'locket-wasm/picture';

import type { Session } from './session.svelte.js';

/** A chip. */
export interface Chip {
  label: string;
  /** The key that does the same in a focused lane; `undefined` if none does. */
  key: string | undefined;
  /** Whether what it does is so at the cursor. */
  isOn: boolean;
  press: (session: Session) => void;
}

/** The default length of a freeze. */
export const FREEZE_MS = 20_000;

/** The chips of a client. */
export function clientChips({ name, status, isCutOff }: SimulationNode, names: Names): Chip[] {
  const who = names(name);
  return [
    chip('Freeze', 'Wake', 'f', status === 'paused', { do: 'pause', node: name, for: `${FREEZE_MS}ms` }, `${who} freezes for ${FREEZE_MS / 1_000} s`, { do: 'resume', node: name }, `${who} wakes`),
    chip('Crash', 'Restart', 'c', status === 'down', { do: 'crash', node: name }, `${who} crashes`, { do: 'start', node: name }, `${who} starts again`),
    chip('Cut off', 'Reconnect', 'x', isCutOff, { do: 'cut', from: name, to: 'locket' }, `${who} is cut off from Locket`, { do: 'heal', from: name, to: 'locket' }, `${who} is connected again`),
  ];
}

/** The chips of a lock. */
export function lockChips(key: string, isHeld: boolean): Chip[] {
  const restart: Chip = { label: 'Restart Locket', key: undefined, isOn: false, press: (session) => session.act({ do: 'restart', node: 'locket' }, 'Locket restarts') };
  if (!isHeld) return [restart];
  return [{ label: 'Delete', key: undefined, isOn: false, press: (session) => session.act({ do: 'delete-row', key }, `An operator deletes the lock ${key}`) }, restart];
}

function chip(label: string, onLabel: string, key: string, isOn: boolean, act: ScenarioAct, words: string, end: ScenarioAct, endWords: string): Chip {
  const press = (session: Session): void => {
    if (!isOn) session.act(act, words);
    else if (!session.isFreshAction || !session.undo()) session.act(end, endWords);
  };
  return { label: isOn ? onLabel : label, key, isOn, press };
}
