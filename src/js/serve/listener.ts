// One port of one Locket process, on which gRPC and gRPC-Web are both spoken.
//
// The first three bytes of a connection tell HTTP/2 from HTTP/1.1: an HTTP/2 client begins with "PRI * HTTP/2.0", and no
// method of HTTP/1.1 begins like that. So one port serves both, in clear text as over TLS, and a client is not told
// twice where Locket is. Every gRPC client begins HTTP/2 this way ("prior knowledge"); the upgrade from HTTP/1.1, which
// none uses, is not offered.

import { createServer, type Server } from 'node:http';
import type { Http2Server, ServerHttp2Session } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

import { LocketArgumentError } from '../node.js';
import type { Calls } from './call.js';
import { http1Listener } from './http1.js';
import { HEADERS_SIZE_MAX, http2Server } from './http2.js';
import type { Serves, ServeTls } from './options.js';
import { SlowSenders } from './slow-senders.js';

const HTTP2_BEGINS = Buffer.from('PRI');
/** Longer than any proxy or browser keeps a connection unused, so that none is closed as it is used again. */
const KEEP_ALIVE_MS = 75_000;

/** After so long without a frame a client connects again, of itself, when it has something to say. */
const IDLE_MS = 10 * 60_000;

/** A port that is open. */
export class Listener {
  readonly #server: Server;
  readonly #slowSenders: SlowSenders;
  readonly #sockets = new Set<Socket>();
  /** Those that have said neither HTTP/1.1 nor HTTP/2, or are still shaking hands, by their client's address. */
  readonly #undecided = new Map<string, Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #state: { isClosing: boolean };

  /** Opens a port; 0 takes a free one. */
  static async open(calls: Calls, host: string, port: number, serves: Serves): Promise<Listener> {
    const { receiveTimeoutMs, tls } = serves;
    const state = { isClosing: false };
    const limits = {
      connectionsCheckingInterval: 1000,
      handshakeTimeout: receiveTimeoutMs,
      headersTimeout: receiveTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: HEADERS_SIZE_MAX,
      requestTimeout: receiveTimeoutMs + 1000,
    };
    const answer = http1Listener(calls, serves, () => state.isClosing);
    const server = tls === undefined ? createServer(limits, answer) : secureServer(tls, limits, answer);
    const listener = new Listener(server, state, serves, http2Server(calls, serves));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    return listener;
  }

  private constructor(server: Server, state: { isClosing: boolean }, { held, receiveTimeoutMs, tls }: Serves, http2: Http2Server) {
    this.#server = server;
    this.#state = state;
    this.#slowSenders = new SlowSenders(receiveTimeoutMs);
    http2.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
      // Also ends a connection that broke HTTP/2's rules: after the error it would stay open and silent.
      session.setTimeout(IDLE_MS, () => session.close());
      this.#slowSenders.add(session);
    });
    // Connections that turn out to be HTTP/1.1 go on to whom they would have gone to anyway.
    intercept(server, tls === undefined ? 'connection' : 'secureConnection', (socket, goOn) => {
      sniff(socket, receiveTimeoutMs, (isHttp2) => {
        this.#undecided.delete(clientOf(socket));
        if (isHttp2) acceptHttp2(http2, socket);
        else goOn();
      });
    });
    intercept(server, 'connection', (socket, goOn) => {
      if (!held.connect(socket)) {
        socket.destroy();
        return;
      }
      const client = clientOf(socket);
      this.#sockets.add(socket);
      this.#undecided.set(client, socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        this.#undecided.delete(client);
      });
      goOn();
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Takes no new connections, lets calls in flight finish, and cuts off at the end of `timeoutMs`. */
  async close(timeoutMs: number): Promise<void> {
    this.#state.isClosing = true;
    this.#slowSenders.close();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const session of this.#sessions) session.close();
    for (const socket of this.#undecided.values()) socket.destroy();
    const timer = setTimeout(() => {
      for (const session of this.#sessions) session.destroy();
      for (const socket of this.#sockets) socket.destroy();
    }, timeoutMs);
    await closed;
    clearTimeout(timer);
  }
}

/** Comes before all listeners of an event, and decides whether they get it. */
function intercept(server: Server, event: string, decide: (socket: Socket, goOn: () => void) => void): void {
  const listeners = server.listeners(event) as ((socket: Socket) => void)[];
  server.removeAllListeners(event);
  server.on(event, (socket: Socket) => decide(socket, () => listeners.forEach((listener) => listener.call(server, socket))));
}

function acceptHttp2(http2: Http2Server, socket: Socket): void {
  // Node's HTTP/1.1 server still answers a client that has ended its side; its HTTP/2 server would never end the other one.
  socket.allowHalfOpen = false;
  http2.emit('connection', socket);
}

/** The same for a connection and for TLS over it. */
const clientOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** Looks at a connection's first bytes and puts them back. */
function sniff(socket: Socket, timeoutMs: number, decided: (isHttp2: boolean) => void): void {
  // Until another listener handles errors.
  const ignore = (): void => {};
  socket.on('error', ignore);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  socket.once('close', () => clearTimeout(timer));
  let begin = Buffer.alloc(0);
  const look = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    begin = Buffer.concat([begin, chunk]);
    const known = Math.min(begin.length, HTTP2_BEGINS.length);
    const isHttp2 = begin.subarray(0, known).equals(HTTP2_BEGINS.subarray(0, known));
    if (isHttp2 && begin.length < HTTP2_BEGINS.length) return;
    clearTimeout(timer);
    socket.off('readable', look);
    socket.unshift(begin);
    decided(isHttp2);
  };
  socket.on('readable', look);
}

function secureServer(tls: ServeTls, limits: object, answer: Parameters<typeof createServer>[1]): Server {
  const { cert, key, ca } = tls;
  // The types want buffers where any bytes do.
  const bytes = (pem: string | Uint8Array): string | Buffer => (typeof pem === 'string' ? pem : Buffer.from(pem));
  try {
    return createTlsServer(
      {
        ...limits,
        ALPNProtocols: ['h2', 'http/1.1'],
        minVersion: 'TLSv1.2',
        cert: bytes(cert),
        key: bytes(key),
        ...(ca === undefined ? {} : { ca: bytes(ca), requestCert: true, rejectUnauthorized: true }),
      },
      answer,
    );
  } catch (error) {
    throw new LocketArgumentError('tls', `the certificate, its key or the ca cannot be used: ${(error as Error).message}`);
  }
}
