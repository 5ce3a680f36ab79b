// Long work of the module: in slices, and freed at its end, whichever that is.

import { freed } from '../base/freed.js';
import { inSlices } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';

/** Long work, as the module has it. */
interface ModuleWork {
  /** Does about so much more. Returns whether it is done. */
  run(budget: number): boolean;
  free(): void;
}

/** How the work is waited for. */
interface Waiting<P> {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: P) => void) | undefined;
  progress: () => P;
  /** How many states of a search, the unit of slices, take as long as one piece of the work; 1 by default. */
  statesPerPiece?: number;
}

/** Does the work, and returns its result. */
export async function worked<P, T>(work: ModuleWork, { signal, onProgress, progress, statesPerPiece = 1 }: Waiting<P>, result: () => T): Promise<T> {
  return freed(work, async () => {
    await inSlices((budget) => callWasm(() => work.run(Math.ceil(budget / statesPerPiece))), {
      signal,
      ...(onProgress && { onSlice: () => onProgress(callWasm(progress)) }),
    });
    return callWasm(result);
  });
}
