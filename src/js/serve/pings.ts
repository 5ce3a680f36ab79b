// Keeps a client's pings to what grpc-go allows by default, as the real Locket does.

import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';

const INTERVAL_CALLING_MS = 5 * 60_000;
const INTERVAL_IDLE_MS = 2 * 60 * 60_000;
const STRIKES_MAX = 2;

/**
 * Ends a connection whose client pings too often: before so much time has passed since the last one, and without an
 * answer between them, for more than this many times.
 */
export function limitPings(session: ServerHttp2Session): void {
  const calls = new Set<ServerHttp2Stream>();
  let isAnswered = false;
  let lastMs = -Infinity;
  let strikes = 0;
  session.on('stream', (stream) => {
    calls.add(stream);
    stream.once('close', () => {
      calls.delete(stream);
      isAnswered ||= stream.headersSent;
    });
  });
  session.on('ping', () => {
    const nowMs = performance.now();
    const intervalMs = calls.size > 0 ? INTERVAL_CALLING_MS : INTERVAL_IDLE_MS;
    if (isAnswered || [...calls].some((stream) => stream.headersSent)) strikes = 0;
    else if (nowMs - lastMs < intervalMs) strikes += 1;
    isAnswered = false;
    lastMs = nowMs;
    if (strikes <= STRIKES_MAX) return;
    session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, session.state.lastProcStreamID, Buffer.from('too_many_pings'));
    session.destroy();
  });
}
