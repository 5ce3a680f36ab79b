// Who owned each key when: the owners of a key's row, the times without a row, those with two owners,
// and those in which no client acts. It knows only a run's timeline and its clients.

import type { SimulationNode, SimulationSpan, SimulationTimeline } from 'locket-wasm/types';

/** A period in the history of a key. */
export interface KeyPeriod extends SimulationSpan {
  /**
   * `owned` and `free` follow from the row and cover the run. `two-owners` and `no-client-acts` follow
   * from the clients and lie over them: two or more believe that they hold the key, or none that does
   * runs. `start` is free, before the first owner.
   */
  kind: 'free' | 'no-client-acts' | 'owned' | 'start' | 'two-owners';
  /** The owner of the row, or the clients that believe. */
  names: readonly string[];
}

/** The history of a key. */
export interface KeyHistory {
  key: string;
  /** True if only presences want the key. */
  isPresence: boolean;
  /** By their begin. */
  periods: KeyPeriod[];
  /** How long it had no row after the first one. */
  freeMs: number;
  /** How long it had two owners. */
  twoOwnersMs: number;
}

/**
 * The history of each key, in the order of the clients. A key without a runner is of interest once
 * it has an owner.
 */
export function keyHistories(timeline: SimulationTimeline, cast: readonly SimulationNode[]): KeyHistory[] {
  const owned = periodsByKey(timeline.holders, 'owned', ({ owner }) => [owner]);
  const idle = periodsByKey(timeline.noClientActs, 'no-client-acts', () => []);
  const shared = periodsByKey(timeline.twoOwners, 'two-owners', ({ clients }) => clients);
  const wanted = cast.flatMap(({ isRunner, key }) => (key !== null && (isRunner || owned.has(key)) ? key : []));
  return [...new Set([...wanted, ...owned.keys()])].map((key) => {
    const ofRow = withFree(owned.get(key) ?? [], timeline.endMs);
    const overlaps = shared.get(key) ?? [];
    // Where there was no row for the same time, the line of the row says it.
    const isGone = (span: SimulationSpan): boolean => ofRow.some(({ kind, fromMs, toMs }) => kind === 'free' && fromMs === span.fromMs && toMs === span.toMs);
    const unattended = (idle.get(key) ?? []).filter((span) => !isGone(span));
    const clients = cast.filter((client) => client.key === key);
    return {
      key,
      isPresence: clients.length > 0 && clients.every(({ kind }) => kind === 'presence'),
      periods: [...ofRow, ...overlaps, ...unattended].sort((a, b) => a.fromMs - b.fromMs),
      freeMs: lengthOf(ofRow.filter(({ kind }) => kind === 'free')),
      twoOwnersMs: lengthOf(overlaps),
    };
  });
}

function periodsByKey<T extends { key: string } & SimulationSpan>(spans: readonly T[], kind: KeyPeriod['kind'], names: (span: T) => string[]): Map<string, KeyPeriod[]> {
  const byKey = new Map<string, KeyPeriod[]>();
  for (const span of spans) {
    const periods = byKey.get(span.key) ?? [];
    periods.push({ kind, names: names(span), fromMs: span.fromMs, toMs: span.toMs });
    byKey.set(span.key, periods);
  }
  return byKey;
}

/** The periods of a row's owners, and those without an owner. */
function withFree(owned: readonly KeyPeriod[], endMs: number): KeyPeriod[] {
  const periods: KeyPeriod[] = [];
  let atMs = 0;
  const freeUntil = (toMs: number): void => {
    if (toMs > atMs) periods.push({ kind: periods.length === 0 ? 'start' : 'free', names: [], fromMs: atMs, toMs });
  };
  for (const period of owned) {
    freeUntil(period.fromMs);
    periods.push(period);
    atMs = period.toMs;
  }
  freeUntil(endMs);
  return periods;
}

/** The sum of lengths. */
export function lengthOf(spans: readonly SimulationSpan[]): number {
  return spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
}
