// A gRPC server that answers as its cases say: `/<name>/models.Locket/Fetch` gets the answer of the case of that name.

import { createServer } from 'node:http2';

import { writeChunks } from './hostile.mjs';
import { CASES } from './http2_cases.mjs';
import { listen } from './listen.mjs';

const BY_NAME = new Map(CASES.map((entry) => [entry.name, entry]));

/** Starts one on loopback: `{url, close}`. */
export async function startHostileHttp2() {
  const sockets = new Map();
  const server = createServer({ maxSendHeaderBlockLength: 2 ** 24 });
  // Node lets nobody else at the socket of a session.
  let last;
  server.prependListener('connection', (socket) => (last = socket));
  server.on('session', (session) => {
    sockets.set(session, last);
    session.on('error', () => {});
    session.once('close', () => sockets.delete(session));
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    stream.resume();
    stream.once('end', () => void answer(BY_NAME.get(headers[':path'].split('/')[1]), stream, () => sockets.get(stream.session)?.destroy()));
  });
  return await listen(server);
}

async function answer(entry, stream, cut) {
  if (entry === undefined) return void stream.respond({ ':status': 500 }, { endStream: true });
  const { isBare, status = 200, headers, trailers, end } = entry;
  if (!isBare) {
    const all = Object.entries({ ':status': status, 'content-type': 'application/grpc', ...headers });
    const kept = Object.fromEntries(all.filter(([, value]) => value !== null));
    stream.respond(kept, { waitForTrailers: true });
    stream.once('wantTrailers', () => (trailers === undefined ? stream.close() : stream.sendTrailers(trailers)));
  }
  await writeChunks(stream, entry);
  if (end === 'close') cut();
  else if (end?.reset !== undefined) stream.close(end.reset);
  else if (end !== 'never') stream.end();
}

