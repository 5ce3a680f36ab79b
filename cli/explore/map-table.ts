// A map of settings as rows of texts, for the terminal.

import type { SettingsMap } from 'locket-wasm/check';
import type { MapCell } from 'locket-wasm/types';

import { length } from '../../src/js/base/times.js';

/** The text and the look of a cell: no fault breaks it, some fault does, or it is unknown. */
export interface Drawn {
  text: string;
  look: 'bad' | 'good' | 'plain' | 'unknown';
}

/** The column heads, and each row with its head. */
export function drawn({ axis, cells }: SettingsMap): { heads: string[]; rows: [head: string, cells: Drawn[]][] } {
  const retries = [...new Set(cells.map(({ retryIntervalMs }) => retryIntervalMs))];
  const ttls = [...new Set(cells.map(({ ttlMs }) => ttlMs))];
  const row = (ttl: number) => cells.filter(({ ttlMs }) => ttlMs === ttl).map((cell) => cellOf(axis, cell));
  return {
    heads: retries.map((ms) => `r ${length(ms)}`),
    rows: ttls.map((ms) => [`T ${length(ms)}`, row(ms)]),
  };
}

function cellOf(axis: SettingsMap['axis'], { because, breaksAt, safeUpTo }: MapCell): Drawn {
  if (because !== null) return { text: breaksAt === null ? '?' : `≤ ${amount(axis, breaksAt)}`, look: 'unknown' };
  if (breaksAt !== null) return { text: amount(axis, breaksAt), look: breaksAt === 0 ? 'bad' : 'plain' };
  return safeUpTo === null ? { text: '?', look: 'unknown' } : { text: `> ${amount(axis, safeUpTo)}`, look: 'good' };
}

/** The names of the axes. */
export const AXIS_NAMES: Record<SettingsMap['axis'], string> = {
  latency: 'latency',
  lostMessage: 'number of lost messages',
  pause: 'pause',
};

/** An amount of an axis in words. */
export function amount(axis: SettingsMap['axis'], value: number): string {
  return axis === 'lostMessage' ? String(value) : length(value);
}
