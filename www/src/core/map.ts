// The settings map: its axes, and the text of a cell, long and short.

import type { MapAxis, MapCell, WhyUnknown } from 'locket-wasm/types';
import { length } from '../base/picture.js';

import { isSafe } from './map-costs.js';
import type { Runner } from './settings.js';

/** The subject of a map. */
export interface MapSettings {
  axis: MapAxis;
  runner: Runner;
  /** By how many percent the rate of each clock may be wrong; by none without it. */
  drift?: Drift | undefined;
}

/** The choices of it. */
export type Drift = (typeof DRIFTS)[number];
export const DRIFTS = ['0.1', '1'] as const;
/** The longest worst freeze that can be chosen, in seconds. */
export const FREEZE_MAX_S = 30;

/** How much a cell can take. */
export type Level = 'none' | 'safe' | 'some' | 'unknown' | 'waiting';

interface AxisWords {
  label: string;
  title: string;
  /** The meaning of a cell's number. */
  number: string;
  /** An amount of it, as short as a cell is. */
  short: (amount: number) => string;
  /** An amount of it in a sentence; up to such an amount. */
  amount: (amount: number) => string;
  upToAmount: (amount: number) => string;
  /** The same for none at all; it has the cell's text in it, by which it is found. */
  none: string;
  /** How far bars reach at most. */
  scale: (ttlMaxMs: number) => number;
  /** How far it is raised, in words. */
  upTo: string;
  /** True if it is asked beside slow replies; messages take no time otherwise. */
  hasDelay: boolean;
}

const lost = (count: number): string => `${count} lost ${count === 1 ? 'message' : 'messages'}`;

export const AXES: Readonly<Record<MapAxis, AxisWords>> = {
  pause: {
    label: 'one freeze',
    title: 'How long a freeze is safe?',
    number: 'the shortest freeze of one client',
    short: length,
    amount: (ms) => `a freeze of ${length(ms)}`,
    upToAmount: (ms) => `every freeze up to ${length(ms)}`,
    none: 'a freeze of 0 s, so without any',
    scale: (ttlMaxMs) => ttlMaxMs,
    upTo: 'the TTL',
    hasDelay: true,
  },
  latency: {
    label: 'slow messages',
    title: 'How slow a message is safe?',
    number: 'the smallest latency of messages',
    short: length,
    amount: (ms) => `messages that take ${length(ms)}`,
    upToAmount: (ms) => `messages that take up to ${length(ms)}`,
    none: 'messages that take 0 s',
    scale: () => 6_000,
    upTo: '6 s',
    hasDelay: false,
  },
  lostMessage: {
    label: 'lost messages',
    title: 'How many lost messages are safe?',
    number: 'the smallest number of lost messages',
    short: String,
    amount: lost,
    upToAmount: (count) => `up to ${lost(count)}`,
    none: '0 lost messages',
    scale: () => 3,
    upTo: '3 messages',
    hasDelay: true,
  },
};

/** Why a cell is not known as a whole. */
const OPEN: Record<WhyUnknown, string> = {
  'clock-rates': 'no exact run shows what the search found in steps',
  'coarse-grid': 'the steps of the search are too long',
  drift: 'no proof covers clocks that drift',
  'each-client': 'no proof holds for any number, and no schedule breaks it',
  'never-exercised': 'nothing was tested',
  suspends: 'a search with suspends proves nothing',
  'too-many-states': 'the search stopped',
};

export function isAxis(name: string | null): name is MapAxis {
  return name !== null && Object.hasOwn(AXES, name);
}

/** @param freezeMs the worst freeze; what breaks a cell of the map of pauses only beyond it is safe */
export function levelOf(axis: MapAxis, cell: MapCell | undefined, freezeMs: number): Level {
  if (cell === undefined) return 'waiting';
  if (axis === 'pause' && isSafe(cell, freezeMs)) return 'safe';
  const { breaksAt, because } = cell;
  if (breaksAt === null) return because === null && axis !== 'pause' ? 'safe' : 'unknown';
  return breaksAt === 0 ? 'none' : 'some';
}

/** The verdict of a cell on the visitor's own settings. */
export function cellVerdict(axis: MapAxis, { breaksAt, safeUpTo, because }: MapCell): string {
  const { amount, upToAmount } = AXES[axis];
  if (breaksAt === 0) return 'Unsafe: two owners without any fault';
  if (breaksAt !== null) return `Unsafe: two owners with ${amount(breaksAt)}`;
  if (because !== null || safeUpTo === null) return `Unknown: ${OPEN[because ?? 'too-many-states']}`;
  return `Safe with ${upToAmount(safeUpTo)}`;
}

/** For how many clients the safe part of a cell is proved; empty if nothing is. */
export function provedWords(axis: MapAxis, { safeUpTo, clients }: MapCell): string {
  if (clients === null || safeUpTo === null) return '';
  const { none, upToAmount } = AXES[axis];
  const who = typeof clients === 'number' ? `${clients} clients` : `any number of clients${clients === 'any' ? '' : ' that share no key'}`;
  return `Proved for ${who}: safe with ${safeUpTo === 0 ? none : upToAmount(safeUpTo)}.`;
}

/** For how many clients all of the map is proved, as far as it is known; cells say themselves where it is fewer. */
export function provedForAll(cells: readonly MapCell[]): string {
  const proved = cells.filter(({ clients }) => clients !== null);
  return proved.length > 0 && proved.every(({ clients }) => clients === 'any') ? 'Proved for any number of clients.' : '';
}

/** As short as a cell is. */
export function cellText(axis: MapAxis, cell: MapCell | undefined): string {
  if (cell === undefined) return '·';
  const { breaksAt, because } = cell;
  if (breaksAt !== null) return `${because === null ? '' : '≤'}${AXES[axis].short(breaksAt)}`;
  return because === null ? '✓' : '?';
}

/** A sentence. */
export function cellWords(axis: MapAxis, { breaksAt, safeUpTo, because }: MapCell): string {
  const { amount, upToAmount, none } = AXES[axis];
  if (breaksAt === 0) return `two owners are possible even with ${none}`;
  if (breaksAt !== null) {
    return because === null ? `two owners are possible from ${amount(breaksAt)} on` : `two owners are possible with ${amount(breaksAt)}; with less, ${OPEN[because]}`;
  }
  const safe = safeUpTo === null ? 'nothing is known' : `safe with ${safeUpTo === 0 ? none : upToAmount(safeUpTo)}`;
  return because === null ? safe : `${safe}; beyond that, ${OPEN[because]}`;
}
