// Long work in the module: step by step by a program, or in slices.

import { safeInteger } from '../base/checks.js';
import type { Owned } from '../base/owned.js';
import { inSlices } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';

/** Long work, as the module has it. */
interface ModuleWork {
  run(budget: number): boolean;
  free(): void;
}

/** Long work step by step: for a Worker, or for code without promises. */
export abstract class ByHand {
  readonly #owned: Owned<ModuleWork>;

  protected constructor(owned: Owned<ModuleWork>) {
    this.#owned = owned;
  }

  /** The progress. */
  abstract get progress(): object;

  /** Does about `budget` more steps. Returns whether it is done. */
  run(budget: number): boolean {
    const pieces = safeInteger('budget', budget, 1, BUDGET_MAX);
    const { core } = this.#owned;
    return callWasm(() => core.run(pieces));
  }

  /** Frees its memory. Closing twice is fine. */
  close(): void {
    this.#owned.free();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

const BUDGET_MAX = 2 ** 32 - 1;

/** The options of a function that waits for long work. */
interface Waiting<P> {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: P) => void) | undefined;
}

/** Does the work in slices, closes it, and returns its `result`. One step of it takes as long as `statesPerPiece` states of a search. */
export async function doneInSlices<S extends ByHand, T>(
  work: S,
  { signal, onProgress }: Waiting<S['progress']>,
  statesPerPiece: number,
  result: (work: S) => T,
): Promise<T> {
  try {
    await inSlices((budget) => work.run(Math.ceil(budget / statesPerPiece)), { signal, onSlice: () => onProgress?.(work.progress) });
    return result(work);
  } finally {
    work.close();
  }
}
