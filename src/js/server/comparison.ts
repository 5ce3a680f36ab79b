// The same calls put to the shipped Locket, to say which switch of the profile makes one of its answers another.

import { printable } from '../base/text.js';
import type { Profile } from './profile.js';

/** An answer of the documented Locket that the shipped one gives otherwise. */
export interface ProfileDifference {
  /** The switches that change the answer, each alone, with the shipped Locket's value. */
  readonly switches: Readonly<Partial<Profile>>;
  /** The call: `Release of 'bbs' by 'bbs-0'`. */
  readonly call: string;
  /** The answer: `ok`, or an error's text. */
  readonly answer: string;
  /** The answer of the shipped Locket. */
  readonly shipped: string;
}

/** An answer to compare. */
interface ComparedAnswer {
  error?: { message: string };
  resource?: { owner: string };
  resources?: { key: string }[];
}

/**
 * A server of each kind, to which everything is done that is done to the documented one: the shipped Locket, and for each switch a
 * documented Locket with that switch alone. An answer that only several switches change together has no name, and is not told.
 */
export class ProfileComparison<S extends { free(): void }> {
  readonly #shipped: S;
  readonly #single = new Map<keyof Profile, S>();
  readonly #values: Profile;
  readonly #tell: (difference: ProfileDifference) => void;

  /** Leaves out the switches that are known already. */
  constructor(
    { documented, upstream }: { documented: Profile; upstream: Profile },
    known: ReadonlySet<string>,
    start: (profile: Profile) => S,
    tell: (difference: ProfileDifference) => void,
  ) {
    this.#values = upstream;
    this.#tell = tell;
    this.#shipped = start(upstream);
    for (const name of Object.keys(upstream) as (keyof Profile)[]) {
      if (upstream[name] === documented[name] || known.has(name)) continue;
      this.#single.set(name, start({ ...documented, [name]: upstream[name] }));
    }
  }

  /** Does to each what was done to the documented one. */
  repeat(use: (server: S) => unknown): void {
    if (this.#single.size === 0) return;
    for (const server of [this.#shipped, ...this.#single.values()]) use(server);
  }

  /** Puts a call to each that was put to the documented one. */
  compare(call: () => string, answer: unknown, use: (server: S) => unknown): void {
    if (this.#single.size === 0) return;
    const shipped = use(this.#shipped);
    const singles = [...this.#single].map(([name, server]) => ({ name, answer: use(server) }));
    if (![answer, shipped, ...singles.map((single) => single.answer)].some((it) => it instanceof Promise)) {
      return this.#judge(call, answer, shipped, singles);
    }
    // A call that waits for the database is answered later. A caller that has given up gets no answer, and nothing is compared.
    const later = singles.map(async (single) => ({ ...single, answer: await single.answer }));
    Promise.all([answer, shipped, Promise.all(later)]).then(([one, other, each]) => this.#judge(call, one, other, each), () => {});
  }

  free(): void {
    this.#shipped.free();
    for (const server of this.#single.values()) server.free();
    this.#single.clear();
  }

  #judge(call: () => string, answer: unknown, shipped: unknown, singles: { name: keyof Profile; answer: unknown }[]): void {
    const given = textOf(answer);
    if (textOf(shipped) === given) return;
    const names = singles.filter((single) => this.#single.has(single.name) && textOf(single.answer) !== given).map(({ name }) => name);
    if (names.length === 0) return;
    for (const name of names) {
      this.#single.get(name)?.free();
      this.#single.delete(name);
    }
    const switches = Object.fromEntries(names.map((name) => [name, this.#values[name]]));
    this.#tell({ switches, call: printable(call()), answer: printable(wordsOf(answer)), shipped: printable(wordsOf(shipped)) });
  }
}

/** One text for answers that callers cannot tell apart. */
function textOf(answer: unknown): string {
  return answer === undefined ? '' : JSON.stringify(answer);
}

function wordsOf(answer: unknown): string {
  const { error, resource, resources } = (answer ?? {}) as ComparedAnswer;
  if (error !== undefined) return error.message;
  if (resources !== undefined) return `[${resources.map(({ key }) => key).join(', ')}]`;
  return resource === undefined ? 'ok' : `${resource.owner} holds it`;
}
