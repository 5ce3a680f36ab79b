// Lets the requests of one instant go one by one, in an order that does not depend on how many promises lie before each: that
// differs between test runners, and so would the run.

import { on, realImmediate } from './machine-context.js';

/** The requests of one run. */
export class Turns {
  readonly #waiting: { words: string; go: () => void }[] = [];

  /** Fulfilled when it is the turn of a request, which goes in the order of its words. */
  next(words: string): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push({ words, go });
      if (this.#waiting.length === 1) this.#soon();
    });
  }

  /** All promises have settled by then, so every request of this instant waits. */
  #soon(): void {
    on(undefined, () => realImmediate(() => {
      this.#waiting.sort((a, b) => (a.words < b.words ? -1 : 1)).shift()?.go();
      if (this.#waiting.length > 0) this.#soon();
    }));
  }
}
