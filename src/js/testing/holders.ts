// Who holds the keys that a test waits for, and what would end the wait.

import { printable, seconds } from '../base/text.js';
import type { ClockWait, Row } from '../types.js';

/** The last successful Lock of a key. */
export interface LastLock {
  /** The client's name. */
  who: string;
  owner: string;
  /** When its row expires, unless it is renewed. */
  endsMs: number;
  /** True if a runner that has not ended renews it. */
  isKept: () => boolean;
  /** True if its client follows another clock than the server. */
  isAstray: boolean;
}

/** Why a wait does not end with its next attempt. */
export interface Obstacle {
  text: string;
  /** True if time alone does not end it. */
  isEndless: boolean;
}

/** The other owner of the key that a wait is for. */
export function obstacleOf({ wants }: ClockWait, table: readonly Row[], locks: ReadonlyMap<string, LastLock>): Obstacle | undefined {
  const row = table.find(({ path }) => path === wants?.key);
  if (wants === undefined || row === undefined || row.owner === null || row.owner === wants.owner) return undefined;
  const { owner, ttl } = row;
  const last = locks.get(wants.key);
  const holds = `'${owner}' holds '${wants.key}'`;
  if (last === undefined || last.owner !== owner) return { text: printable(`${holds} with a TTL of ${ttl} s: its release or its expiry ends this wait.`), isEndless: false };
  const isEndless = last.isKept();
  const { who, endsMs } = last;
  const text = isEndless
    ? `${holds}, and ${who} renews it, so time alone does not end this wait. Release the lock, or crash or pause ${who}.`
    : `${holds} until ${seconds(endsMs)} unless it is renewed: move the clock past that, or release the lock.`;
  return { text: printable(text), isEndless };
}
