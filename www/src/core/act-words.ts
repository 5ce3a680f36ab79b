// An act as a sentence without a full stop: the name of its branch, and the caption of its moment.

import { durationMs } from 'locket-wasm';
import { length, type Names } from '../base/picture.js';
import type { ScenarioAct } from 'locket-wasm/types';

/** @param names the names of clients; Locket and the database have their own */
export function actWords(act: ScenarioAct, names: Names): string {
  const who = 'node' in act ? nameOf(act.node, names) : '';
  switch (act.do) {
    case 'crash':
      return `${who} crashes`;
    case 'cut':
      return `${nameOf(act.from, names)} is cut off from ${nameOf(act.to, names)}`;
    case 'delete-row':
      return `An operator deletes the lock ${act.key}`;
    case 'disconnect':
      return `The connection of ${who} breaks`;
    case 'fail-over':
      return 'The database fails over and loses its last commit';
    case 'heal':
      return `${nameOf(act.from, names)} is connected again`;
    case 'lock':
      return `${who} asks for the lock`;
    case 'lose-messages':
      return `The next message from ${nameOf(act.from, names)} to ${nameOf(act.to, names)} is lost`;
    case 'lose-replies':
      return 'The next answer of the database is lost';
    case 'pause':
      return `${who} freezes${act.for === undefined ? '' : ` for ${length(durationMs(act.for))}`}`;
    case 'put-row':
      return `An operator claims ${act.key}${act.ttl === undefined ? '' : ` for ${length(durationMs(act.ttl))}`}`;
    case 'release':
      return `${who} releases the lock`;
    case 'restart':
      return `${who} restarts`;
    case 'resume':
      return `${who} wakes`;
    case 'set-latency':
      return `Messages from ${nameOf(act.from, names)} to ${nameOf(act.to, names)} take ${typeof act.latency === 'string' ? length(durationMs(act.latency)) : 'longer'}`;
    case 'stall':
      return `The database stalls for ${length(durationMs(act.for))}`;
    case 'start':
      return `${who} starts again`;
    case 'drain':
    case 'stop':
      return `${who} is stopped`;
    default:
      return act.do.replaceAll('-', ' ');
  }
}

function nameOf(node: string, names: Names): string {
  if (node === 'locket') return 'Locket';
  return node === 'database' ? 'the database' : names(node);
}
