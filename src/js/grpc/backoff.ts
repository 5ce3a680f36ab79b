// The wait after a round of attempts without a connection: grpc-go's, but for its end. There it grows
// to 120 s, and a runner whose Locket is back would go on failing: its lease ends meanwhile.

import { BACK_OFF_FACTOR, BACK_OFF_FIRST_MS, BACK_OFF_JITTER } from '../base/constants.js';

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
    const ms = Math.min(BACK_OFF_FIRST_MS * BACK_OFF_FACTOR ** this.#failures, this.#maxMs);
    // Not the first, as in grpc-go; the others vary, so that clients do not reconnect all at once.
    const jitter = this.#failures++ === 0 ? 0 : BACK_OFF_JITTER;
    this.#until = now() + ms * (1 + jitter * (2 * Math.random() - 1));
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
