// The bounds of a check as chips: what each may be instead. The package says their meaning.

import { durationMs } from 'locket-wasm';
import type { Bounds } from 'locket-wasm/check';
import type { Faults } from 'locket-wasm/types';
import { length } from '../base/picture.js';

import { durationText } from '../base/time.js';

type FaultName = keyof Faults;

/** The bound of a chip: a latency, or the length or the count of a fault. */
export type ChipId = 'databaseLatency' | 'latency' | `${'count' | 'length'} ${FaultName}`;

/** A bound as a chip: what it may be instead, each in words. */
export interface BoundChip {
  id: ChipId;
  label: string;
  /** A count, or a length in milliseconds. */
  value: number;
  choices: { value: number; words: string }[];
}

/** The lengths that people choose from, in milliseconds; any other stands in a run or a field. */
const LENGTHS_MS = [0, 1_000, 2_000, 5_000, 10_000, 15_000, 20_000, 30_000, 60_000];
const COUNTS = [0, 1, 2];

/** Faults whose length says whether they happen. */
const LASTING: readonly { name: FaultName; one: string }[] = [
  { name: 'pause', one: 'pause' },
  { name: 'partition', one: 'partition' },
  { name: 'suspend', one: 'suspend' },
  { name: 'locketPause', one: 'Locket pause' },
  { name: 'stall', one: 'database stall' },
];

/** Faults that bring something down for a while. */
const DOWN: readonly { name: FaultName; one: string }[] = [
  { name: 'locketCrash', one: 'Locket down' },
  { name: 'locketDrain', one: 'Locket down after a drain' },
  { name: 'databaseCrash', one: 'database down' },
];

const COUNTED: readonly { name: FaultName; one: string; many: string }[] = [
  { name: 'lostMessage', one: 'message lost', many: 'messages lost' },
  { name: 'crash', one: 'crash', many: 'crashes' },
  { name: 'restart', one: 'restart', many: 'restarts' },
  { name: 'rowDeletion', one: 'row deleted', many: 'rows deleted' },
  { name: 'failover', one: 'failover', many: 'failovers' },
  { name: 'stop', one: 'stop', many: 'stops' },
  { name: 'duplicate', one: 'duplicate message', many: 'duplicate messages' },
  { name: 'disconnect', one: 'broken connection', many: 'broken connections' },
  { name: 'locketCrash', one: 'Locket crash', many: 'Locket crashes' },
  { name: 'locketDrain', one: 'Locket drain', many: 'Locket drains' },
  { name: 'lostReply', one: 'lost database reply', many: 'lost database replies' },
  { name: 'databaseCrash', one: 'database crash', many: 'database crashes' },
];

/** Which of those may be allowed where they are not; a client restarts only after a crash. */
const OFFERED = new Set<FaultName>(['lostMessage', 'crash', 'rowDeletion', 'failover', 'stop']);

/** The bounds that a chip changes, as the package reads them. */
export function boundOf(bounds: Bounds, id: ChipId, value: number): Bounds {
  if (id === 'latency' || id === 'databaseLatency') return { [id]: durationText(value) };
  const [part, name] = id.split(' ') as ['count' | 'length', FaultName];
  const { count, ...more } = partsOf(bounds, name);
  if (part === 'count') return { faults: { [name]: { ...more, count: value } } };
  const isLasting = LASTING.some((one) => one.name === name);
  return { faults: { [name]: isLasting && value === 0 ? 0 : { ...more, length: durationText(value), count: count || 1 } } };
}

/** The bounds as chips: those that allow something, and those that could. */
export function boundChips(bounds: Bounds, delaysMs: readonly number[]): { set: BoundChip[]; free: BoundChip[] } {
  const countOf = (name: FaultName) => partsOf(bounds, name).count;
  const counts = COUNTED.map(({ name, one, many }) => ({ name, ...chip(`count ${name}`, capital(many), countOf(name), COUNTS, (count) => `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`) }));
  const lengths = [...LASTING, ...DOWN].map(({ name, one }) => {
    const times = LASTING.some((lasting) => lasting.name === name) ? countOf(name) : 1;
    return { name, ...lengthChip(`length ${name}`, one, times, countOf(name) === 0 ? 0 : msOf(partsOf(bounds, name).length)) };
  });
  return {
    set: [
      chip('latency', 'Replies within', msOf(bounds.latency), delaysMs, (ms) => `messages ≤ ${length(ms)}`),
      ...lengths.filter(({ name, value }) => name === 'pause' || value > 0),
      ...[lengthChip('databaseLatency', 'queries and replies', 1, msOf(bounds.databaseLatency))].filter(({ value }) => value > 0),
      ...counts.filter(({ value }) => value > 0),
    ],
    free: counts.filter(({ name, value }) => value === 0 && OFFERED.has(name)),
  };
}

function lengthChip(id: ChipId, one: string, times: number, value: number): BoundChip {
  return chip(id, capital(one), value, LENGTHS_MS, (ms) => (ms === 0 ? `no ${one}` : `${times > 1 ? `${times} × ` : ''}${one} ≤ ${length(ms)}`));
}

function chip(id: ChipId, label: string, value: number, choices: readonly number[], words: (value: number) => string): BoundChip {
  const all = [...new Set([...choices, value])].sort((a, b) => a - b);
  return { id, label, value, choices: all.map((one) => ({ value: one, words: words(one) })) };
}

/** A fault of a run, whose bounds have all parts. */
function partsOf({ faults = {} }: Bounds, name: FaultName): { length?: NonNullable<Bounds['latency']>; count: number } {
  const bound = faults[name] ?? 0;
  return typeof bound === 'object' ? (bound as { count: number }) : { count: Number(bound) };
}

const msOf = (text: NonNullable<Bounds['latency']> = '0s'): number => durationMs(text);

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
