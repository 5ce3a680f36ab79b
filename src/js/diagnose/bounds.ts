// The faults of an incident's scenario as bounds for a question: each fault as often and as long as
// in the scenario.

import type { Bounds } from '../check/question.js';
import type { Scenario, ScenarioAction } from '../simulation/scenario-value.js';
import type { Duration } from '../base/duration.js';
import { msOf } from './duration.js';

type Counted = 'crashes' | 'databaseCrashes' | 'locketCrashes' | 'locketPauses' | 'partitions' | 'pauses' | 'restarts' | 'rowDeletions' | 'stalls' | 'stops';
type Lasting = 'databaseDowntime' | 'latency' | 'locketDowntime' | 'locketPause' | 'partition' | 'pause' | 'stall';

/** The faults of a scenario. */
export function boundsOf({ clients, actions = [], until }: Scenario): Bounds {
  const names = new Set(clients.map(({ name }) => name));
  const bounds: Bounds = {};
  const add = (what: Counted): void => void (bounds[what] = Number(bounds[what] ?? 0) + 1);
  const last = (what: Lasting, ms: number): void => void (bounds[what] = seconds(Math.max(ms, msOf(bounds[what]))));
  const undone = (index: number, isUndo: (action: ScenarioAction) => boolean): number | undefined => {
    const undo = actions.slice(index + 1).find(isUndo);
    return undo && msOf(undo.at) - msOf(actions[index]?.at);
  };
  actions.forEach((action, index) => {
    const toEnd = msOf(until) - msOf(action.at);
    switch (action.do) {
      case 'crash': {
        const downMs = undone(index, (other) => other.do === 'start' && other.node === action.node) ?? toEnd;
        if (names.has(action.node)) return add('crashes');
        if (action.node === 'database') return (add('databaseCrashes'), last('databaseDowntime', downMs));
        return (add('locketCrashes'), last('locketDowntime', downMs));
      }
      case 'start':
        return names.has(action.node) ? add('restarts') : undefined;
      case 'stop':
        return names.has(action.node) ? add('stops') : undefined;
      case 'pause':
      // The package's runners notice by a second clock that their machine was suspended.
      case 'suspend':
        if (names.has(action.node)) return (add('pauses'), last('pause', msOf(action.for)));
        return (add('locketPauses'), last('locketPause', msOf(action.for)));
      case 'stall':
        return (add('stalls'), last('stall', msOf(action.for)));
      case 'cut': {
        // A cut that never heals only decides which Locket a client asks.
        const cutMs = undone(index, (other) => other.do === 'heal' && other.from === action.from && other.to === action.to);
        return cutMs === undefined ? undefined : (add('partitions'), last('partition', cutMs));
      }
      case 'set-latency':
        return typeof action.latency === 'string' && msOf(action.latency) > 0 ? last('latency', msOf(action.latency)) : undefined;
      case 'delete-row':
      case 'drop-table':
        return add('rowDeletions');
      default:
        return undefined;
    }
  });
  return bounds;
}

/** Bounds are asked in whole seconds, which searches take less time for. */
const seconds = (ms: number): Duration => `${Math.max(1, Math.ceil(ms / 1000))}s`;
