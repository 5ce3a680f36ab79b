// Long work in short slices, so that the event loop stays responsive and a signal can abort.

import { monotonicMs, nextTask } from '#glue';

/** Options of sliced work. */
export interface SliceOptions {
  /** Aborts the work; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Called after each slice. */
  onSlice?: () => void;
}

/** The length of a slice: short enough for a page at 60 frames a second. */
const SLICE_MS = 10;
/** The bounds of a budget, for slow and fast machines. */
const BUDGET_MIN = 64;
const BUDGET_MAX = 16_384;

/**
 * Calls `run` with budgets until it returns true, and yields to the event loop between the calls.
 * The real clock decides the budget, so fake timers of tests change nothing.
 */
export async function inSlices(run: (budget: number) => boolean, { signal, onSlice }: SliceOptions): Promise<void> {
  let budget = BUDGET_MIN;
  let since = monotonicMs(false);
  for (;;) {
    signal?.throwIfAborted();
    const began = monotonicMs(false);
    const isDone = run(budget);
    const ended = monotonicMs(false);
    const tookMs = ended - began;
    onSlice?.();
    if (isDone) break;
    const factor = Math.min(2, Math.max(1 / 8, SLICE_MS / Math.max(tookMs, 1)));
    budget = Math.min(BUDGET_MAX, Math.max(BUDGET_MIN, Math.floor(budget * factor)));
    // The first budgets are small. Work that is over soon does not wait for the event loop.
    if (ended - since < SLICE_MS / 2) continue;
    await new Promise<void>(nextTask);
    since = monotonicMs(false);
  }
  signal?.throwIfAborted();
}
