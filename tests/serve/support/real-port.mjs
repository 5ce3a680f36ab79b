// A port that behaves as that of a real Locket: HTTP/2 only, and mutual TLS.

import { createSecureServer } from 'node:http2';

import { LocketServer } from 'locket-wasm';

import { listen } from '../../net/support/listen.mjs';

/** Starts one on real time, on any port of 127.0.0.1. `options` are more of TLS's. Gives `{ host, port, url, server, close }`. */
export async function startRealPort({ ca, cert, key }, options = {}) {
  const server = new LocketServer({ profile: 'upstream', clock: 'ambient' });
  const listener = createSecureServer({ ca, cert, key, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.2', ...options });
  listener.on('session', (session) => session.on('error', () => {}));
  // Go's server ends a connection that did not agree on HTTP/2; Node's would answer by HTTP/1.1.
  listener.on('unknownProtocol', (socket) => socket.destroy());
  for (const event of ['sessionError', 'tlsClientError']) listener.on(event, () => {});
  listener.on('stream', (stream, headers) => void answer(server, stream, headers));
  const listening = await listen(listener, 'https');
  const close = async () => {
    await listening.close();
    server.close();
  };
  return { ...listening, server, close };
}

async function answer(server, stream, headers) {
  stream.on('error', () => {});
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  const given = ['content-type', 'uuid', 'grpc-timeout'].flatMap((name) => (headers[name] === undefined ? [] : [name, headers[name]]));
  const reply = await server.handle({ method: headers[':method'], path: headers[':path'], headers: given, body: Buffer.concat(chunks) });
  if (stream.destroyed) return;
  const head = { ':status': reply.status, ...pairs(reply.headers) };
  if (reply.trailers.length === 0) {
    stream.respond(head, { endStream: true });
    return;
  }
  stream.respond(head, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers(pairs(reply.trailers)));
  stream.end(reply.body);
}

const pairs = (list) => Object.fromEntries(list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1]]] : [])));
