// gRPC-Web over HTTP/1.1.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { HttpAnswer } from '../types.js';
import { type Calls, meaningfulHeaders, refusalOf } from './call.js';
import { refusal } from './callers.js';
import type { Share } from './held.js';
import { isText } from './http2.js';
import type { Serves } from './options.js';
import { receiveBody } from './request-body.js';

/** How long a client that was refused may go on sending, so that it gets to read the refusal. */
const DRAIN_MS = 1000;

/** Answers requests. `isClosing` tells connections to end after their answer. */
export function http1Listener(calls: Calls, serves: Serves, isClosing: () => boolean): RequestListener {
  return (request, response) => {
    const exchange = new Exchange(request, response, serves.receiveTimeoutMs);
    const contentType = request.headers['content-type'] ?? '';
    const problem = refusal(request.headers, serves.allowed);
    if (problem !== undefined) return exchange.refuse(refusalOf('forbidden', contentType, problem));
    const share = serves.held.begin();
    if (share === undefined) return exchange.refuse(refusalOf('full', contentType));
    exchange.onceOver(share.end);
    if (/^application\/grpc($|[+;])/i.test(contentType)) exchange.refuse(refusalOf('version'));
    else exchange.serve(calls, share, isClosing).catch(() => response.destroy());
  };
}

/** One request and its response. */
class Exchange {
  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly timeoutMs: number,
  ) {}

  async serve(calls: Calls, share: Share, isClosing: () => boolean): Promise<void> {
    const { request, response } = this;
    const contentType = request.headers['content-type'] ?? '';
    const received = await receiveBody(request, isText(contentType), this.timeoutMs, share);
    if (received === 'gone' || response.destroyed) return;
    if (received === 'late' || received === 'full') return this.refuse(refusalOf(received, contentType));
    const call = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: meaningfulHeaders(request.headers),
      body: received.bytes,
    };
    const giveUp = calls.make(call, share, (answer) => {
      this.#send(answer, isClosing());
      if (!received.isWhole) this.#drain();
    });
    this.onceOver(giveUp);
  }

  refuse(answer: HttpAnswer): void {
    this.#send(answer, true);
    this.#drain();
  }

  /** A response that waits for the one before it on its connection is not told that this closes. */
  onceOver(over: () => void): void {
    const once = (): void => {
      this.response.off('close', once);
      this.request.socket.off('close', once);
      over();
    };
    this.response.once('close', once);
    // One listener for each request that arrives before the first answer, however many there are.
    this.request.socket.setMaxListeners(0);
    this.request.socket.once('close', once);
  }

  #send(answer: HttpAnswer, isLast: boolean): void {
    const headers = [...answer.headers, 'content-length', String(answer.body.length)];
    if (isLast) headers.push('connection', 'close');
    // Who does not take its answer is cut off.
    this.response.setTimeout(this.timeoutMs);
    this.response.writeHead(answer.status, headers);
    this.response.end(answer.body);
  }

  /** Reads on for a moment; who still sends then is cut off. */
  #drain(): void {
    const { request } = this;
    const timer = setTimeout(() => request.destroy(), DRAIN_MS);
    request.once('end', () => clearTimeout(timer));
    request.once('close', () => clearTimeout(timer));
    request.resume();
  }
}
