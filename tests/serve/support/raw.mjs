// Bytes and streams on a connection, for what no client would do.

import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';

import { frame } from '../../wire/grpc-web.mjs';

/**
 * Connects, sends `pieces`, and waits for the end: `{ answer, ms, isClosed }`, all that came back as text, after how long,
 * and whether the server closed the connection. It goes away itself once `until` has come, or after ten seconds without a byte.
 * With `ends` it says after the pieces that it has no more.
 */
export async function exchange(url, pieces, { everyMs = 0, until, ends = false } = {}) {
  const started = performance.now();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  let isClosed = true;
  socket.setEncoding('latin1').on('data', (chunk) => {
    answer += chunk;
    if (until !== undefined && answer.includes(until)) leave();
  });
  // A reset is an end too.
  socket.on('error', () => {});
  const leave = () => {
    isClosed = false;
    socket.destroy();
  };
  socket.setTimeout(SILENCE_MS_MAX, leave);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  for (const piece of pieces) {
    if (!socket.writable) break;
    if (!socket.write(piece)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  if (ends) socket.end();
  await closed;
  return { answer, ms: performance.now() - started, isClosed };
}

const SILENCE_MS_MAX = 10_000;

/** Fetch of the key "k". */
export const FETCH = frame(Buffer.from('\n\x01k'));
/** FetchAll of locks. */
export const FETCH_LOCKS = frame(Buffer.from('1001', 'hex'));

/** A gRPC request on a connection of HTTP/2, whose body is still to come. */
export function open(session, headers = {}, options) {
  const request = { ':method': 'POST', ':path': '/models.Locket/Fetch', 'content-type': 'application/grpc', ...headers };
  return session.request(request, options).on('error', () => {});
}

/** What a stream is answered: `headers`, `trailers`, the `size` of the body, and the `code` with which it was closed. */
export function answerOf(stream) {
  return new Promise((resolve, reject) => {
    let [headers, trailers, size] = [undefined, undefined, 0];
    stream.on('response', (received) => (headers = received));
    stream.on('trailers', (received) => (trailers = received));
    stream.on('data', (chunk) => (size += chunk.length));
    stream.on('close', () => {
      if (headers === undefined) reject(new Error(`no answer, stream closed with ${stream.rstCode}`));
      else resolve({ headers, trailers, size, code: stream.rstCode });
    });
  });
}

/** The same of a stream on a connection of its own; `send` sends its body. */
export async function answered(url, send = (stream) => stream.end(FETCH), headers = {}, options) {
  const session = connectHttp2(url, { rejectUnauthorized: false });
  const failed = new Promise((_, reject) => session.on('error', reject));
  try {
    const stream = open(session, headers, options);
    const answer = answerOf(stream);
    send(stream);
    return await Promise.race([answer, failed]);
  } finally {
    session.destroy();
  }
}
