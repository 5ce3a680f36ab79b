// Bytes on a connection, for what no client would do.

import { once } from 'node:events';
import { connect } from 'node:net';

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

/** A gRPC frame. */
export function frame(message, flags = 0) {
  const header = Buffer.alloc(5);
  header.writeUInt8(flags);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

/** Fetch of the key "k". */
export const FETCH = frame(Buffer.from('\n\x01k'));
