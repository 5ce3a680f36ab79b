// TTL and retry interval as options: one of each, or with --map several.

import { InvalidArgumentError } from 'commander';
import type { Duration } from 'locket-wasm';
import type { DurationRange } from 'locket-wasm/types';

import { duration, EXIT_USAGE, Failure } from '../command.js';

/** One duration, or several. */
export type Durations = Duration | DurationRange;

/** A duration, a range or a list of them: 15s, 3s..14s, or 5s,10s,15s. */
export function durations(value: string): Durations {
  const [from, to, more] = value.split('..').map((end) => end.split(',').map(duration));
  if (from?.length === 1 && to?.length === 1 && more === undefined) return { from: from[0] as Duration, to: to[0] as Duration };
  if (from === undefined || to !== undefined) throw new InvalidArgumentError('Expected a range such as 3s..14s, or a list such as 5s,10s,15s.');
  return from.length === 1 ? (from[0] as Duration) : from;
}

/** Settings with one duration each. */
export function settingsOf({ ttl, retryInterval }: { ttl?: Durations | undefined; retryInterval?: Durations | undefined }): { ttl?: Duration; retryInterval?: Duration } {
  return { ...(ttl !== undefined && { ttl: single('--ttl', ttl) }), ...(retryInterval !== undefined && { retryInterval: single('--retry-interval', retryInterval) }) };
}

function single(option: string, value: Durations): Duration {
  if (typeof value !== 'string') throw new Failure(EXIT_USAGE, `${option}: several durations need --map`);
  return value;
}

/** The durations of a side of a map. */
export const rangeOf = (value: Durations): DurationRange => (typeof value === 'string' ? [value] : value);

/** The limit of a search, for the package. */
export const searchLimit = ({ maxStates }: { maxStates?: number }): { maxStates?: number } => (maxStates === undefined ? {} : { maxStates });
