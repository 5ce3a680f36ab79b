// gRPC-Web over HTTP/1.1.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { HttpAnswer } from '../types.js';
import { type Calls, forbidden, meaningfulHeaders, TOO_SLOW } from './call.js';
import { type Allowed, refusal } from './callers.js';
import { isText } from './http2.js';
import { receiveBody } from './request-body.js';

/** How long a client that was refused may go on sending, so that it gets to read the refusal. */
const DRAIN_MS = 1000;

/** Answers requests. `isClosing` tells connections to end after their answer. */
export function http1Listener(calls: Calls, allowed: Allowed, receiveTimeoutMs: number, isClosing: () => boolean): RequestListener {
  return (request, response) => {
    const problem = refusal(request.headers, allowed);
    if (problem !== undefined) {
      send(response, forbidden(problem, request.headers['content-type']), true);
      drain(request);
      return;
    }
    if (/^application\/grpc($|[+;])/i.test(request.headers['content-type'] ?? '')) {
      response.writeHead(505, { 'content-type': 'text/plain' });
      response.end('gRPC requires HTTP/2; over HTTP/1.1 this server speaks gRPC-Web\n');
      return;
    }
    serveRequest(calls, receiveTimeoutMs, request, response, isClosing).catch(() => response.destroy());
  };
}

async function serveRequest(
  calls: Calls,
  receiveTimeoutMs: number,
  request: IncomingMessage,
  response: ServerResponse,
  isClosing: () => boolean,
): Promise<void> {
  const received = await receiveBody(request, isText(request.headers['content-type'] ?? ''), receiveTimeoutMs);
  if (received === 'gone' || response.destroyed) return;
  if (received === 'late') {
    response.writeHead(200, { 'content-type': 'application/grpc-web+proto', connection: 'close', ...TOO_SLOW });
    response.end();
    return;
  }
  const call = {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: meaningfulHeaders(request.headers),
    body: received.bytes,
  };
  const giveUp = calls.make(call, (answer) => {
    send(response, answer, isClosing());
    if (!received.isWhole) drain(request);
  });
  response.once('close', giveUp);
}

function send(response: ServerResponse, answer: HttpAnswer, isLast: boolean): void {
  const headers = [...answer.headers, 'content-length', String(answer.body.length)];
  if (isLast) headers.push('connection', 'close');
  response.writeHead(answer.status, headers);
  response.end(answer.body);
}

/** Reads on for a moment; who still sends then is cut off. */
function drain(request: IncomingMessage): void {
  const timer = setTimeout(() => request.destroy(), DRAIN_MS);
  request.once('end', () => clearTimeout(timer));
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
