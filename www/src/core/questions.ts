// Maps of settings that the page asks for. The questions of their cells and of runs, the package makes.

import type { MapQuestion } from 'locket-wasm/check';
import type { MapAxis } from 'locket-wasm/types';

import { durationText } from '../base/time.js';
import type { CellQuestion } from './checker-words.js';
import { AXES, type MapSettings } from './map.js';

/** How long replies may take, at most: what people choose from, in milliseconds. */
export const DELAYS_MS: readonly number[] = [0, 1_000, 2_000];
export const DELAY_USUAL_MS: number = 1_000;
/** The longest that may be asked for. */
export const DELAY_MAX_MS = 10_000;

/** How far the map goes; a pause as far as it takes to reach the TTL. */
const MAP_STEPS_MAX: Partial<Record<MapAxis, number>> = { latency: 6, lostMessage: 3 };

/** One row of the map: the smallest value that gives two owners, for each retry interval. */
export function mapRow(ttlSeconds: number, retrySeconds: readonly number[], { axis, runner, drift }: MapSettings, delayMs: number): MapQuestion {
  const maxSteps = MAP_STEPS_MAX[axis];
  return {
    runner,
    axis,
    profile: 'upstream',
    ttl: [durationText(1_000 * ttlSeconds)],
    retryInterval: retrySeconds.map((seconds) => durationText(1_000 * seconds)),
    latency: durationText(AXES[axis].hasDelay ? delayMs : 0),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(drift === undefined ? {} : { drift: `${Number(drift)}%` }),
  };
}

/** The question of a map cell, with the given value of its axis. */
export function cellQuestion(ttlMs: number, retryIntervalMs: number, settings: MapSettings, delayMs: number, amount: number): CellQuestion {
  return { map: mapRow(ttlMs / 1_000, [retryIntervalMs / 1_000], settings, delayMs), cell: { ttlMs, retryIntervalMs }, amount };
}
