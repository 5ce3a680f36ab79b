// The scenario's own actions, as things that can be moved in time.

import { durationMs } from 'locket-wasm';

import { print, type Json } from '../base/print.js';
import { durationText } from '../base/time.js';

/** An action of a scenario. */
export interface PlannedAction {
  /** Its place in the scenario's list. */
  index: number;
  atMs: number;
  words: string;
}

type Members = { [key: string]: Json };

/** The actions of a scenario, without notes and repetitions. */
export function actionsOf(text: string): PlannedAction[] {
  return listOf(JSON.parse(text) as Members).flatMap((action, index): PlannedAction[] => {
    const { at, do: kind, every } = action;
    if (typeof kind !== 'string' || kind === 'note' || every !== undefined) return [];
    if (typeof at !== 'string') return [];
    const about = ['node', 'key', 'from', 'to'].flatMap((name) => (typeof action[name] === 'string' ? [action[name]] : []));
    return [{ index, atMs: durationMs(at), words: [kind.replaceAll('-', ' '), about.join(' to ')].join(' ').trim() }];
  });
}

/** The scenario with one of its actions at another time. */
export function withActionAt(text: string, index: number, atMs: number): string {
  const scenario = JSON.parse(text) as Members;
  const actions = listOf(scenario).map((action, at) => (at === index ? { ...action, at: durationText(atMs) } : action));
  return print({ ...scenario, actions });
}

function listOf(scenario: Members): Members[] {
  return Array.isArray(scenario['actions']) ? (scenario['actions'] as Members[]) : [];
}

