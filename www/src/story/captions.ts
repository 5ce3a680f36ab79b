// The sentence of a beat, made from what happens in it. At most twelve words; no TTL, lease, retry interval or runner.

import type { Fact } from './facts.js';

type Kind = Fact['is'];

/** The kinds that a beat can be about, the most decisive first; the others only add to a sentence. */
const TURNS: readonly Kind[] = ['wakes', 'overwrites', 'takes', 'expires', 'freezes', 'crashes', 'deleted', 'fails-over', 'releases', 'loses-message'];

/** The fact that a beat is about. */
export function turnOf(facts: readonly Fact[]): Fact | undefined {
  return TURNS.map((kind) => facts.find(({ is }) => is === kind)).find((fact) => fact !== undefined);
}

/** The sentence of a beat. */
export function captionOf(facts: readonly Fact[]): string {
  const turn = turnOf(facts);
  switch (turn?.is) {
    case 'crashes':
      return `${turn.client} crashes. The lock does not notice.`;
    case 'deleted':
      return `An operator deletes the lock. ${turn.client} does not notice.`;
    case 'expires':
      return `${turn.isAway ? `${turn.client} sends no renewal` : 'No renewal arrives'}. After ${turn.ttlMs / 1000} seconds the lock expires.`;
    case 'fails-over':
      return 'The database fails over and loses the lock.';
    case 'freezes':
      return `${turn.client} freezes.${turn.believes ? ' It still believes it holds the lock.' : ''}`;
    case 'loses-message':
      return `The network loses a renewal. ${turn.client} waits for the answer.`;
    case 'overwrites':
      return turn.isStale ? `${turn.client} still believes it holds the lock, and overwrites ${turn.whose}’s work.` : `${turn.client} holds the lock, and overwrites what ${turn.whose} wrote without it.`;
    case 'releases':
      return `${turn.client} stops its work, then releases the lock.`;
    case 'takes':
      return taken(turn, facts);
    case 'wakes':
      return woken(turn, facts);
    default:
      return 'Time passes.';
  }
}

function taken({ client, isFirst, ttlMs }: Fact & { is: 'takes' }, facts: readonly Fact[]): string {
  if (isFirst) return `${client} takes the lock for ${ttlMs / 1000} seconds. Only ${client} may write.`;
  const writes = facts.some((fact) => fact.is === 'writes' && fact.client === client);
  return `${client} asks, finds the lock free, and takes it.${writes ? ` ${client} writes.` : ''}`;
}

function woken({ client, believes, holds }: Fact & { is: 'wakes' }, facts: readonly Fact[]): string {
  const harm = facts.find((fact) => fact.is === 'overwrites' && fact.isStale && fact.client === client);
  if (harm?.is === 'overwrites') return `${client} wakes, believes it holds the lock, and overwrites ${harm.whose}’s work.`;
  if (believes && !holds) return `${client} wakes and still believes it holds the lock.`;
  return believes ? `${client} wakes in time. It still holds the lock.` : `${client} wakes, sees that its lease ended, and does not write.`;
}
