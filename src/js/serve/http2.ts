// gRPC, and gRPC-Web too, over HTTP/2.

import { constants, createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';

import type { HttpAnswer } from '../types.js';
import { type Calls, meaningfulHeaders, refusalOf } from './call.js';
import { refusal } from './callers.js';
import type { Share } from './held.js';
import type { Serves } from './options.js';
import { limitPings } from './pings.js';
import { receiveBody } from './request-body.js';

const { NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

/** Enough concurrent calls for a busy client; further calls wait at the client. */
const STREAMS_MAX = 1000;
/** The limit of gRPC servers in C++; Locket's requests take a few hundred bytes. */
export const HEADERS_SIZE_MAX = 16 * 1024;

/** A server without a port; connections are handed to it. */
export function http2Server(calls: Calls, { allowed, held, receiveTimeoutMs }: Serves): Http2Server {
  const server = createServer({ settings: { maxConcurrentStreams: STREAMS_MAX, maxHeaderListSize: HEADERS_SIZE_MAX } });
  server.on('session', limitPings);
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    // A stream that fails closes; what was done is done.
    stream.on('error', () => {});
    const share = held.begin();
    // Like grpc-go, so that the client knows that the call was not processed.
    if (share === undefined) return stream.close(NGHTTP2_REFUSED_STREAM);
    stream.once('close', share.end);
    const problem = refusal(headers, allowed);
    if (problem === undefined) serveStream(calls, receiveTimeoutMs, share, stream, headers).catch(() => stream.close(NGHTTP2_INTERNAL_ERROR));
    else refuse(stream, refusalOf('forbidden', headers['content-type'], problem), receiveTimeoutMs);
  });
  return server;
}

async function serveStream(
  calls: Calls,
  receiveTimeoutMs: number,
  share: Share,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const contentType = headers['content-type'] ?? '';
  const received = await receiveBody(stream, isText(contentType), receiveTimeoutMs, share);
  if (received === 'gone' || stream.destroyed) return;
  if (received === 'late' || received === 'full') return refuse(stream, refusalOf(received, contentType), receiveTimeoutMs);
  const request = {
    method: headers[':method'] ?? '',
    path: headers[':path'] ?? '',
    headers: meaningfulHeaders(headers),
    body: stream.endAfterHeaders ? undefined : received.bytes,
  };
  const giveUp = calls.make(request, share, (answer) => {
    if (stream.destroyed || stream.closed) return;
    if (received.isWhole) send(stream, answer, receiveTimeoutMs);
    else refuse(stream, answer, receiveTimeoutMs);
  });
  stream.once('close', giveUp);
}

function send(stream: ServerHttp2Stream, answer: HttpAnswer, timeoutMs: number): void {
  // Who does not take its answer is cut off.
  stream.setTimeout(timeoutMs, () => stream.session?.destroy());
  const headers = { ':status': answer.status, ...pairs(answer.headers) };
  const { trailers } = answer;
  if (trailers.length === 0) {
    stream.respond(headers, { endStream: answer.body.length === 0 });
    if (answer.body.length > 0) stream.end(answer.body);
    return;
  }
  stream.respond(headers, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers(pairs(trailers)));
  stream.end(answer.body);
}

/** Nothing more is wanted from a client that has not finished. */
function refuse(stream: ServerHttp2Stream, answer: HttpAnswer, timeoutMs: number): void {
  send(stream, answer, timeoutMs);
  stream.close(NGHTTP2_NO_ERROR);
}

/** True if a body is base64. */
export function isText(contentType: string): boolean {
  return contentType.toLowerCase().startsWith('application/grpc-web-text');
}

function pairs(list: string[]): Record<string, string> {
  const object: Record<string, string> = {};
  for (let i = 0; i + 1 < list.length; i += 2) object[list[i] as string] = list[i + 1] as string;
  return object;
}
