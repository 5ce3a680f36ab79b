// The sentence of a beat, made from what happens in it. At most twelve words; no TTL, lease, retry interval or runner.

import type { Letter } from './run.js';

/** Something that happens to the lock or to a client, as far as captions tell it. */
export type Fact = { atMs: number } & (
  | { is: 'crashes'; client: Letter; holds: boolean }
  | { is: 'deleted' }
  | { is: 'expires'; client: Letter; ttlMs: number; isFrozen: boolean }
  | { is: 'fails-over' }
  | { is: 'freezes'; client: Letter; believes: boolean }
  | { is: 'loses-message'; client: Letter }
  | { is: 'overwrites'; client: Letter; whose: Letter }
  | { is: 'releases'; client: Letter }
  | { is: 'restarts'; client: Letter }
  | { is: 'stops'; client: Letter }
  | { is: 'takes'; client: Letter; ttlMs: number; isFirst: boolean; wasFree: boolean; believer: Letter | null }
  | { is: 'wakes'; client: Letter; believes: boolean; holds: boolean }
  | { is: 'writes'; client: Letter }
);

type Kind = Fact['is'];

/** The kinds that a beat can be about, the most decisive first; the others only add to a sentence. */
const TURNS: readonly Kind[] = ['wakes', 'takes', 'expires', 'freezes', 'crashes', 'deleted', 'fails-over', 'releases', 'loses-message', 'restarts', 'stops'];

/** The fact that a beat is about. */
export function turnOf(facts: readonly Fact[]): Fact | undefined {
  return TURNS.map((kind) => facts.find(({ is }) => is === kind)).find((fact) => fact !== undefined);
}

/** The sentence of a beat. */
export function captionOf(facts: readonly Fact[]): string {
  const turn = turnOf(facts);
  if (turn === undefined) return 'Time passes.';
  const writes = (client: Letter): boolean => facts.some((fact) => fact.is === 'writes' && fact.client === client);
  const harm = facts.find((fact) => fact.is === 'overwrites');
  switch (turn.is) {
    case 'crashes':
      return turn.holds ? `${turn.client} crashes. The lock does not notice.` : `${turn.client} crashes.`;
    case 'deleted':
      return 'An operator deletes the lock. Its owner does not notice.';
    case 'expires':
      return `${turn.client} sends no renewal. After ${turn.ttlMs / 1000} seconds the lock expires.`;
    case 'fails-over':
      return 'The database fails over and loses the lock.';
    case 'freezes':
      return turn.believes ? `${turn.client} freezes. It still believes it holds the lock.` : `${turn.client} freezes.`;
    case 'loses-message':
      return `The network loses a renewal of ${turn.client}.`;
    case 'releases':
      return `${turn.client} stops its work, then gives the lock back.`;
    case 'restarts':
      return `${turn.client} restarts.`;
    case 'stops':
      return `${turn.client} learns that it lost the lock, and stops.`;
    case 'takes':
      if (turn.isFirst) return `${turn.client} takes the lock for ${turn.ttlMs / 1000} seconds. Only ${turn.client} may write.`;
      return `${turn.client} asks, finds the lock free, and takes it.${writes(turn.client) ? ` ${turn.client} writes.` : ''}`;
    case 'wakes':
      if (harm !== undefined) return `${harm.client} wakes, believes it holds the lock, and overwrites ${harm.whose}'s work.`;
      if (turn.believes) return `${turn.client} wakes in time. It still holds the lock.`;
      return `${turn.client} wakes, sees that its lease ended, and does not write.`;
    default:
      return 'Time passes.';
  }
}
