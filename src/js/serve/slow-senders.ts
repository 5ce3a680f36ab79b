// Ends HTTP/2 connections on which bytes arrive and no request does. For HTTP/1.1 Node has limits of its own; of HTTP/2 it
// says only what arrived whole.

import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';

const CHECK_INTERVAL_MS = 1000;

/** Connections that are looked at every second. */
export class SlowSenders {
  readonly #watches = new Set<Watch>();
  readonly #timeoutMs: number;
  readonly #timer: NodeJS.Timeout;

  /** Within `timeoutMs` the rest of what has begun has to arrive. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#timer = setInterval(() => {
      const now = performance.now();
      for (const watch of this.#watches) watch.look(now);
    }, CHECK_INTERVAL_MS).unref();
  }

  /** Looks at a connection until it ends. */
  add(session: ServerHttp2Session): void {
    const watch = new Watch(session, this.#timeoutMs);
    this.#watches.add(watch);
    session.once('close', () => this.#watches.delete(watch));
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

class Watch {
  readonly #session: ServerHttp2Session;
  readonly #timeoutMs: number;
  #openStreams = 0;
  /** Whether the client's first frame has arrived. */
  #hasBegun = false;
  /** When something arrived whole. */
  #wholeAt = performance.now();
  /** How many bytes had arrived when nothing was missing. */
  #wholeBytes = 0;
  /** Whether that was taken down since something arrived whole. */
  #isSettled = true;
  /** Since when more bytes are here than belong to what arrived whole. */
  #partAt: number | undefined;

  constructor(session: ServerHttp2Session, timeoutMs: number) {
    this.#session = session;
    this.#timeoutMs = timeoutMs;
    const arrived = (): void => this.#arrived();
    for (const event of ['remoteSettings', 'localSettings', 'ping'] as const) session.on(event, arrived);
    session.on('stream', (stream: ServerHttp2Stream) => {
      this.#openStreams += 1;
      stream.once('close', () => {
        this.#openStreams -= 1;
        this.#arrived();
      });
    });
  }

  look(now: number): void {
    // A request that has begun has a limit of its own.
    if (this.#openStreams > 0 || this.#session.destroyed) return;
    const { bytesRead } = this.#session.socket;
    if (!this.#isSettled || (this.#hasBegun && now - this.#wholeAt < this.#timeoutMs)) {
      // What Node does not tell of follows closely: how much more the client would read of an answer.
      this.#wholeBytes = bytesRead;
      this.#isSettled = true;
      return;
    }
    if (bytesRead > this.#wholeBytes) this.#partAt ??= this.#hasBegun ? now : this.#wholeAt;
    if (this.#partAt !== undefined && now - this.#partAt >= this.#timeoutMs) this.#session.destroy();
  }

  #arrived(): void {
    this.#hasBegun = true;
    this.#wholeAt = performance.now();
    this.#isSettled = false;
    this.#partAt = undefined;
  }
}
