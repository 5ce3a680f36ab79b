// All sequences against an endpoint, several at a time.

import type { Profile } from 'locket-wasm/types';

import { type Against, compare, type Compared } from './compare.js';
import { isMovable } from './own-keys.js';
import { randomSequence, recordedCases, type Sequence } from './sequence.js';

const AT_ONCE = 16;

/** The parameters of a comparison. */
export interface Conformance {
  seed: number;
  /** The number of random sequences. */
  sequences: number;
  /** The endpoint's database. */
  database: Profile['database'];
}

/** The sequences; those with waits come first, so that others run meanwhile. */
export function sequencesOf({ seed, sequences, database }: Conformance): Sequence[] {
  const cases = recordedCases(database).filter(({ steps }) => isMovable(steps));
  const random = Array.from({ length: sequences }, (_, number) => randomSequence(seed, number));
  return [...cases, ...random].sort((a, b) => waitOf(b) - waitOf(a));
}

/** Compares all sequences, and calls `onDone` after each. */
export async function compareAll(all: readonly Sequence[], against: Against, onDone: (done: number) => void): Promise<Compared[]> {
  const results: Compared[] = [];
  const queue = all.values();
  const work = async (): Promise<void> => {
    for (const sequence of queue) {
      results.push(await compare(sequence, against));
      onDone(results.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

function waitOf({ steps }: Sequence): number {
  return steps.reduce((sum, step) => sum + ('waitMs' in step ? step.waitMs : 0), 0);
}
