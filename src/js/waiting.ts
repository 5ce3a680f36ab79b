// Who waits for a server's clock: so that a test can say what it waits for, and the end of the server settles all of it.

import type { LocketError } from './errors.js';

/** What somebody waits for. */
export interface WaitWords {
  /** Behind the name of a client, and before the time: `waits for lock 'bbs'; its next attempt is`. */
  words: string;
  /** When it goes on, on the clock of its client; `undefined` if that is not known. */
  atMs: number | undefined;
}

/** Somebody who waits. */
export interface Waiting {
  /** What it waits for at the moment, if for anything. */
  describe(): WaitWords | undefined;
  /** There is nothing to wait for any more. */
  end(error: LocketError): void;
}

/** All who wait for one thing that may end. */
export class WaitList {
  readonly #all = new Set<Waiting>();
  #end: LocketError | undefined;

  /** Why nobody waits any more, if so. */
  get ended(): LocketError | undefined {
    return this.#end;
  }

  /** Adds somebody, or ends it at once if all has ended. Returns how to take it off. */
  add(waiting: Waiting): () => void {
    if (this.#end === undefined) this.#all.add(waiting);
    else waiting.end(this.#end);
    return () => void this.#all.delete(waiting);
  }

  describe(): WaitWords[] {
    return [...this.#all].map((waiting) => waiting.describe()).filter((words) => words !== undefined);
  }

  /** Ends everybody, and whoever comes later. */
  end(error: LocketError): void {
    this.#end ??= error;
    for (const waiting of this.#all) {
      this.#all.delete(waiting);
      waiting.end(error);
    }
  }
}
