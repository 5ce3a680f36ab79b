// Objects in the module's memory, which must be freed.

import { Code, LocketError } from './errors.js';

/** An object of the module with its owner; `free` returns its memory. */
export class Owned<Core extends { free(): void }> {
  readonly #what: string;
  #core: Core | undefined;

  /** `what` names the object in the error of a use after its end. */
  constructor(what: string, core: Core) {
    this.#what = what;
    this.#core = core;
  }

  /** The object, until it is freed. */
  get core(): Core {
    if (this.#core === undefined) {
      throw new LocketError({ code: Code.Unavailable, rawMessage: `the ${this.#what} is closed`, outcome: 'no-effect' });
    }
    return this.#core;
  }

  /** Frees its memory. Freeing twice is fine. */
  free(): void {
    const core = this.#core;
    this.#core = undefined;
    core?.free();
  }
}
