// Long work, a little at a time, so that the event loop stays alive and a signal is heard.

import { monotonicMs, nextTask } from '#glue';

import { checkFunction, checkSignal } from './checks.js';

/** How long work may last and be ended. */
export interface SliceOptions {
  /** Ends the work; what was promised is rejected with its reason. */
  signal?: AbortSignal | undefined;
  /** Called after each slice. */
  onSlice?: () => void;
}

/** Checks what who waits for long work gives, and gives up at once if the signal says so already. */
export function checkWaiting({ signal, onProgress }: { signal?: AbortSignal | undefined; onProgress?: unknown }): void {
  checkSignal(signal);
  checkFunction('onProgress', onProgress);
  signal?.throwIfAborted();
}

/** What a slice should take: short enough for a page that is drawn 60 times a second. */
const SLICE_MS = 10;
/** However slow a machine is, and however fast. */
const BUDGET_MIN = 64;
const BUDGET_MAX = 16_384;

/** Gives everything else its turn when enough time has passed since it last had one, and throws what a signal says. */
export function pauses(signal: AbortSignal | undefined): () => Promise<void> {
  let since = monotonicMs(false);
  return async () => {
    signal?.throwIfAborted();
    if (monotonicMs(false) - since < SLICE_MS) return;
    await new Promise<void>(nextTask);
    since = monotonicMs(false);
    signal?.throwIfAborted();
  };
}

/**
 * Calls `run` with budgets until it says that all is done. Between two calls, everything else has its turn. The real
 * clock decides how large a budget is: tests that move time by hand change nothing.
 */
export async function inSlices(run: (budget: number) => boolean, { signal, onSlice }: SliceOptions): Promise<void> {
  let budget = BUDGET_MIN;
  for (;;) {
    signal?.throwIfAborted();
    const began = monotonicMs(false);
    const isDone = run(budget);
    const tookMs = monotonicMs(false) - began;
    onSlice?.();
    if (isDone) break;
    const factor = Math.min(2, Math.max(1 / 8, SLICE_MS / Math.max(tookMs, 1)));
    budget = Math.min(BUDGET_MAX, Math.max(BUDGET_MIN, Math.floor(budget * factor)));
    await new Promise<void>(nextTask);
  }
  signal?.throwIfAborted();
}
