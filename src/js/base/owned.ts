// What lives in the module until it is given back.

import { Code, LocketError } from './errors.js';

/** A thing of the module with the one who may use it, and gives its memory back. */
export class Owned<Core extends { free(): void }> {
  readonly #what: string;
  #core: Core | undefined;

  /** `what` names it when it is used after its end. */
  constructor(what: string, core: Core) {
    this.#what = what;
    this.#core = core;
  }

  /** The thing, as long as it is there. */
  get core(): Core {
    if (this.#core === undefined) {
      throw new LocketError({ code: Code.Unavailable, rawMessage: `the ${this.#what} is closed`, outcome: 'no-effect' });
    }
    return this.#core;
  }

  /** Gives its memory back. Doing so twice is fine. */
  free(): void {
    const core = this.#core;
    this.#core = undefined;
    core?.free();
  }
}
