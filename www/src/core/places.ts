// Where the visitor was, as the browser's history has it: a view and a branch are a place, a moment within them is not.

import type { Session } from './session.svelte.js';

/** The state of a history entry besides its address. */
interface Place {
  /** When the page was loaded: after a reload branches have other numbers. */
  loaded: number;
  /** Branches are of what was opened then. */
  opening: number;
  branch: number;
  timeMs: number;
}

/** Writes the address: a new entry where the view or the branch is another one, the same entry otherwise. */
export class Places {
  readonly #session: Session;
  #last: string | undefined;
  /** The address that was opened or written last. */
  current = location.hash;

  constructor(session: Session) {
    this.#session = session;
  }

  /** @param view which view is shown */
  write(address: string, view: string): void {
    const { branch, openings, nowMs } = this.#session;
    if (branch === undefined) return;
    const place: Place = { loaded: performance.timeOrigin, opening: openings, branch: branch.id, timeMs: nowMs };
    const now = `${view} ${openings} ${branch.id}`;
    const isNew = this.#last !== undefined && this.#last !== now;
    this.#last = now;
    this.current = address;
    // An entry without a place was made for this view just now.
    if (isNew && history.state !== null) history.pushState(place, '', address);
    else history.replaceState(place, '', address);
  }

  /** Goes back to the branch of a history entry, if it is still there. Says whether it is. */
  restore(state: unknown, view: string): boolean {
    const { loaded, opening, branch, timeMs } = (state ?? {}) as Partial<Place>;
    if (loaded !== performance.timeOrigin || opening !== this.#session.openings || branch === undefined || !this.#session.has(branch)) return false;
    this.#session.switchTo(branch);
    this.#session.seek(timeMs ?? 0);
    this.#last = `${view} ${opening} ${branch}`;
    this.current = location.hash;
    return true;
  }
}
