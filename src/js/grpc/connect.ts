// One attempt to connect to one address. It succeeds when the server's first HTTP/2 frame arrives:
// only then has the server accepted the client's certificate.

import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import { connect as connectTls, type TLSSocket } from 'node:tls';

import { type Address, authorityOf } from './addresses.js';
import type { Settings, TlsSettings } from './options.js';
import { alertOf, RefusedCertificate, refusalOf } from './refusal.js';
import { inWords } from './tls-error.js';

/** How much of an answer a server may send before it is read, in bytes: lists of locks are long. */
const WINDOW_SIZE = 1024 * 1024;
/** The size of a server's headers that Envoy accepts. */
const HEADERS_SIZE_MAX = 60 * 1024;
/** Megabytes for what waits to be sent. With Node's 10 a few thousand calls at once fail. */
const SESSION_MEMORY_MAX = 1024;

/** The parts of a connection. */
export interface Connected {
  session: ClientHttp2Session;
  socket: Socket;
}

/** The server has TLS, but not HTTP/2 over it. The code is for those who load this file a second time. */
class NoHttp2 extends Error {
  readonly code = 'ERR_NO_HTTP2';

  constructor() {
    super('the server does not offer HTTP/2 over TLS, which gRPC needs');
  }
}

/** Connects, or rejects with the reason; `abandon` aborts the attempt. */
export async function connect(address: Address, settings: Settings, abandon: AbortSignal): Promise<Connected> {
  const tls = settings.tls();
  const socket = address.isSecure ? secureSocket(address, tls) : connectTcp({ host: address.ip, port: address.port });
  try {
    return await sessionOn(socket, address, settings, abandon);
  } catch (thrown) {
    throw address.isSecure ? await explained(thrown as Error, socket as TLSSocket, address, tls, settings.connectTimeoutMs) : thrown;
  }
}

function sessionOn(socket: Socket, address: Address, settings: Settings, abandon: AbortSignal): Promise<Connected> {
  return new Promise((resolve, reject) => {
    socket.setNoDelay(true);
    const session = connectHttp2(`${address.isSecure ? 'https' : 'http'}://${authorityOf(address)}`, {
      createConnection: () => socket,
      maxSessionMemory: SESSION_MEMORY_MAX,
      settings: { enablePush: false, initialWindowSize: WINDOW_SIZE, maxHeaderListSize: HEADERS_SIZE_MAX },
    });
    // For good: an error without a listener would end the program, and of some errors of TLS only the socket hears.
    for (const one of [session, socket]) {
      one.on('error', (error) => fail(error));
      one.once('close', () => fail(new Closed()));
    }
    const stop = (): void => fail(new Error('the channel is closed'));
    abandon.addEventListener('abort', stop);
    const settle = (): void => {
      clearTimeout(timer);
      abandon.removeEventListener('abort', stop);
    };
    const fail = (error: Error): void => {
      settle();
      session.destroy(error);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(late(address, settings.connectTimeoutMs)), settings.connectTimeoutMs);
    socket.once('secureConnect', () => {
      if ((socket as TLSSocket).alpnProtocol !== 'h2') fail(new NoHttp2());
    });
    session.once('connect', () => session.setLocalWindowSize(WINDOW_SIZE));
    session.once('remoteSettings', () => {
      settle();
      resolve({ session, socket });
    });
  });
}

/** The server closed the connection before it sent anything over it. */
class Closed extends Error {
  constructor() {
    super('the server closed the connection');
  }
}

/** The reason of a failed handshake. */
async function explained(error: Error, socket: TLSSocket, { ip, port, host }: Address, tls: TlsSettings, timeoutMs: number): Promise<Error> {
  if (alertOf(error) === 'NO_APPLICATION_PROTOCOL') return new NoHttp2();
  const isSilent = error instanceof Closed || (error as NodeJS.ErrnoException).code === 'ECONNRESET';
  const { cert, serverName, isFixed } = tls;
  const asked = { ip, port, name: serverName ?? host };
  const refusal = await refusalOf({ error, socket, cert, isSilent }, asked, timeoutMs);
  return refusal === undefined ? inWords(error) : new RefusedCertificate(refusal, error, isFixed);
}

function secureSocket({ ip, host, port }: Address, { context, serverName, rejectUnauthorized }: TlsSettings): Socket {
  const name = serverName ?? host;
  return connectTls({
    host: ip,
    port,
    ALPNProtocols: ['h2'],
    rejectUnauthorized,
    ...(context && { secureContext: context }),
    // An address has no name to ask for; it is looked for in the certificate.
    ...(isIP(name) === 0 && { servername: name }),
  });
}

function late(address: Address, timeoutMs: number): Error {
  const error = new Error(`no connection to ${address.ip}:${address.port} within ${timeoutMs / 1000} s`);
  return Object.assign(error, { code: 'ETIMEDOUT', syscall: 'connect' });
}
