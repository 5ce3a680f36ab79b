// The page's own words in the place of the package's: for presences, of which it speaks as of locks, and for pauses.

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

/** Words about pauses in those of freezes. */
export function frozenWords(words: string): string {
  return words.replaceAll(/\bpaused\b/g, 'frozen').replaceAll(/\bpause/g, 'freeze');
}
