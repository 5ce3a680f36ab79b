// The bounds of a check, the faults of a run outside them, and both in words.

import { durationMs } from 'locket-wasm';
import { type Question } from 'locket-wasm/check';
import { length } from 'locket-wasm/picture';

import { durationText } from '../base/time.js';
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

/** The bound that a chip changes. */
export type BoundName = FaultName | 'delayMs' | 'pauseMs';

/** A bound as a chip: what it may be instead, each in words. */
export interface BoundChip {
  name: BoundName;
  label: string;
  value: number;
  choices: { value: number; words: string }[];
}

/** The freezes that people choose from, in milliseconds; any other stands in a run or a field. */
const PAUSES_MS = [0, 1_000, 2_000, 5_000, 10_000, 15_000, 20_000, 30_000, 60_000];
const COUNTS = [0, 1, 2];

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

/** The question within other bounds. */
export function withBounds(question: Question, changes: Partial<Bounds>): Question {
  const { latency: _, pause: __, pauses: ___, lostCommits, ...rest } = question;
  const { delayMs, pauseMs, pauses, ...counts } = { ...boundsOf(question), ...changes };
  const faults = Object.fromEntries(Object.entries(counts).filter(([, times]) => times > 0));
  for (const { name } of COUNTED) delete rest[name];
  return {
    ...rest,
    latency: durationText(delayMs),
    ...(pauseMs === 0 ? {} : { pause: durationText(pauseMs), ...(pauses > 1 ? { pauses } : {}) }),
    ...faults,
    ...(counts.failovers > 0 && lostCommits !== undefined ? { lostCommits } : {}),
  };
}

/** The bounds as chips: those that allow something, and those that could. */
export function boundChips(bounds: Bounds, delaysMs: readonly number[]): { set: BoundChip[]; free: BoundChip[] } {
  const times = (name: BoundName, label: string, value: number, choices: readonly number[], words: (value: number) => string): BoundChip => (
    { name, label, value, choices: [...new Set([...choices, value])].sort((a, b) => a - b).map((one) => ({ value: one, words: words(one) })) });
  const counts = COUNTED.map(({ name, one, many }) => times(name, capital(many), bounds[name], COUNTS, (count) => counted(count, one, many)));
  return {
    set: [
      times('delayMs', 'Replies within', bounds.delayMs, delaysMs, (ms) => `replies ≤ ${length(ms)}`),
      times('pauseMs', 'Freeze', bounds.pauseMs, PAUSES_MS, (ms) => freezeWords({ pauseMs: ms, pauses: bounds.pauses })),
      ...counts.filter(({ value }) => value > 0),
    ],
    // A client restarts only after a crash.
    free: counts.filter(({ name, value }) => value === 0 && name !== 'restarts'),
  };
}

/** `replies ≤ 1 s, freeze ≤ 7 s`, and what else may go wrong; what may not is left out. */
export function boundsWords(bounds: Bounds): string {
  const others = COUNTED.filter(({ name }) => bounds[name] > 0).map(({ name, one, many }) => counted(bounds[name], one, many));
  return [`replies ≤ ${length(bounds.delayMs)}`, freezeWords(bounds), ...others].join(', ');
}

function freezeWords({ pauseMs, pauses }: Pick<Bounds, 'pauseMs' | 'pauses'>): string {
  if (pauseMs === 0) return 'no freeze';
  return pauses > 1 ? `${pauses} freezes ≤ ${length(pauseMs)}` : `freeze ≤ ${length(pauseMs)}`;
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
