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
  readonly #beganAt = performance.now();
  #openStreams = 0;
  /** True if the client's first frame has arrived. */
  #hasBegun = false;
  /** How many bytes are known to be of frames that arrived whole. */
  #wholeBytes = 0;
  /** Since when it is asked whether all the others are, too. */
  #askedAt: number | undefined;

  constructor(session: ServerHttp2Session, timeoutMs: number) {
    this.#session = session;
    this.#timeoutMs = timeoutMs;
    session.once('remoteSettings', () => (this.#hasBegun = true));
    session.on('stream', (stream: ServerHttp2Stream) => {
      this.#openStreams += 1;
      stream.once('close', () => (this.#openStreams -= 1));
    });
  }

  look(now: number): void {
    // A request that has begun has a limit of its own.
    if (this.#openStreams > 0 || this.#session.destroyed) return;
    if (this.#session.socket.bytesRead === this.#wholeBytes) return;
    const since = this.#hasBegun ? this.#askedAt : this.#beganAt;
    if (since === undefined) this.#ask(now);
    else if (now - since >= this.#timeoutMs) this.#session.destroy();
  }

  /** Node does not tell of every frame. But the answer to a ping is read only if what came before it was whole. */
  #ask(now: number): void {
    this.#askedAt = now;
    this.#session.ping((error) => {
      if (error !== null) return;
      this.#askedAt = undefined;
      this.#wholeBytes = this.#session.socket?.bytesRead ?? 0;
    });
  }
}
