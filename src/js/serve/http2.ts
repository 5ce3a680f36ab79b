// gRPC, and gRPC-Web too, over HTTP/2.

import { constants, createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';

import type { HttpAnswer } from '../types.js';
import { type Calls, forbidden, meaningfulHeaders, TOO_SLOW } from './call.js';
import { type Allowed, refusal } from './callers.js';
import { limitPings } from './pings.js';
import { receiveBody } from './request-body.js';

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = constants;

/** Enough concurrent calls for a busy client; further calls wait at the client. */
const STREAMS_MAX = 1000;
/** As a gRPC server in C++ has it; Locket's requests have a few hundred bytes. */
export const HEADERS_SIZE_MAX = 16 * 1024;

/** A server without a port; connections are handed to it. */
export function http2Server(calls: Calls, allowed: Allowed, receiveTimeoutMs: number): Http2Server {
  const server = createServer({ settings: { maxConcurrentStreams: STREAMS_MAX, maxHeaderListSize: HEADERS_SIZE_MAX } });
  server.on('session', limitPings);
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    // A stream that fails closes; what was done is done.
    stream.on('error', () => {});
    const problem = refusal(headers, allowed);
    if (problem === undefined) {
      serveStream(calls, receiveTimeoutMs, stream, headers).catch(() => stream.close(NGHTTP2_INTERNAL_ERROR));
    } else {
      send(stream, forbidden(problem, headers['content-type']));
      stream.close(NGHTTP2_NO_ERROR);
    }
  });
  return server;
}

async function serveStream(
  calls: Calls,
  receiveTimeoutMs: number,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const contentType = headers['content-type'] ?? '';
  const received = await receiveBody(stream, isText(contentType), receiveTimeoutMs);
  if (received === 'gone' || stream.destroyed) return;
  if (received === 'late') {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...TOO_SLOW }, { endStream: true });
    stream.close(NGHTTP2_CANCEL);
    return;
  }
  const request = {
    method: headers[':method'] ?? '',
    path: headers[':path'] ?? '',
    headers: meaningfulHeaders(headers),
    body: stream.endAfterHeaders ? undefined : received.bytes,
  };
  const giveUp = calls.make(request, (answer) => {
    if (stream.destroyed || stream.closed) return;
    send(stream, answer);
    // Nothing more is wanted from a client that has not finished.
    if (!received.isWhole) stream.close(NGHTTP2_NO_ERROR);
  });
  stream.once('close', giveUp);
}

function send(stream: ServerHttp2Stream, answer: HttpAnswer): void {
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

/** Whether a body is base64. */
export function isText(contentType: string): boolean {
  return contentType.toLowerCase().startsWith('application/grpc-web-text');
}

function pairs(list: string[]): Record<string, string> {
  const object: Record<string, string> = {};
  for (let i = 0; i + 1 < list.length; i += 2) object[list[i] as string] = list[i + 1] as string;
  return object;
}
