// The ambient clock of one test.

import { AmbientClock, type Duration } from '../node.js';

/** The surrounding program's clock until the test ends; then it rests, so that what was left running does not go on. */
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

  /** Takes back what is scheduled, and schedules nothing any more. */
  end(): void {
    this.#hasEnded = true;
    for (const id of this.#waiting) this.clearTimeout(id);
  }
}
