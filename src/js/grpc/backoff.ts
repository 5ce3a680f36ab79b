// The wait after a round of attempts without a connection: grpc-go's, but for its end. There it grows
// to 120 s, and a runner whose Locket is back would go on failing: its lease ends meanwhile.

const FIRST_MS = 1_000;
const FACTOR = 1.6;
/** Each wait varies by this share, so that clients do not reconnect all at once. */
const JITTER = 0.2;

// Captured when this loads: fake timers must not delay connections.
const now = performance.now.bind(performance);

/** The waits of one channel. */
export class Backoff {
  readonly #maxMs: number;
  #failures = 0;
  #until = 0;
  #error: Error | undefined;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /** Notes a failed round; the next one waits. */
  failed(error: Error): void {
    const ms = Math.min(FIRST_MS * FACTOR ** this.#failures, this.#maxMs);
    this.#failures += 1;
    this.#until = now() + ms * (1 + JITTER * (2 * Math.random() - 1));
    this.#error = error;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#error = undefined;
  }

  /** The error of the last round, and the wait before the next; `undefined` if it may start now. */
  get wait(): { error: Error; ms: number } | undefined {
    const ms = this.#until - now();
    return this.#error === undefined || ms <= 0 ? undefined : { error: this.#error, ms };
  }
}
