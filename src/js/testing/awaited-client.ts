// The calls of one client that its test must await.

import type { Lock, TestClient } from '../types.js';
import type { AwaitedCalls } from './awaited.js';

/** Any function of a client. */
type Method = (...args: unknown[]) => Promise<unknown>;

/** A lock that a call wants. */
interface Wanted {
  key: string;
  owner: string;
}

/** The calls of a client, with the words for it, such as `client('a')`. */
export class AwaitedClient {
  readonly #awaited = new Set<Wanted>();

  /** Replaces the methods of a client. `isTaken` says whether another owner has a lock. */
  constructor(
    client: TestClient,
    readonly words: string,
    readonly calls: AwaitedCalls,
    readonly isTaken: (wanted: Wanted) => boolean,
  ) {
    for (const name of ['lock', 'release', 'fetch', 'fetchAll'] as const) this.#note(client, name);
    for (const name of ['acquire', 'withLock'] as const) this.#noteWait(client, name);
    this.#note(client.clock, 'sleep', '.clock');
  }

  /** Whether the test itself waits for a lock that this client wants. */
  awaits({ key, owner }: Wanted): boolean {
    return [...this.#awaited].some((wanted) => wanted.key === key && wanted.owner === owner);
  }

  #note(of: object, name: string, path = ''): void {
    const call = (of as Record<string, Method>)[name]?.bind(of) as Method;
    const noted = (...args: unknown[]): Promise<unknown> => this.calls.note({ words: `${this.words}${path}.${name}`, promise: call(...args), method: noted });
    define(of, name, noted);
  }

  /** Nothing has to await a wait for a lock that another owner has, nor what has ended. */
  #noteWait(client: TestClient, name: 'acquire' | 'withLock'): void {
    const call = client[name].bind(client) as Method;
    const noted = (...args: unknown[]): Promise<unknown> => {
      const promise = call(...args);
      const wanted = args[0] as Wanted;
      let hasEnded = false;
      const end = (): void => void ((hasEnded = true), this.#awaited.delete(wanted));
      promise.then((held) => (end(), name === 'acquire' && this.#note(held as Lock, 'release', `.acquire('${wanted.key}')`)), end);
      const isForgotten = (): boolean => !hasEnded && !this.isTaken(wanted);
      return this.calls.note({ words: `${this.words}.${name}`, promise, method: noted, isForgotten }, () => !hasEnded && this.#awaited.add(wanted));
    };
    define(client, name, noted);
  }
}

function define(of: object, name: string, value: Method): void {
  Object.defineProperty(of, name, { value, configurable: true, writable: true });
}
