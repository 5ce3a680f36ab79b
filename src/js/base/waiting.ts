// Everything that waits for a server's clock. A hanging test can list it, and closing the server
// settles it.

import type { LocketError } from './errors.js';

/** A description of a wait. */
export interface WaitWords {
  /** After a client's name and before the time: `waits for lock 'bbs'; its next attempt is`. */
  words: string;
  /** When the wait ends, on its client's clock; `undefined` if that is not known. */
  atMs: number | undefined;
  /** The key that it waits for, with its own owner. */
  wants?: WantedKey;
}

/** A key that a client wants. */
export interface WantedKey {
  readonly key: string;
  readonly owner: string;
}

/** A call, a runner or a loop that waits. */
export interface Waiting {
  /** The current wait; `undefined` if there is none. */
  describe(): WaitWords | undefined;
  /**
   * The time, on its client's clock, after which it is wrong unless promises have settled;
   * `undefined` if it needs none.
   */
  promisesDueMs?(): number | undefined;
  /** Ends the wait with an error. */
  end(error: LocketError): void;
}

/** A client in a sentence. */
export function spokenOf(name: string | undefined): string {
  return name === undefined ? 'A client' : `Client ${name}`;
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

  /** The first time at which an entry needs promises to settle; `undefined` if none does. */
  promisesDueMs(): number | undefined {
    const times = [...this.#all].map((waiting) => waiting.promisesDueMs?.() ?? Infinity);
    const first = Math.min(...times);
    return first === Infinity ? undefined : first;
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
