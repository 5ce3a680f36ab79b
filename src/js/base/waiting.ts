// What waits for a server's clock. A test that hangs can list it, and closing the server settles all of it.

import type { LocketError } from './errors.js';

/** What is waited for, in words. */
export interface WaitWords {
  /** Behind the name of a client, and before the time: `waits for lock 'bbs'; its next attempt is`. */
  words: string;
  /** When it goes on, on the clock of its client; `undefined` if that is not known. */
  atMs: number | undefined;
}

/** A call, a runner or a loop that waits. */
export interface Waiting {
  /** What it waits for at the moment; `undefined` if it does not wait. */
  describe(): WaitWords | undefined;
  /** There is nothing to wait for any more. */
  end(error: LocketError): void;
}

/** All that waits for one thing, which may end. */
export class WaitList {
  readonly #all = new Set<Waiting>();
  #end: LocketError | undefined;

  /** Why nothing waits any more; `undefined` while the list is open. */
  get ended(): LocketError | undefined {
    return this.#end;
  }

  /** Adds an entry, or ends it at once if the list has ended. Returns how to take it off. */
  add(waiting: Waiting): () => void {
    if (this.#end === undefined) this.#all.add(waiting);
    else waiting.end(this.#end);
    return () => void this.#all.delete(waiting);
  }

  describe(): WaitWords[] {
    return [...this.#all].map((waiting) => waiting.describe()).filter((words) => words !== undefined);
  }

  /** Ends every entry, and every later one. */
  end(error: LocketError): void {
    this.#end ??= error;
    for (const waiting of this.#all) {
      this.#all.delete(waiting);
      waiting.end(error);
    }
  }
}
