// The results of shares of long work, as one.

import { LocketArgumentError } from '../base/errors.js';
import { kindOf } from '../base/checks.js';
import { joinMaps, type SettingsMap } from './settings-map.js';
import { mergeSweeps, type Sweep } from './sweep.js';

/**
 * Merges the results of shards: sweeps of {@link sweepSeeds} in any order, or maps of {@link mapRows} in theirs. The result equals
 * that of the whole work.
 *
 * @throws `LocketArgumentError` if they are of different work, or if a seed was run twice
 */
export function merge(sweeps: readonly Sweep[]): Sweep;
export function merge(maps: readonly SettingsMap[]): SettingsMap;
export function merge(results: readonly Sweep[] | readonly SettingsMap[]): Sweep | SettingsMap {
  if (!Array.isArray(results)) throw new LocketArgumentError('results', `expected an array, not ${kindOf(results)}`);
  const [first] = results as readonly unknown[];
  if (first === undefined) throw new LocketArgumentError('results', 'expected at least one result');
  return isMap(first) ? joinMaps(results as readonly SettingsMap[]) : mergeSweeps(results as readonly Sweep[]);
}

function isMap(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'axis' in result;
}
