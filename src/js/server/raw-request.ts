// Raw requests of gRPC and gRPC-Web. The module of messages reads a request, the server answers the
// call in it, and the module of messages writes the answer. A program without such requests never
// loads that module.

import { glue as messages, readGrpc, readGrpcWeb, writeAnswer } from '#messages';

import { kindOf, knownFields, text } from '../base/checks.js';
import { LocketArgumentError } from '../base/errors.js';
import { callsUnderWay } from '../base/in-process.js';
import { moduleReady } from '../base/init.js';
import { orModuleEnds } from '../base/module-end.js';
import { callWasm } from '../base/wasm.js';
import type { Sent } from '../client/call.js';
import type { Answer, Reply } from '../client/carrier.js';
import { answered } from '../client/failure.js';
import { type Question, sentOf } from './question.js';
import type { Observe, ServerCore } from './server-core.js';

/** A request of either protocol. Headers are names and values in turn. */
export interface HttpRequest {
  method: string;
  path: string;
  headers: string[];
  /**
   * Left out if the request ended with its headers; plain gRPC distinguishes that from an empty
   * body.
   */
  body?: Uint8Array | undefined;
}

/** The answer to a request. Headers and trailers are names and values in turn. */
export interface HttpAnswer {
  status: number;
  headers: string[];
  body: Uint8Array & { readonly buffer: ArrayBuffer };
  /** Trailers that HTTP/2 sends after the body; empty for gRPC-Web, which puts them in the body. */
  trailers: string[];
  /** The delay from request to answer, on the server's clock. */
  afterMs: number;
}

const REQUEST_FIELDS = new Set(['method', 'path', 'headers', 'body']);
const NO_BYTES = new Uint8Array();
/** Locket sends answers of any size, which their receivers judge. */
const ANY_SIZE = 2 ** 32 - 1;

/** The call in a request: how to write its answer, and what to ask the server. */
type RawCall = [contentType: string, origin: string | undefined, ...question: Question];

/** Puts a call to a server. */
export type Ask = (question: Question, sent: () => Sent) => Answer;

/**
 * Answers a request to a server. Gives a promise if the module is not loaded yet or the call waits for the database.
 */
export function answerRaw(core: ServerCore, request: HttpRequest, ask: Ask): HttpAnswer | Promise<HttpAnswer> {
  const loading = moduleReady(messages);
  if (loading !== undefined) return loading.then(() => answerRaw(core, request, ask));
  const { method, path: given, headers, body } = request;
  const isPlain = isPlainGrpc(headers);
  const path = isPlain ? given : withoutBasePath(given);
  // Also a request without a call is one to a server that must be open.
  const read = core.call(() =>
    isPlain ? readGrpc(method, path, headers, body) : readGrpcWeb(method, path, headers, body ?? NO_BYTES),
  ) as RawCall | HttpAnswer;
  if (!Array.isArray(read)) return read;
  const [contentType, origin, ...question] = read;
  const write = (reply: Reply | undefined): HttpAnswer => callWasm(() => writeAnswer(contentType, origin, reply) as HttpAnswer);
  const reply = ask(question, () => sentOf(question));
  return reply instanceof Promise ? reply.then(write) : write(reply);
}

/** Puts calls to a process of a server, from no machine. */
export function askDirectly(core: ServerCore, process: number, observe: Observe): Ask {
  return (question, sent) => {
    const requestId = question[8];
    const tell = observe(sent, { requestId });
    const underWay = callsUnderWay().get(requestId);
    const told = (it: unknown): Reply | undefined => {
      const reply = it as Reply | undefined;
      const { afterMs = 0, resource, error } = reply ?? {};
      if (underWay !== undefined) underWay.needsTime = afterMs > 0;
      tell?.(afterMs, resource?.owner, error && answered(error, { requestId }, {}));
      return reply;
    };
    const reply = core.ask(process, ANY_SIZE, question);
    if (underWay !== undefined) underWay.needsTime = reply instanceof Promise;
    return reply instanceof Promise ? orModuleEnds(() => reply, (thrown) => thrown).then(told) : told(reply);
  };
}

/** Strips a base path in front of the service, as a proxy does. The query is kept. */
function withoutBasePath(path: string): string {
  const [, names = '', query = ''] = /^\/?([^?]*)(.*)$/s.exec(path) ?? [];
  return `/${names.split('/').slice(-2).join('/')}${query}`;
}

function isPlainGrpc(headers: string[]): boolean {
  const name = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'content-type');
  return name >= 0 && /^application\/grpc($|[+;])/i.test(headers[name + 1] ?? '');
}

/** Checks a request that a program wrote. */
export function checkRequest(request: unknown): void {
  knownFields('request', request, REQUEST_FIELDS);
  const { method, path, headers, body } = request as Record<string, unknown>;
  text('request.method', method);
  text('request.path', path);
  if (!Array.isArray(headers)) throw new LocketArgumentError('request.headers', `expected names and values in turn, not ${kindOf(headers)}`);
  for (const [index, it] of headers.entries()) text(`request.headers[${index}]`, it);
  // A Uint8Array may come from another realm, as under jest.
  if (body !== undefined && Object.prototype.toString.call(body) !== '[object Uint8Array]') {
    throw new LocketArgumentError('request.body', `expected a Uint8Array, not ${kindOf(body)}`);
  }
}
