// When a process has logged anything at all. A process that logs is not frozen. This file knows no
// messages.

/** A time in which lines follow each other closely, by the clock of the machine. */
interface Span {
  fromMs: number;
  toMs: number;
}

/** Lines that are nearer to each other count as one span. */
const NEAR_MS = 100;
/** More spans are merged, so that memory does not grow with the order of lines. */
const SPANS_MAX = 20_000;

/** The times of all lines of a process. */
export class Life {
  #spans: Span[] = [];
  #isSorted = true;

  /** Takes the time of a line. */
  note(atMs: number): void {
    const last = this.#spans[this.#spans.length - 1];
    if (last !== undefined && atMs >= last.fromMs && atMs - last.toMs < NEAR_MS) last.toMs = Math.max(last.toMs, atMs);
    else {
      this.#isSorted &&= last === undefined || atMs >= last.toMs;
      this.#spans.push({ fromMs: atMs, toMs: atMs });
      if (this.#spans.length > SPANS_MAX) this.#sort();
    }
  }

  /** Whether there is a line between two times. */
  isBetween(fromMs: number, toMs: number): boolean {
    if (toMs <= fromMs) return false;
    this.#sort();
    return this.#spans.some((span) => span.fromMs < toMs && span.toMs > fromMs && (inside(span.fromMs, fromMs, toMs) || inside(span.toMs, fromMs, toMs) || span.toMs - span.fromMs > NEAR_MS));
  }

  /** Forgets what is older. */
  forget(beforeMs: number): void {
    this.#spans = this.#spans.filter(({ toMs }) => toMs >= beforeMs);
  }

  #sort(): void {
    if (this.#isSorted && this.#spans.length <= SPANS_MAX) return;
    const sorted = this.#spans.sort((a, b) => a.fromMs - b.fromMs);
    this.#spans = [];
    this.#isSorted = true;
    for (const span of sorted) {
      const last = this.#spans[this.#spans.length - 1];
      if (last !== undefined && span.fromMs - last.toMs < NEAR_MS) last.toMs = Math.max(last.toMs, span.toMs);
      else this.#spans.push(span);
    }
    if (this.#spans.length > SPANS_MAX) this.#spans = this.#spans.slice(-SPANS_MAX / 2);
  }
}

const inside = (ms: number, fromMs: number, toMs: number) => ms > fromMs && ms < toMs;
