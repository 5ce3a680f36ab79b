// A client's `fetch` request as gRPC sends it. The frame of the message is the same as in gRPC-Web.

import type { OutgoingHttpHeaders } from 'node:http2';

import { kindOf } from '../base/checks.js';
import { LocketArgumentError } from '../base/errors.js';
import type { Outgoing } from './stream.js';

/** The part of `fetch`'s second argument that a client gives. */
export interface RequestOptions {
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | null;
}

/** Those of gRPC-Web, and those that HTTP/2 does not have. */
const LEFT_OUT = new Set([
  ...['accept', 'content-length', 'content-type', 'user-agent', 'x-grpc-web', 'x-user-agent'],
  ...['connection', 'host', 'http2-settings', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'],
]);

/** A request for the path of `url`, to `authority`. */
export function outgoingOf(url: string, { headers = {}, body, signal }: RequestOptions, authority: string): Outgoing {
  const sent: OutgoingHttpHeaders = {
    ':method': 'POST',
    ':authority': authority,
    ':path': pathOf(url),
    'content-type': 'application/grpc+proto',
    te: 'trailers',
    'user-agent': 'locket-wasm',
  };
  for (const [name, value] of Object.entries(headers)) {
    if (!LEFT_OUT.has(name.toLowerCase())) sent[name] = value;
  }
  return { headers: sent, body: bodyOf(body), signal: signal ?? undefined };
}

/** The message and its frame. */
export function bodyOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  throw new LocketArgumentError('body', `expected the bytes of a message, not ${kindOf(body)}`);
}

/** A client has checked its address, and what it appends needs no escapes. */
export function pathOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2));
}
