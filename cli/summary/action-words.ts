// The actions of a scenario as sentences.

import { durationMs } from 'locket-wasm';
import type { ScenarioAct, ScenarioLatency } from 'locket-wasm/types';

import { counted } from '../../src/js/base/text.js';
import { length } from '../../src/js/base/times.js';

/** An action as a sentence without a full stop: `a is paused for 20 s`. */
export function actionWords(action: ScenarioAct): string {
  switch (action.do) {
    case 'arrive': return `what ${action.node} has sent to the storage arrives`;
    case 'crash': return `${named(action.node)} crashes`;
    case 'cut': return `${between(action, 'the link')} is cut${lasting(action)}`;
    case 'delete-row': return `an operator deletes the row of ${action.key}`;
    case 'disconnect': return `${named(action.node)} loses its connections`;
    case 'drain': return `${named(action.node)} stops after its calls`;
    case 'drop-table': return 'an operator drops the table';
    case 'fail-over': return `the database fails over and loses its last ${counted(action.lostCommits, 'commit')}`;
    case 'fetch': return `${action.node} asks who holds its key`;
    case 'fetch-all': return `${action.node} lists all resources of its kind`;
    case 'heal': return `${between(action, 'the link')} carries messages again`;
    case 'lock': return `${action.node} locks its key`;
    case 'lock-without-resource': return `${action.node} sends a Lock request without a resource`;
    // The only action that is one way by default.
    case 'lose-messages': return `${between({ oneWay: true, ...action }, `the next ${counted(action.count ?? 1, 'message')}`)} will be lost`;
    case 'lose-replies': return `the next ${counted(action.count, 'reply', 'replies')} of the database will be lost after the commit`;
    case 'note': return action.text;
    case 'pause': return `${named(action.node)} is paused${lasting(action)}`;
    case 'put-row': return `an operator writes the row of ${action.key} with owner ${action.owner}, TTL ${length(durationMs(action.ttl ?? '15s'))}`;
    case 'release': return `${action.node} releases its key`;
    case 'restart': return `${named(action.node)} crashes and starts again${action.owner === undefined ? '' : ` as owner ${action.owner}`}`;
    case 'resume': return `${named(action.node)} resumes`;
    case 'set-latency': return `${between(action, 'a message')} takes ${latencyWords(action.latency)}${lasting(action)}`;
    case 'set-loss': return action.loss === '0%' ? `${between(action, 'the link')} loses no more messages` : `${between(action, 'the link')} loses ${action.loss.replace('%', ' %')} of its messages${lasting(action)}`;
    case 'set-transaction-time': return `a transaction holds its row for ${latencyWords(action.transactionTime)}${lasting(action)}`;
    case 'stall': return `the database stalls${lasting(action)}`;
    case 'start': return `${named(action.node)} starts`;
    case 'stop': return `${named(action.node)} stops in order`;
    case 'suspend': return `the machine of ${named(action.node)} is suspended${lasting(action)}`;
    case 'take-token': return `${action.node} asks the storage for a token`;
    case 'write': return `${action.node} decides on a write`;
  }
}

/** A latency: `0.1 s`, or `0.01 s to 0.2 s`. */
export function latencyWords(latency: ScenarioLatency): string {
  if (typeof latency === 'string') return length(durationMs(latency));
  return `${length(durationMs(latency.min ?? '0s'))} to ${length(durationMs(latency.max))}`;
}

const named = (node: string): string => (node === 'locket' ? 'every Locket process' : node === 'database' ? 'the database' : node);

function between({ from, to, oneWay }: { from: string; to: string; oneWay?: boolean }, what: string): string {
  return oneWay ? `${what} from ${named(from)} to ${named(to)}` : `${what} between ${named(from)} and ${named(to)}`;
}

const lasting = (action: { for?: string }): string => (action.for === undefined ? '' : ` for ${length(durationMs(action.for))}`);
