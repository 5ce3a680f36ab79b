// Everything that waits for a server's clock. A hanging test can list it, and closing the server
// settles it.

import type { LocketError } from './errors.js';

/** A description of a wait. */
export interface WaitWords {
  /** After a client's name and before the time: `waits for lock 'bbs'; its next attempt is`. */
  words: string;
  /** When the wait ends, on its client's clock; `undefined` if that is not known. */
  atMs: number | undefined;
}

/** A call, a runner or a loop that waits. */
export interface Waiting {
  /** The current wait; `undefined` if there is none. */
  describe(): WaitWords | undefined;
  /** Ends the wait with an error. */
  end(error: LocketError): void;
}

/** A list of waits that can be ended together. */
export class WaitList {
  readonly #all = new Set<Waiting>();
  #end: LocketError | undefined;

  /** The error that ended the list; `undefined` while it is open. */
  get ended(): LocketError | undefined {
    return this.#end;
  }

  /**
   * Adds an entry, or ends it at once if the list has ended. Returns a function that removes it.
   */
  add(waiting: Waiting): () => void {
    if (this.#end === undefined) this.#all.add(waiting);
    else waiting.end(this.#end);
    return () => void this.#all.delete(waiting);
  }

  describe(): WaitWords[] {
    return [...this.#all].map((waiting) => waiting.describe()).filter((words) => words !== undefined);
  }

  /** Ends every current and later entry. */
  end(error: LocketError): void {
    this.#end ??= error;
    for (const waiting of this.#all) {
      this.#all.delete(waiting);
      waiting.end(error);
    }
  }
}
