// Which part of a run's time is in view, and how it is zoomed and moved. All strips beneath the diagram share it.

import type { Session } from './session.svelte.js';

/** The shortest that can be in view. */
const SHORTEST_MS = 20;
/** How much one press of a key or button zooms. */
const STEP = 1.5;
/** A gesture has come to rest when it has done nothing for so long. */
const REST_MS = 120;
/** While a gesture goes on a picture is drawn for a part that is so much longer than the one in view, and stretched to so much more. */
const AHEAD = 1.6;
const STRETCH_MAX = 2.5;

/** A part of a run's time. */
export interface Span { fromMs: number; toMs: number }

export class Viewport {
  readonly #session: Session;
  /** The part in view; all of it if `undefined`. */
  #part = $state.raw<Span | undefined>();
  /** Whether a gesture moves it right now. */
  #isMoving = $state.raw(false);
  #drawn: Span = { fromMs: 0, toMs: 0 };
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  readonly endMs = $derived.by(() => Math.max(this.#session.endMs, 1));
  /** A shorter run may end before what was in view. */
  readonly span = $derived.by((): Span => {
    const part = this.#part;
    return part === undefined || part.fromMs >= this.endMs ? { fromMs: 0, toMs: this.endMs } : { fromMs: part.fromMs, toMs: Math.min(part.toMs, this.endMs) };
  });
  /** The part that a picture which takes long to draw is drawn for: a gesture stretches it, and has it drawn anew when it rests or has gone far. */
  readonly drawn = $derived.by((): Span => {
    const { span } = this;
    if (!this.#isMoving) this.#drawn = span;
    else if (!standsFor(this.#drawn, span)) this.#drawn = this.#ahead(span);
    return this.#drawn;
  });
  readonly isWhole = $derived(this.span.fromMs === 0 && this.span.toMs === this.endMs);

  /** Zooms by a factor, in if it is more than 1, around a moment that stays where it is. Says whether anything changed. */
  zoom(factor: number, aroundMs: number): boolean {
    const { fromMs, toMs } = this.span;
    const lengthMs = Math.min(Math.max((toMs - fromMs) / factor, SHORTEST_MS), this.endMs);
    const share = (aroundMs - fromMs) / (toMs - fromMs);
    return this.show(aroundMs - share * lengthMs, lengthMs);
  }

  /** Does what a gesture says, which goes on until it rests. */
  gesture(move: () => boolean): boolean {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => (this.#isMoving = false), REST_MS);
    this.#isMoving = true;
    return move();
  }

  /** A part with as much on both sides as the next moves may bring into view. */
  #ahead({ fromMs, toMs }: Span): Span {
    const moreMs = ((toMs - fromMs) * (AHEAD - 1)) / 2;
    return { fromMs: Math.max(fromMs - moreMs, 0), toMs: Math.min(toMs + moreMs, this.endMs) };
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

/** Whether a picture of one part shows another, stretched. */
function standsFor(drawn: Span, { fromMs, toMs }: Span): boolean {
  return drawn.fromMs <= fromMs && drawn.toMs >= toMs && drawn.toMs - drawn.fromMs <= (toMs - fromMs) * STRETCH_MAX;
}
