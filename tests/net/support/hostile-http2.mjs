// A gRPC server that answers as its cases say: `/<name>/models.Locket/Fetch` gets the answer of the case of that name.

import { createServer } from 'node:http2';

import { CASES } from './http2_cases.mjs';

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
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    async close() {
      for (const session of sockets.keys()) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(entry, stream, cut) {
  if (entry === undefined) return void stream.respond({ ':status': 500 }, { endStream: true });
  const { isBare, status = 200, headers, chunks = [], trailers, endless, end } = entry;
  if (!isBare) {
    const all = Object.entries({ ':status': status, 'content-type': 'application/grpc', ...headers });
    const kept = Object.fromEntries(all.filter(([, value]) => value !== null));
    stream.respond(kept, { waitForTrailers: true });
    stream.once('wantTrailers', () => (trailers === undefined ? stream.close() : stream.sendTrailers(trailers)));
  }
  for (const chunk of chunks) {
    await new Promise((resolve) => stream.write(chunk, resolve));
    // A turn of the event loop, so that pieces are sent, and mostly arrive, as pieces.
    if (chunks.length < 100) await new Promise((resolve) => setImmediate(resolve));
  }
  while (endless && !stream.destroyed) await new Promise((resolve) => stream.write(chunks.at(-1), resolve));
  if (end === 'close') cut();
  else if (end?.reset !== undefined) stream.close(end.reset);
  else if (end !== 'never') stream.end();
}

