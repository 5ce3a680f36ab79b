// Frames of HTTP/2 by hand, and servers of bytes, for what no HTTP/2 server would do.

import { connect, createServer } from 'node:net';
import { createServer as createTls } from 'node:tls';

import { listen } from './listen.mjs';

const TYPES = { data: 0, headers: 1, resetStream: 3, settings: 4, ping: 6, goaway: 7, continuation: 9 };

/** A frame; `size` overrides the length that it says it has. */
export function frameOf(type, { flags = 0, stream = 0, payload = Buffer.alloc(0), size = payload.length } = {}) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(size, 0, 3);
  head.writeUInt8(TYPES[type], 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** With which a server begins. */
export const SETTINGS = frameOf('settings');

/** The end of a connection: the last stream that was looked at, and why. */
export function goaway(lastStream, code) {
  const payload = Buffer.alloc(8);
  payload.writeUInt32BE(lastStream, 0);
  payload.writeUInt32BE(code, 4);
  return frameOf('goaway', { payload });
}

/**
 * A server on loopback: `connected` is called with each socket and its number from 0, and may say the port to which it is
 * handed on. Gives `{url, connections, close}`; `connections()` counts them.
 */
export async function startRaw(connected, scheme = 'http') {
  let count = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const port = connected(socket, count);
    count += 1;
    if (port !== undefined) handOn(socket, port);
  });
  return { ...(await listen(server, scheme)), connections: () => count };
}

function handOn(socket, port) {
  const other = connect(port, '127.0.0.1');
  other.on('error', () => socket.destroy());
  socket.once('close', () => other.destroy());
  other.once('close', () => socket.destroy());
  socket.pipe(other).pipe(socket);
}

/** TLS in front of a port in clear text. `renew` gives it another identity, and cuts its connections. */
export async function startTls(identity, port) {
  const server = createTls({ ...identity, requestCert: true, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    socket.on('error', () => {});
    handOn(socket, port);
  });
  const front = await listen(server, 'https');
  const renew = (other) => {
    server.setSecureContext(other);
    front.cut();
  };
  return { ...front, renew };
}

/** Calls back once when the client has sent the headers of a call. */
export function onceCalled(socket, callback) {
  let seen = Buffer.alloc(0);
  const look = (chunk) => {
    seen = Buffer.concat([seen, chunk]);
    if (!framesOf(seen).includes(TYPES.headers)) return;
    socket.off('data', look);
    callback();
  };
  socket.on('data', look);
}

/** The types of the frames behind a client's preface. */
function framesOf(bytes) {
  const types = [];
  for (let offset = 24; offset + 9 <= bytes.length; offset += 9 + bytes.readUIntBE(offset, 3)) types.push(bytes[offset + 3]);
  return types;
}
