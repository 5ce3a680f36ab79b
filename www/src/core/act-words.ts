// An act as a sentence without a full stop: the name of its branch, and the caption of its moment.

import { durationMs } from 'locket-wasm';
import { length, type Names } from '../base/picture.js';
import type { ScenarioAct } from 'locket-wasm/types';

type Words = { [Kind in ScenarioAct['do']]?: (act: Extract<ScenarioAct, { do: Kind }>, name: Names) => string };

const WORDS: Words = {
  crash: ({ node }, name) => `${name(node)} crashes`,
  cut: ({ from, to }, name) => `${name(from)} is cut off from ${name(to)}`,
  'delete-row': ({ key }) => `An operator deletes the lock ${key}`,
  disconnect: ({ node }, name) => `The connection of ${name(node)} breaks`,
  drain: ({ node }, name) => `${name(node)} is stopped`,
  'fail-over': () => 'The database fails over and loses its last commit',
  heal: ({ from }, name) => `${name(from)} is connected again`,
  lock: ({ node }, name) => `${name(node)} asks for the lock`,
  'lose-messages': ({ from, to }, name) => `The next message from ${name(from)} to ${name(to)} is lost`,
  'lose-replies': () => 'The next answer of the database is lost',
  pause: ({ node, for: lasts }, name) => `${name(node)} freezes${lasts === undefined ? '' : ` for ${length(durationMs(lasts))}`}`,
  'put-row': ({ key, ttl }) => `An operator claims ${key}${ttl === undefined ? '' : ` for ${length(durationMs(ttl))}`}`,
  release: ({ node }, name) => `${name(node)} releases the lock`,
  restart: ({ node }, name) => `${name(node)} restarts`,
  resume: ({ node }, name) => `${name(node)} wakes`,
  'set-latency': ({ from, to, latency }, name) => `Messages from ${name(from)} to ${name(to)} take ${typeof latency === 'string' ? length(durationMs(latency)) : 'longer'}`,
  stall: ({ for: lasts }) => `The database stalls for ${length(durationMs(lasts))}`,
  start: ({ node }, name) => `${name(node)} starts again`,
  stop: ({ node }, name) => `${name(node)} is stopped`,
};

/** @param names the names of clients; Locket and the database have their own */
export function actWords(act: ScenarioAct, names: Names): string {
  const name = (node: string): string => ({ locket: 'Locket', database: 'the database' })[node] ?? names(node);
  return WORDS[act.do]?.(act as never, name) ?? act.do.replaceAll('-', ' ');
}
