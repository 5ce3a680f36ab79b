// The bounds of a check as chips: what each may be instead. The package says their meaning.

import { durationMs } from 'locket-wasm';
import type { Bounds } from 'locket-wasm/check';
import { length } from 'locket-wasm/picture';

import { durationText } from '../base/time.js';

/** A bound as a chip: what it may be instead, each in words. */
export interface BoundChip {
  name: keyof Bounds;
  label: string;
  /** A count, or a length in milliseconds. */
  value: number;
  choices: { value: number; words: string }[];
}

/** The lengths that people choose from, in milliseconds; any other stands in a run or a field. */
const LENGTHS_MS = [0, 1_000, 2_000, 5_000, 10_000, 15_000, 20_000, 30_000, 60_000];
const COUNTS = [0, 1, 2];

/** A bound with a length: its name, and that of its count. */
const LENGTHS: readonly { name: keyof Bounds; count?: keyof Bounds; one: string }[] = [
  { name: 'pause', count: 'pauses', one: 'pause' },
  { name: 'partition', count: 'partitions', one: 'partition' },
  { name: 'suspend', count: 'suspends', one: 'suspend' },
  { name: 'locketPause', count: 'locketPauses', one: 'Locket pause' },
  { name: 'stall', count: 'stalls', one: 'database stall' },
  { name: 'locketDowntime', one: 'Locket down' },
  { name: 'databaseDowntime', one: 'database down' },
  { name: 'databaseLatency', one: 'queries and replies' },
];

const COUNTED: readonly { name: keyof Bounds; one: string; many: string }[] = [
  { name: 'lostMessages', one: 'message lost', many: 'messages lost' },
  { name: 'crashes', one: 'crash', many: 'crashes' },
  { name: 'restarts', one: 'restart', many: 'restarts' },
  { name: 'rowDeletions', one: 'row deleted', many: 'rows deleted' },
  { name: 'failovers', one: 'failover', many: 'failovers' },
  { name: 'stops', one: 'stop', many: 'stops' },
  { name: 'duplicates', one: 'duplicate message', many: 'duplicate messages' },
  { name: 'disconnects', one: 'broken connection', many: 'broken connections' },
  { name: 'locketCrashes', one: 'Locket crash', many: 'Locket crashes' },
  { name: 'locketDrains', one: 'Locket drain', many: 'Locket drains' },
  { name: 'lostReplies', one: 'lost database reply', many: 'lost database replies' },
  { name: 'databaseCrashes', one: 'database crash', many: 'database crashes' },
];

/** Which of those may be allowed where they are not; a client restarts only after a crash. */
const OFFERED = new Set<keyof Bounds>(['lostMessages', 'crashes', 'rowDeletions', 'failovers', 'stops']);

/** A bound as the package reads it. */
export function boundOf(name: keyof Bounds, value: number): Bounds {
  return { [name]: name === 'latency' || LENGTHS.some((one) => one.name === name) ? durationText(value) : value };
}

/** The bounds as chips: those that allow something, and those that could. */
export function boundChips(bounds: Bounds, delaysMs: readonly number[]): { set: BoundChip[]; free: BoundChip[] } {
  const counts = COUNTED.map(({ name, one, many }) => chip(name, capital(many), numberOf(bounds, name), COUNTS, (count) => `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`));
  const lengths = LENGTHS.map(({ name, count, one }) => {
    const times = count === undefined ? 1 : numberOf(bounds, count);
    return chip(name, capital(one), numberOf(bounds, name), LENGTHS_MS, (ms) => (ms === 0 ? `no ${one}` : `${times > 1 ? `${times} × ` : ''}${one} ≤ ${length(ms)}`));
  });
  return {
    set: [
      chip('latency', 'Replies within', numberOf(bounds, 'latency'), delaysMs, (ms) => `messages ≤ ${length(ms)}`),
      ...lengths.filter(({ name, value }) => name === 'pause' || value > 0),
      ...counts.filter(({ value }) => value > 0),
    ],
    free: counts.filter(({ name, value }) => value === 0 && OFFERED.has(name)),
  };
}

function chip(name: keyof Bounds, label: string, value: number, choices: readonly number[], words: (value: number) => string): BoundChip {
  const all = [...new Set([...choices, value])].sort((a, b) => a - b);
  return { name, label, value, choices: all.map((one) => ({ value: one, words: words(one) })) };
}

function numberOf(bounds: Bounds, name: keyof Bounds): number {
  const value = bounds[name] ?? 0;
  return typeof value === 'number' ? value : durationMs(value);
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
