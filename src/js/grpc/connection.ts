// A connection that is there: makes calls on it until it ends, and lets the program end while there is none.

import type { ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';

import type { Connected } from './connect.js';
import { Pings } from './keepalive.js';
import type { Settings } from './options.js';
import { callOn, type Incoming, type Outgoing } from './stream.js';

/** A connection to one server. */
export class Connection {
  readonly #session: ClientHttp2Session;
  readonly #socket: Socket;
  readonly #idleTimeoutMs: number;
  readonly #pings: Pings | undefined;
  readonly #watcher = { isUnprocessed: (id: number) => id > this.#lastStream, onEnd: () => this.#ended() };
  #calls = 0;
  #isClosing = false;
  /** The last stream that a server looked at which has said that it takes no more. */
  #lastStream = Infinity;
  #idle: NodeJS.Timeout | undefined;

  constructor({ session, socket }: Connected, { idleTimeoutMs, keepalive }: Pick<Settings, 'idleTimeoutMs' | 'keepalive'>) {
    this.#session = session;
    this.#socket = socket;
    this.#idleTimeoutMs = idleTimeoutMs;
    this.#pings = keepalive && new Pings(session, keepalive);
    session.once('goaway', (_, lastStream: number) => (this.#lastStream = lastStream));
    session.once('close', () => clearTimeout(this.#idle));
    this.#rest();
  }

  /** True if calls can be made. */
  get isOpen(): boolean {
    return !this.#isClosing && !this.#session.closed && !this.#session.destroyed && this.#lastStream === Infinity;
  }

  call(outgoing: Outgoing): Incoming {
    if (this.#calls === 0) this.#wake();
    this.#calls += 1;
    return callOn(this.#session, outgoing, this.#watcher);
  }

  /** Ends when the calls in flight have ended. */
  async close(): Promise<void> {
    if (this.#session.destroyed) return;
    await new Promise<void>((resolve) => {
      this.#isClosing = true;
      this.#session.once('close', resolve);
      if (this.#calls === 0) this.#destroy();
    });
  }

  #ended(): void {
    this.#calls -= 1;
    this.#pings?.answered();
    if (this.#calls === 0) this.#rest();
  }

  /** Both: a session that is about to end waits for the other side. */
  #destroy(): void {
    this.#session.destroy();
    this.#socket.destroy();
  }

  #wake(): void {
    clearTimeout(this.#idle);
    if (this.#session.destroyed) return;
    this.#session.ref();
    this.#pings?.start();
  }

  #rest(): void {
    this.#pings?.stop();
    if (this.#isClosing) this.#destroy();
    if (this.#session.destroyed) return;
    this.#session.unref();
    this.#idle = setTimeout(() => this.#session.close(), this.#idleTimeoutMs).unref();
  }
}
