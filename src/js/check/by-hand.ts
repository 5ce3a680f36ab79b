// Work of the module that a program does piece by piece, or that is done for it in slices.

import { safeInteger } from '../base/checks.js';
import type { Owned } from '../base/owned.js';
import { inSlices } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';

/** What such work is in the module. */
interface ModuleWork {
  run(budget: number): boolean;
  free(): void;
}

/** Work that is done by hand: for a Worker, or wherever a promise does not fit. */
export abstract class ByHand {
  readonly #owned: Owned<ModuleWork>;

  protected constructor(owned: Owned<ModuleWork>) {
    this.#owned = owned;
  }

  /** How far it is. */
  abstract get progress(): object;

  /** Does about `budget` pieces more. Whether all is done. */
  run(budget: number): boolean {
    const pieces = safeInteger('budget', budget, 1, BUDGET_MAX);
    const { core } = this.#owned;
    return callWasm(() => core.run(pieces));
  }

  /** Gives its memory back. Doing so twice is fine. */
  close(): void {
    this.#owned.free();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

const BUDGET_MAX = 2 ** 32 - 1;

/** Who waits for such work. */
interface Waiting<P> {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: P) => void) | undefined;
}

/** Does the work in slices, and closes it; `result` is asked at its end. A piece of it is as much as so many states. */
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
