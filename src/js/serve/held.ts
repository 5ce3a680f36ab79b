// Counts the memory of all connections of a server, and bounds it: no number of clients can fill it.

import type { Socket } from 'node:net';

/** Over all ports. An idle one holds 15 to 30 KB. */
const CONNECTIONS_MAX = 10_000;
/** Calls that have begun and whose answers have not been taken. */
const CALLS_MAX = 10_000;
/** Bytes of a call that are not counted, more than a Lock and its answer have: lists and uploads of other clients prevent no renewal. */
const SMALL_SIZE = 16 * 1024;
/** The bytes that all calls together may hold beyond that: 32 of the largest requests or lists. */
const LARGE_SIZE_MAX = 128 * 1024 * 1024;

/** The share of one call. */
export interface Share {
  /** Takes this many more bytes, or returns `false` if there is no room. */
  take(bytes: number): boolean;
  /** Gives all of it back; once. */
  end(): void;
}

/** The counts of one server. */
export class Held {
  #connections = 0;
  #calls = 0;
  #largeBytes = 0;

  /** Counts a connection until it closes; `false` if there are as many as may be. */
  connect(socket: Socket): boolean {
    if (this.#connections >= CONNECTIONS_MAX) return false;
    this.#connections += 1;
    socket.once('close', () => (this.#connections -= 1));
    return true;
  }

  /** Counts a call until its share ends; `undefined` if there are as many as may be. */
  begin(): Share | undefined {
    if (this.#calls >= CALLS_MAX) return undefined;
    this.#calls += 1;
    let bytes = 0;
    const largeBytes = (): number => Math.max(0, bytes - SMALL_SIZE);
    const add = (more: number): void => {
      this.#largeBytes -= largeBytes();
      bytes += more;
      this.#largeBytes += largeBytes();
    };
    return {
      take: (more) => {
        add(more);
        const isThere = largeBytes() === 0 || this.#largeBytes <= LARGE_SIZE_MAX;
        if (!isThere) add(-more);
        return isThere;
      },
      end: () => {
        add(-bytes);
        this.#calls -= 1;
      },
    };
  }
}
