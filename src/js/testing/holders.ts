// Who holds the keys that a test waits for, and what would end the wait.

import { printable, seconds } from '../base/text.js';
import type { ClockWait, Row } from '../types.js';

/** The last successful Lock of a key. */
export interface LastLock {
  /** The client's name. */
  who: string;
  owner: string;
  /** When its lease ends, unless it is renewed. */
  endsMs: number;
  /** Whether a runner that has not ended renews it. */
  isKept: () => boolean;
  /** Whether its client follows another clock than the server. */
  isAstray: boolean;
}

/** Why a wait does not end with its next attempt. */
export interface Obstacle {
  text: string;
  /** Whether time alone does not end it. */
  isEndless: boolean;
}

/** The other owners of the keys that a wait is for. */
export function obstaclesOf({ wants = [] }: ClockWait, table: readonly Row[], locks: ReadonlyMap<string, LastLock>): Obstacle[] {
  return wants.flatMap(({ key, owner }) => {
    const row = table.find(({ path }) => path === key);
    if (row === undefined || row.owner === null || row.owner === owner) return [];
    return [obstacle(key, row, locks.get(key))];
  });
}

function obstacle(key: string, { owner, ttl }: Row, last: LastLock | undefined): Obstacle {
  const holds = `'${owner}' holds '${key}'`;
  const isEndless = last?.owner === owner && last.isKept();
  if (last === undefined || last.owner !== owner) return { text: printable(`${holds} with a TTL of ${ttl} s: its release or its expiry ends this wait.`), isEndless };
  const { who, endsMs } = last;
  const text = isEndless
    ? `${holds}, and ${who} renews it, so time alone does not end this wait. Release the lock, or crash or pause ${who}.`
    : `${holds} until ${seconds(endsMs)} unless it is renewed: move the clock past that, or release the lock.`;
  return { text: printable(text), isEndless };
}
