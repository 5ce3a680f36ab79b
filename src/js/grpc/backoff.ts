// How long to wait after a round of attempts in which no address accepted: grpc-go's defaults.

const FIRST_MS = 1_000;
const FACTOR = 1.6;
/** By so much of itself a wait is longer or shorter, so that clients do not come back all at once. */
const JITTER = 0.2;

// As it is when this loads: fakes of tests should not make connections wait.
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

  /** A round has failed: the next one waits. */
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

  /** Why the last round failed, and how long to wait for the next; `undefined` if it may begin. */
  get wait(): { error: Error; ms: number } | undefined {
    const ms = this.#until - now();
    return this.#error === undefined || ms <= 0 ? undefined : { error: this.#error, ms };
  }
}
