// The ambient clock of one test.

import type { Duration } from '../base/duration.js';
import { AmbientClock } from '../base/ambient-clock.js';

/** The program's clock until the test ends; then it stops, so that leftover timers do not run. */
export class EndingClock extends AmbientClock {
  readonly #waiting = new Set<number>();
  #hasEnded = false;

  override setTimeout(callback: () => void, delay: Duration | number): number {
    if (this.#hasEnded) return 0;
    const id = super.setTimeout(() => {
      this.#waiting.delete(id);
      callback();
    }, delay);
    this.#waiting.add(id);
    return id;
  }

  override clearTimeout(id: number | undefined): void {
    if (id !== undefined) this.#waiting.delete(id);
    super.clearTimeout(id);
  }

  /** Cancels all timers, and sets no more. */
  end(): void {
    this.#hasEnded = true;
    for (const id of this.#waiting) this.clearTimeout(id);
  }
}
