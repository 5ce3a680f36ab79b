// The settings map: what can be raised in it until two act as the owner, and what a cell of it says, in words and at a glance.

import type { MapAxis, MapCell } from 'locket-wasm/slim';

import { length } from '../base/time.js';
import type { RunnerKind } from './settings.js';

/** What a map is about. */
export interface MapSettings {
  axis: MapAxis;
  runner: RunnerKind;
}

/** How much a cell can take. */
export type Level = 'fragile' | 'none' | 'safe' | 'some' | 'sturdy' | 'unknown' | 'waiting';

interface AxisWords {
  label: string;
  title: string;
  /** What each number is. */
  number: string;
  /** An amount of it, as short as a cell is. */
  short: (amount: number) => string;
  /** An amount of it in a sentence; up to such an amount. */
  amount: (amount: number) => string;
  upToAmount: (amount: number) => string;
  /** The same for none at all; it has the cell's text in it, by which it is found. */
  none: string;
  /** The most that is fragile, and the most that is not yet sturdy. */
  levels: (ttlMs: number) => [fragile: number, some: number];
  /** How far it is raised, in words. */
  upTo: string;
  /** Whether it is asked beside slow replies; messages take no time otherwise. */
  hasDelay: boolean;
}

const ofLease = (ttlMs: number): [number, number] => [ttlMs / 3, (2 * ttlMs) / 3];
const percent = (ppm: number): string => `${ppm / 10_000} %`;
const lost = (count: number): string => `${count} lost ${count === 1 ? 'message' : 'messages'}`;

export const AXES: Readonly<Record<MapAxis, AxisWords>> = {
  pause: {
    label: 'one pause',
    title: 'How long may a client stand still before two act as the owner?',
    number: 'the smallest pause of one client',
    short: length,
    amount: (ms) => `a pause of ${length(ms)}`,
    upToAmount: (ms) => `every pause up to ${length(ms)}`,
    none: 'a pause of 0 s, so without any',
    levels: ofLease,
    upTo: 'the TTL',
    hasDelay: true,
  },
  delay: {
    label: 'slow messages',
    title: 'How slow may messages be before two act as the owner?',
    number: 'the smallest delay of messages',
    short: length,
    amount: (ms) => `messages that take ${length(ms)}`,
    upToAmount: (ms) => `messages that take up to ${length(ms)}`,
    none: 'messages that take 0 s',
    levels: ofLease,
    upTo: '6 s',
    hasDelay: false,
  },
  losses: {
    label: 'lost messages',
    title: 'How many messages may be lost before two act as the owner?',
    number: 'the smallest number of lost messages',
    short: String,
    amount: lost,
    upToAmount: (count) => `up to ${lost(count)}`,
    none: '0 lost messages',
    levels: () => [1, 2],
    upTo: '3 messages',
    hasDelay: true,
  },
  'clock-rate': {
    label: 'a slow clock',
    title: 'How slow may a client’s clock be before two act as the owner?',
    number: 'the smallest slowness of one client’s clock',
    short: percent,
    amount: (ppm) => `a clock that is ${percent(ppm)} slow`,
    upToAmount: (ppm) => `a clock that is up to ${percent(ppm)} slow`,
    none: 'clocks that are 0 % slow',
    levels: () => [50_000, 150_000],
    upTo: '30 %',
    hasDelay: false,
  },
};

export function isAxis(name: string | null): name is MapAxis {
  return name !== null && Object.hasOwn(AXES, name);
}

export function levelOf(axis: MapAxis, cell: MapCell | undefined): Level {
  if (cell === undefined) return 'waiting';
  const { breaksAt, ttlMs, isComplete } = cell;
  if (breaksAt === null) return isComplete ? 'safe' : 'unknown';
  if (breaksAt === 0) return 'none';
  const [fragile, some] = AXES[axis].levels(ttlMs);
  if (breaksAt <= fragile) return 'fragile';
  return breaksAt <= some ? 'some' : 'sturdy';
}

/** As short as a cell is. */
export function cellText(axis: MapAxis, cell: MapCell | undefined): string {
  if (cell === undefined) return '·';
  if (cell.breaksAt !== null) return AXES[axis].short(cell.breaksAt);
  return cell.isComplete ? '✓' : '?';
}

/** A sentence. */
export function cellWords(axis: MapAxis, { breaksAt, safeUpTo, isComplete }: MapCell): string {
  const { amount, upToAmount, none } = AXES[axis];
  if (breaksAt === 0) return `two owners are possible even with ${none}`;
  if (breaksAt !== null) return `two owners are possible from ${amount(breaksAt)} on`;
  const safe = safeUpTo === null ? 'nothing is proved' : `proved safe with ${safeUpTo === 0 ? none : upToAmount(safeUpTo)}`;
  return isComplete ? safe : `${safe}; beyond that there are more states than may be kept`;
}
