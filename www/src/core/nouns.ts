// The words about presences: what is said of locks and their owners is said of them in their own words.

import type { SimulationNode } from 'locket-wasm/types';

/** True if all clients with a runner keep presences, so that no two want the same key. */
export function arePresences(cast: readonly SimulationNode[]): boolean {
  const kept = cast.filter(({ isRunner }) => isRunner);
  return kept.length > 0 && kept.every(({ kind }) => kind === 'presence');
}

/** Words about locks in those of presences. */
export function presenceWords(words: string): string {
  return words.replaceAll('lock is free', 'presence is missing').replaceAll('lock’s owner', 'presence').replaceAll(/\block\b/g, 'presence').replace(/^free$/, 'missing');
}
