// The bounds of a check as chips: what each may be instead. The package has the list of faults, and says their meaning.

import { durationMs } from 'locket-wasm';
import type { Bounds, RunQuestion } from 'locket-wasm/check';
import type { Faults } from 'locket-wasm/types';
import { length } from '../base/picture.js';

import { durationText } from '../base/time.js';

type FaultName = keyof Faults;

/** The bound of a chip: a latency, or the length or the count of a fault. */
export type ChipId = 'databaseLatency' | 'latency' | 'transactionTime' | `${'count' | 'length'} ${FaultName}`;

/** A bound as a chip: what it may be instead, each in words. */
export interface BoundChip {
  id: ChipId;
  label: string;
  /** A count, or a length in milliseconds. */
  value: number;
  choices: { value: number; words: string }[];
}

/** The lengths that people choose from, in milliseconds; any other stands in a run or a field. */
const LENGTHS_MS = [0, 5_000, 10_000, 20_000, 60_000];
const COUNTS = [0, 1, 2];

/** The bounds of a check, and the faults that they may allow. */
type Asked = Pick<RunQuestion, 'bounds' | 'faults'>;
type Fault = RunQuestion['faults'][number];

/** The bounds that a chip changes, as the package reads them. */
export function boundOf({ bounds, faults }: Asked, id: ChipId, value: number): Bounds {
  if (id === 'latency' || id === 'databaseLatency' || id === 'transactionTime') return { [id]: durationText(value) };
  const [part, name] = id.split(' ') as ['count' | 'length', FaultName];
  const { count, ...more } = partsOf(bounds, name);
  if (part === 'count') return { faults: { [name]: { ...more, count: value } } };
  const isOff = value === 0 && faults.some((fault) => fault.name === name && fault.takes === 'length');
  return { faults: { [name]: isOff ? 0 : { ...more, length: durationText(value), count: count || 1 } } };
}

/** The bounds as chips: those that allow something, and those that could. A fault that lasts happens if it has a length. */
export function boundChips({ bounds, faults }: Asked, delaysMs: readonly number[]): { set: BoundChip[]; free: BoundChip[] } {
  const all = faults.map((fault) => ({ ...fault, ...partsOf(bounds, fault.name) }));
  const counts = all.filter(({ takes }) => takes !== 'length').map((fault) => ({ takes: fault.takes, ...countChip(fault) }));
  const lengths = all.filter(({ takes }) => takes === 'length' || takes === 'downtime').map((fault) => ({ name: fault.name, ...faultLengthChip(fault) }));
  return {
    set: [
      chip('latency', 'Replies within', msOf(bounds.latency), delaysMs, (ms) => `messages ≤ ${length(ms)}`),
      ...lengths.filter(({ name, value }) => name === 'pause' || value > 0),
      ...[lengthChip('databaseLatency', 'queries and replies', 1, msOf(bounds.databaseLatency)), lengthChip('transactionTime', 'transactions', 1, msOf(bounds.transactionTime))].filter(({ value }) => value > 0),
      ...counts.filter(({ value }) => value > 0),
    ],
    free: counts.filter(({ takes, value }) => value === 0 && takes !== 'downtime'),
  };
}

function countChip({ name, one, several, count }: Fault & { count: number }): BoundChip {
  return chip(`count ${name}`, capital(several), count, COUNTS, (times) => `${times === 0 ? 'no' : times} ${times === 1 ? one : several}`);
}

function faultLengthChip({ name, one, takes, count, length }: Fault & Parts): BoundChip {
  const value = count === 0 ? 0 : msOf(length);
  return takes === 'length' ? lengthChip(`length ${name}`, one, count, value) : lengthChip(`length ${name}`, `time down after a ${one}`, 1, value);
}

function lengthChip(id: ChipId, one: string, times: number, value: number): BoundChip {
  return chip(id, capital(one), value, LENGTHS_MS, (ms) => (ms === 0 ? `no ${one}` : `${times > 1 ? `${times} × ` : ''}${one} ≤ ${length(ms)}`));
}

function chip(id: ChipId, label: string, value: number, choices: readonly number[], words: (value: number) => string): BoundChip {
  const all = [...new Set([...choices, value])].sort((a, b) => a - b);
  return { id, label, value, choices: all.map((one) => ({ value: one, words: words(one) })) };
}

interface Parts { length?: NonNullable<Bounds['latency']>; count: number }

/** A fault of a run, whose bounds have all parts. */
function partsOf({ faults = {} }: Bounds, name: FaultName): Parts {
  const bound = faults[name] ?? 0;
  return typeof bound === 'object' ? (bound as { count: number }) : { count: Number(bound) };
}

const msOf = (text: NonNullable<Bounds['latency']> = '0s'): number => durationMs(text);

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
