// Pings a connection that is silent during a call.

import type { ClientHttp2Session } from 'node:http2';
import { clearTimeout, setTimeout } from 'node:timers';

import type { Keepalive } from './options.js';

/**
 * A grpc-go server accepts this many pings at any interval without an answer to a call between
 * them, then one in five minutes. It closes connections that ping more often: `too_many_pings`.
 */
const PINGS_MAX = 3;
const PERMITTED_INTERVAL_MS = 5 * 60_000;

/** The pings of one connection. */
export class Pings {
  readonly #session: ClientHttp2Session;
  readonly #keepalive: Keepalive;
  #timer: NodeJS.Timeout | undefined;
  #bytesRead = 0;
  #pingsInRow = 0;

  constructor(session: ClientHttp2Session, keepalive: Keepalive) {
    this.#session = session;
    this.#keepalive = keepalive;
  }

  /** A call begins while there was none. */
  start(): void {
    this.#bytesRead = this.#session.socket.bytesRead;
    this.#wait(this.#keepalive.timeMs);
  }

  /** A call was answered. */
  answered(): void {
    this.#pingsInRow = 0;
  }

  /** There is no call any more. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), ms).unref();
  }

  #look(): void {
    if (this.#session.destroyed) return;
    const { bytesRead } = this.#session.socket;
    const isSilent = bytesRead === this.#bytesRead;
    this.#bytesRead = bytesRead;
    if (isSilent) this.#ping();
    else this.#wait(this.#keepalive.timeMs);
  }

  #ping(): void {
    const { timeMs, timeoutMs } = this.#keepalive;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#session.destroy(new Error(`the server did not answer a ping for ${timeoutMs / 1000} s`));
    }, timeoutMs).unref();
    this.#pingsInRow += 1;
    this.#session.ping((error) => {
      if (error !== null) return;
      this.#bytesRead = this.#session.socket?.bytesRead ?? 0;
      this.#wait(this.#pingsInRow < PINGS_MAX ? timeMs : Math.max(timeMs, PERMITTED_INTERVAL_MS));
    });
  }
}
