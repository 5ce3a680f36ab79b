// Which part of a run's time is in view, and how it is zoomed. The cursor is always in it.

import type { Session } from './session.svelte.js';

/** The shortest that can be in view. */
const SHORTEST_MS = 20;
/** How much one press of a key or button zooms. */
const STEP = 1.5;

export class Viewport {
  readonly #session: Session;
  /** The part in view; all of it if `undefined`. */
  #part = $state.raw<{ fromMs: number; toMs: number } | undefined>();

  constructor(session: Session) {
    this.#session = session;
  }

  readonly endMs = $derived.by(() => Math.max(this.#session.endMs, 1));
  /** A shorter run may end before what was in view. */
  readonly span = $derived.by(() => {
    const part = this.#part;
    return part === undefined || part.fromMs >= this.endMs ? { fromMs: 0, toMs: this.endMs } : { fromMs: part.fromMs, toMs: Math.min(part.toMs, this.endMs) };
  });
  readonly isWhole = $derived(this.span.fromMs === 0 && this.span.toMs === this.endMs);

  /** Zooms by one step around the cursor. */
  zoomBy(steps: number): void {
    const { fromMs, toMs } = this.span;
    const lengthMs = Math.min(Math.max((toMs - fromMs) / STEP ** steps, SHORTEST_MS), this.endMs);
    const share = (this.#session.nowMs - fromMs) / (toMs - fromMs);
    this.#show(this.#session.nowMs - share * lengthMs, lengthMs);
  }

  /** The whole run. */
  fit(): void {
    this.#part = undefined;
  }

  /** Has a moment in view. */
  reveal(ms: number): void {
    const { fromMs, toMs } = this.span;
    if (ms < fromMs || ms > toMs) this.#show(ms - (toMs - fromMs) / 2, toMs - fromMs);
  }

  #show(fromMs: number, lengthMs: number): void {
    const from = Math.min(Math.max(fromMs, 0), this.endMs - lengthMs);
    this.#part = lengthMs >= this.endMs ? undefined : { fromMs: from, toMs: from + lengthMs };
  }
}
