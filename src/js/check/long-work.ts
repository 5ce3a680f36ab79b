// Long work of the module: its options, its slices, and its end, whichever that is.

import { freed } from '../base/freed.js';
import { moduleReady } from '../base/init.js';
import { abortSignal, callback, type Checked, checkedOptions, type Checks } from '../base/options.js';
import { inSlices } from '../base/slices.js';
import { callWasm } from '../base/wasm.js';

/** The options of all long work. */
export const WAITING = { signal: abortSignal, onProgress: callback };

type Waiting = Checked<typeof WAITING>;

/** Loads the module, checks the options of long work, and throws if their signal has aborted. */
export async function begun<C extends Checks>(options: unknown, checks: C): Promise<Checked<C> & Waiting> {
  await moduleReady();
  const checked = checkedOptions(options, { ...checks, ...WAITING }) as Checked<C> & Waiting;
  checked.signal?.throwIfAborted();
  return checked;
}

/** Long work, as the module has it. */
interface Work {
  run(budget: number): boolean;
  progress(): string;
  result(): string;
  free(): void;
}

/** Does the work, and returns its result. */
export function worked<T>(work: Work, { signal, onProgress }: Waiting): Promise<T> {
  const tell = onProgress as ((progress: unknown) => void) | undefined;
  return freed(work, async () => {
    await inSlices((budget) => callWasm(() => work.run(budget)), {
      signal,
      ...(tell && { onSlice: () => tell(JSON.parse(callWasm(() => work.progress()))) }),
    });
    return JSON.parse(callWasm(() => work.result())) as T;
  });
}
