// One call: from the request to the moment at which its answer is to be sent.

import { Code, type LocketServer } from '../node.js';
import type { Clock, HttpAnswer, HttpRequest } from '../types.js';
import type { Share } from './held.js';

/** Calls one process of a server, and has their answers sent when it is time. */
export class Calls {
  readonly #server: LocketServer<Clock>;
  readonly #process: number;

  constructor(server: LocketServer<Clock>, process: number) {
    this.#server = server;
    this.#process = process;
  }

  /**
   * Makes a call, and sends the answer after its delay. Returns a function that abandons the wait;
   * the call still has its effect, as in Locket. An answer for which there is no room is a list: no other is large.
   */
  make(request: HttpRequest, share: Share, send: (answer: HttpAnswer) => void): () => void {
    const { clock } = this.#server;
    const contentType = request.headers[request.headers.indexOf('content-type') + 1];
    let giveUp = (): void => {};
    let isGivenUp = false;
    const arrive = (found: HttpAnswer): void => {
      if (isGivenUp) return;
      const answer = share.take(found.body.length) ? found : { ...refusalOf('full', contentType), afterMs: found.afterMs };
      if (answer.afterMs === 0) return send(answer);
      const timer = clock.setTimeout(() => send(answer), answer.afterMs);
      giveUp = () => clock.clearTimeout(timer);
    };
    const fail = ({ message }: Error): void => {
      arrive(refusalOf('failed', contentType, `the server cannot answer: ${message}`));
    };
    try {
      const answer = this.#server.handle(request, { process: this.#process });
      if (answer instanceof Promise) answer.then(arrive, fail);
      else arrive(answer);
    } catch (error) {
      fail(error as Error);
    }
    return () => {
      isGivenUp = true;
      giveUp();
    };
  }
}

/** The headers that Locket or its protocols read; others are dropped. */
const MEANINGFUL = [
  'accept',
  'access-control-request-method',
  'content-type',
  'grpc-encoding',
  'grpc-timeout',
  'origin',
  'uuid',
];

/** Binary metadata; only its form matters. */
const BINARY = '-bin';

/** Those of them that a request has, names and values in turn. */
export function meaningfulHeaders(headers: Record<string, string | string[] | undefined>): string[] {
  const list: string[] = [];
  for (const name of MEANINGFUL) {
    const value = headers[name];
    if (typeof value === 'string') list.push(name, value);
  }
  for (const name of Object.keys(headers)) {
    if (!name.endsWith(BINARY)) continue;
    // Node has joined those of one name; no single one contains a comma.
    for (const value of String(headers[name]).split(', ')) list.push(name, value);
  }
  return list;
}

/** Why a request is refused that Locket does not see: the status of HTTP and that of gRPC, and the problem if it is always the same. */
const REFUSALS = {
  failed: [500, Code.Internal, ''],
  forbidden: [403, Code.PermissionDenied, ''],
  full: [503, Code.ResourceExhausted, 'this server holds as many requests and unread answers as it may; nothing was done'],
  late: [408, Code.DeadlineExceeded, 'the request took too long to arrive'],
  version: [505, Code.Unimplemented, 'gRPC requires HTTP/2; over HTTP/1.1 this server speaks gRPC-Web'],
} as const;

/** The answer to a request that is refused before Locket sees it: as gRPC to who speaks it, else as HTTP. */
export function refusalOf(why: keyof typeof REFUSALS, contentType = '', problem: string = REFUSALS[why][2]): HttpAnswer {
  const [status, code] = REFUSALS[why];
  if (/^application\/grpc/i.test(contentType)) {
    const headers = ['content-type', contentType, 'grpc-status', String(code), 'grpc-message', problem.replaceAll('%', '%25')];
    return { status: 200, headers, body: new Uint8Array(), trailers: [], afterMs: 0 };
  }
  const body = new TextEncoder().encode(`${problem}\n`);
  return { status, headers: ['content-type', 'text/plain'], body, trailers: [], afterMs: 0 };
}
