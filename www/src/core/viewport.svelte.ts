// Which part of a run's time is in view, and how it is zoomed and moved. All strips beneath the diagram share it.

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

  /** Zooms by a factor, in if it is more than 1, around a moment that stays where it is. Says whether anything changed. */
  zoom(factor: number, aroundMs: number): boolean {
    const { fromMs, toMs } = this.span;
    const lengthMs = Math.min(Math.max((toMs - fromMs) / factor, SHORTEST_MS), this.endMs);
    const share = (aroundMs - fromMs) / (toMs - fromMs);
    return this.show(aroundMs - share * lengthMs, lengthMs);
  }

  /** Zooms by one step around the cursor, or around the middle if the cursor is out of view. */
  zoomBy(steps: number): void {
    const { fromMs, toMs } = this.span;
    const { nowMs } = this.#session;
    this.zoom(STEP ** steps, nowMs >= fromMs && nowMs <= toMs ? nowMs : (fromMs + toMs) / 2);
  }

  /** Moves along time. Says whether anything changed. */
  pan(byMs: number): boolean {
    const { fromMs, toMs } = this.span;
    return this.show(fromMs + byMs, toMs - fromMs);
  }

  /** Has a part in view, as far as the run reaches. */
  show(fromMs: number, lengthMs: number): boolean {
    const before = this.span;
    const from = Math.min(Math.max(fromMs, 0), this.endMs - lengthMs);
    this.#part = lengthMs >= this.endMs ? undefined : { fromMs: from, toMs: from + lengthMs };
    return before.fromMs !== this.span.fromMs || before.toMs !== this.span.toMs;
  }

  /** The whole run. */
  fit(): void {
    this.#part = undefined;
  }

  /** Has a moment in view. */
  reveal(ms: number): void {
    const { fromMs, toMs } = this.span;
    if (ms < fromMs || ms > toMs) this.show(ms - (toMs - fromMs) / 2, toMs - fromMs);
  }
}
