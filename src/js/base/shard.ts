// Shares of work for several workers: `2/4` is the second of four.

import { LocketArgumentError } from './errors.js';

const SHARES_MAX = 10_000;

/** A share, and of how many. */
export function readShard(field: string, shard: unknown): [share: number, of: number] {
  const match = typeof shard === 'string' ? /^(\d{1,9})\/(\d{1,9})$/.exec(shard) : null;
  const [share, of] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || share < 1 || share > of || of > SHARES_MAX) {
    throw new LocketArgumentError(field, `expected a share such as 2/4, of at most ${SHARES_MAX}`);
  }
  return [share, of];
}
