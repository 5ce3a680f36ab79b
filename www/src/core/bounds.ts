// The bounds of a check, the faults of a run outside them, and both in words.

import { durationMs } from 'locket-wasm';
import { type Question } from 'locket-wasm/check';
import { length } from 'locket-wasm/picture';

import type { FaultName } from './faults.js';
import type { Wrong } from './run-facts.js';

/** The most faults that a check allows. */
export interface Bounds {
  delayMs: number;
  pauseMs: number;
  /** How many freezes, each of at most `pauseMs`. */
  pauses: number;
  lostMessages: number;
  crashes: number;
  restarts: number;
  rowDeletions: number;
  failovers: number;
}

interface Counted { name: FaultName; one: string; many: string }

const COUNTED: readonly Counted[] = [
  { name: 'lostMessages', one: 'lost message', many: 'lost messages' },
  { name: 'crashes', one: 'crash', many: 'crashes' },
  { name: 'restarts', one: 'restart', many: 'restarts' },
  { name: 'rowDeletions', one: 'deleted lock', many: 'deleted locks' },
  { name: 'failovers', one: 'failover', many: 'failovers' },
];

/** The bounds that a question sets. */
export function boundsOf(question: Question): Bounds {
  const { latency, pause, pauses, lostMessages = 0, crashes = 0, restarts = 0, rowDeletions = 0, failovers = 0 } = question;
  const pauseMs = pause === undefined ? 0 : durationMs(pause);
  return { delayMs: durationMs(latency ?? '1s'), pauseMs, pauses: pauses ?? (pauseMs > 0 ? 1 : 0), lostMessages, crashes, restarts, rowDeletions, failovers };
}

/** `replies ≤ 1 s, freeze ≤ 7 s`, and what else may go wrong; what may not is left out. */
export function boundsWords(bounds: Bounds): string {
  const freeze = bounds.pauseMs === 0 ? 'no freeze' : bounds.pauses > 1 ? `${bounds.pauses} freezes ≤ ${length(bounds.pauseMs)}` : `freeze ≤ ${length(bounds.pauseMs)}`;
  const others = COUNTED.filter(({ name }) => bounds[name] > 0).map(({ name, one, many }) => counted(bounds[name], one, many));
  return [`replies ≤ ${length(bounds.delayMs)}`, freeze, ...others].join(', ');
}

/** A fault of a run outside the bounds. */
export interface Leaving {
  /** As the subject of a sentence: `One crash`. */
  words: string;
  /** Whether wider bounds can include it. */
  canInclude: boolean;
}

/** The faults of a run outside the bounds. */
export function leaving(wrong: Wrong, bounds: Bounds, scenario: string): Leaving[] {
  const wider = [
    ...COUNTED.filter(({ name }) => wrong[name] > bounds[name]).map(({ name, one, many }) => counted(wrong[name] - bounds[name], one, many)),
    ...(wrong.pauseMs > bounds.pauseMs ? [`a freeze of ${length(wrong.pauseMs)}`] : wrong.pauses > bounds.pauses ? ['a second freeze'] : []),
    ...(wrong.delayMs > bounds.delayMs ? [`a message that takes ${length(wrong.delayMs)}`] : []),
  ];
  const foreign = [
    ...(wrong.queryMs > 0 ? [`a query that takes ${length(wrong.queryMs)}`] : []),
    ...(wrong.lostReplies > 0 ? ['a lost reply of the database'] : []),
    ...(wrong.stops > 0 ? ['a client that is stopped'] : []),
    ...wrong.others,
    ...otherClients(scenario),
  ];
  return [...wider.map((words) => ({ words: capital(words), canInclude: true })), ...foreign.map((words) => ({ words: capital(words), canInclude: false }))];
}

interface Client { key?: string; retryInterval?: string; runner?: string; ttl?: string; clock?: { ratePpm?: number } }

/** The search knows two clients with the same settings and true clocks, and one Locket process. */
function otherClients(scenario: string): string[] {
  const { clients = [], processes = 1 } = JSON.parse(scenario) as { clients?: Client[]; processes?: number };
  const runners = clients.filter((client) => client.retryInterval !== undefined || client.runner !== undefined);
  const kinds = new Set(runners.map(({ retryInterval, runner, ttl }) => JSON.stringify([retryInterval, runner, ttl])));
  const keys = new Set(runners.map(({ key }) => key));
  const rivals = Math.max(0, ...[...keys].map((key) => runners.filter((client) => client.key === key).length));
  return [
    ...(rivals > 2 ? [`a ${rivals === 3 ? 'third' : 'further'} client`] : []),
    ...(kinds.size > 1 ? ['a client with other settings'] : []),
    ...(clients.some(({ clock }) => (clock?.ratePpm ?? 0) !== 0) ? ['a clock that runs at another rate'] : []),
    ...(processes > 1 ? ['a second Locket process'] : []),
  ];
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

function counted(count: number, one: string, many: string): string {
  return `${NUMBERS[count] ?? count} ${count === 1 ? one : many}`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
