// The calls of one client that its test must await.

import type { Lock, TestClient } from '../types.js';
import { type AwaitedCalls, errorAt, noteCalls, type Place } from './awaited.js';

/** Any function of a client. */
type Method = (...args: unknown[]) => Promise<unknown>;

/** A lock that a call wants. */
interface Wanted {
  key: string;
  owner?: string | undefined;
}

/** A wait for locks that the test itself awaits. */
export interface AwaitedWait {
  readonly wanted: readonly Wanted[];
  /** Ends it with an error at its line, and returns that. */
  fail(message: string): Error;
}

/** The calls of a client, with the words for it, such as `client('a')`. */
export class AwaitedClient {
  readonly #awaited = new Set<AwaitedWait>();

  /** Replaces the methods of a client. `isTaken` says whether another owner has a lock. */
  constructor(
    client: TestClient,
    readonly words: string,
    readonly calls: AwaitedCalls,
    readonly isTaken: (wanted: Wanted) => boolean,
  ) {
    for (const name of ['lock', 'release', 'fetch', 'fetchAll']) noteCalls(calls, client, name, words);
    for (const name of ['acquire', 'withLock'] as const) this.#noteWait(client, name);
    noteCalls(calls, client.clock, 'sleep', `${words}.clock`);
  }

  /** The wait of the test itself for a lock that this client wants, if there is one. */
  awaited({ key, owner }: Wanted): AwaitedWait | undefined {
    return [...this.#awaited].find(({ wanted }) => wanted.some((it) => it.key === key && it.owner === owner));
  }

  /** Nothing has to await a wait for a lock that another owner has, nor what has ended. */
  #noteWait(client: TestClient, name: 'acquire' | 'withLock'): void {
    const call = client[name].bind(client) as Method;
    const noted = (...args: unknown[]): Promise<unknown> => {
      const wanted = [args[0]].flat().map((it) => ({ owner: client.owner, ...(it as Wanted) }));
      let reject = (_: Error): void => {};
      const promise = new Promise<unknown>((resolve, refuse) => {
        reject = refuse;
        call(...args).then(resolve, refuse);
      });
      let wait: AwaitedWait | undefined;
      let hasEnded = false;
      const end = (): void => void ((hasEnded = true), wait && this.#awaited.delete(wait));
      promise.then((held) => (end(), name === 'acquire' && noteCalls(this.calls, held as Lock, 'release', `${this.words}.acquire('${(held as Lock).key}')`)), end);
      const onAwaited = (at: Place): void => {
        if (hasEnded) return;
        const fail = (message: string): Error => {
          const error = errorAt(at, message);
          reject(error);
          return error;
        };
        this.#awaited.add((wait = { wanted, fail }));
      };
      const isForgotten = (): boolean => !hasEnded && !wanted.some((it) => this.isTaken(it));
      return this.calls.note({ words: `${this.words}.${name}`, promise, method: noted, isForgotten }, onAwaited);
    };
    Object.defineProperty(client, name, { value: noted, configurable: true, writable: true });
  }
}
