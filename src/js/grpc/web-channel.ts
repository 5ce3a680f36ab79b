// Calls to a gRPC-Web proxy over Node's own HTTP client: it costs half of what Node's `fetch` costs, and takes certificates.

import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions, request as httpsRequest, type RequestOptions as HttpsOptions } from 'node:https';
import { type Duplex, PassThrough } from 'node:stream';
import type { TLSSocket } from 'node:tls';

import type { Asked } from './certificate-request.js';
import { Chunks } from './chunks.js';
import { NotSent, markNotSent } from './not-sent.js';
import { type GrpcWebChannelOptions, type TlsSettings, webSettingsOf } from './options.js';
import { bodyOf, pathOf, type RequestOptions } from './outgoing.js';
import { alertOf, RefusedCertificate, refusalOf } from './refusal.js';
import { inWords } from './tls-error.js';

/** More calls at once wait for a connection: a process may open only a limited number. */
const SOCKETS_MAX = 256;

/**
 * Connections to a gRPC-Web proxy, kept for later calls. In Node it replaces `fetch`, and supports
 * client certificates.
 *
 * @example
 * ```ts
 * const channel = new GrpcWebChannel({ url: 'https://locket.example.org', tls: { ca, cert, key } });
 * const client = new LocketClient({ ...channel.clientOptions, timeout: '5s' });
 * ```
 */
export class GrpcWebChannel implements AsyncDisposable {
  /** The options that make a client use this channel. */
  readonly clientOptions: { baseUrl: string; fetch: (url: string, init: RequestInit) => Promise<Response> };
  readonly #agent: HttpAgent;

  constructor(options: GrpcWebChannelOptions) {
    const { url, tls } = webSettingsOf(options);
    let used = tls();
    const limits = { keepAlive: true, maxSockets: SOCKETS_MAX };
    const isSecure = url.protocol === 'https:';
    // A session that is resumed would be one of an earlier certificate.
    const sessions = used.isFixed ? {} : { maxCachedSessions: 0 };
    this.#agent = isSecure ? new TlsAgent({ ...limits, ...sessions }, () => (used = tls())) : new HttpAgent(limits);
    const { hostname, port } = url;
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const place = { agent: this.#agent, host, ...(port !== '' && { port }), method: 'POST' };
    const server = { ip: host, port: Number(port) || 443, used: () => used };
    const send = isSecure ? httpsRequest : httpRequest;
    this.clientOptions = {
      baseUrl: url.href,
      // An answer has the members of a response that a client reads.
      fetch: (path, init) => exchange(send({ ...place, path: pathOf(path) }), init as RequestOptions, server) as Promise<unknown> as Promise<Response>,
    };
  }

  /** Closes the connections. Calls in flight fail. */
  async close(): Promise<void> {
    this.#agent.destroy();
  }

  /** {@link GrpcWebChannel.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Asks for TLS at each new connection. */
class TlsAgent extends HttpsAgent {
  readonly #tls: () => TlsSettings;

  constructor(options: AgentOptions, tls: () => TlsSettings) {
    super(options);
    this.#tls = tls;
  }

  override createConnection(options: HttpsOptions, connected?: (error: Error | null, socket: Duplex) => void): Duplex | null | undefined {
    try {
      const { context, serverName, rejectUnauthorized } = this.#tls();
      const own = { rejectUnauthorized, ...(context && { secureContext: context }), ...(serverName !== undefined && { servername: serverName }) };
      return super.createConnection({ ...options, ...own });
    } catch (error) {
      connected?.(error as Error, new PassThrough());
      return undefined;
    }
  }
}

/** A server, and the TLS of the last connection to it. */
type Server = Omit<Asked, 'name'> & { used: () => TlsSettings };

function exchange(request: ClientRequest, { headers = {}, body, signal }: RequestOptions, server: Server): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const bytes = bodyOf(body);
    for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
    request.setHeader('content-length', bytes.length);
    let isConnected = false;
    const giveUp = (): void => {
      if (!isConnected && signal) markNotSent(signal);
      request.destroy();
    };
    signal?.addEventListener('abort', giveUp);
    request.once('close', () => signal?.removeEventListener('abort', giveUp));
    request.once('socket', (socket) => {
      isConnected = !socket.connecting;
      // A kept socket has connected earlier.
      if (!isConnected) socket.once('encrypted' in socket && (socket as TLSSocket).encrypted ? 'secureConnect' : 'connect', () => (isConnected = true));
    });
    const fail = async (error: Error): Promise<void> => {
      const wasConnected = isConnected;
      const reason = signal?.aborted ? error : await explained(error, request, server);
      const wasSent = wasConnected && !(reason instanceof RefusedCertificate);
      reject(wasSent ? reason : new NotSent('no connection', { cause: reason }));
    };
    request.once('error', (error) => {
      fail(error).catch(reject);
    });
    request.once('response', (response) => resolve(new Answer(response)));
    request.end(bytes);
  });
}

const ONLY_HTTP2 = "the server speaks only HTTP/2 over TLS, as Locket's own port does; call that with a GrpcChannel (--protocol grpc)";

/** The reason of a failed exchange. */
async function explained(error: NodeJS.ErrnoException, request: ClientRequest, server: Server): Promise<Error> {
  if (alertOf(error) === 'NO_APPLICATION_PROTOCOL') return new Error(ONLY_HTTP2, { cause: error });
  const socket = request.socket as TLSSocket | null;
  if (socket?.encrypted !== true || request.reusedSocket) return inWords(error);
  const { cert, serverName, isFixed } = server.used();
  const refusal = await refusalOf({ error, socket, cert, isSilent: error.code === 'ECONNRESET' }, { ...server, name: serverName ?? server.ip });
  return refusal === undefined ? inWords(error) : new RefusedCertificate(refusal, error, isFixed);
}

/** An answer: what src/transport/fetch/ reads of a `Response`. */
class Answer {
  readonly status: number;
  readonly statusText: string | undefined;
  readonly headers: { forEach: (callback: (value: string, name: string) => void) => void };
  readonly body: { getReader: () => Chunks };

  constructor(response: IncomingMessage) {
    this.status = response.statusCode ?? 0;
    this.statusText = response.statusMessage;
    this.headers = {
      forEach: (callback) => {
        for (const [name, value] of Object.entries(response.headers)) if (value !== undefined) callback(String(value), name);
      },
    };
    const chunks = new Chunks(() => response.destroy());
    this.body = { getReader: () => chunks };
    response.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    response.once('end', () => chunks.end(undefined));
    response.once('error', (error) => chunks.end(error));
    response.once('close', () => chunks.end(new Error('the connection was closed before the end of the answer')));
  }

  /** Resolves at once for a short answer. */
  async arrayBuffer(): Promise<ArrayBuffer> {
    const { body } = this;
    const whole: Uint8Array[] = [];
    for (let chunk = await body.getReader().read(); !chunk.done; chunk = await body.getReader().read()) whole.push(chunk.value);
    return Uint8Array.from(Buffer.concat(whole)).buffer;
  }
}
