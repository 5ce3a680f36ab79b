// One call as plain data: what may be said about it, and what passes through interceptors.

import { LocketArgumentError } from '../base/errors.js';
import { checkFunction, checkSignal, kindOf, knownFields, text, wholeMs } from '../base/checks.js';
import { type Duration, lengthMs } from '../base/duration.js';
import type { FetchAllRequest, LockRequest, ReleaseRequest, Resource } from './resource.js';

/** Headers or trailers: names in lower case, repeated ones joined by commas. */
export type Metadata = Record<string, string>;

/** Headers to send, in the ways that `fetch` takes them. */
export type HeadersOption = Record<string, string> | [string, string][] | Headers;

/** Options of one call. */
export interface CallOptions {
  /** Gives the call up, and closes its connection. What was asked may be done all the same. */
  signal?: AbortSignal;
  /** How long to wait for the answer. What was asked may be done all the same when it has passed. */
  timeout?: Duration;
  /** Sent as the `uuid` header, which Locket writes to its log; made up if left out. */
  requestId?: string;
  /** More headers for the request, such as what a proxy wants to see; they go before the client's. */
  headers?: HeadersOption;
  /** Called with the answer's headers before the call settles. */
  onHeader?: (headers: Metadata) => void;
  /** Called with the answer's trailers before the call settles; for a refusal these may be among the headers. */
  onTrailer?: (trailers: Metadata) => void;
}

/** Options that hold for all calls of a client. */
export interface CommonClientOptions {
  /** How long calls wait for their answers, unless they say it themselves; by default without end. */
  timeout?: Duration;
  /** Sent with each request. */
  headers?: HeadersOption;
  /** Wrapped around each call, the first one outermost. */
  interceptors?: Interceptor[];
}

/** A call on its way through {@link Interceptor | interceptors}. */
export type Call = { [M in keyof Requests]: { method: M; request: Requests[M] } & CallProperties }[keyof Requests];

/** What each call is asked with. */
export interface Requests {
  lock: LockRequest;
  release: ReleaseRequest;
  fetch: { key: string };
  fetchAll: FetchAllRequest;
}

/** What a call has besides its request. */
export interface CallProperties {
  requestId: string;
  headers: Metadata;
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** A successful call's answer on its way back. */
export interface CallReply {
  /** What `fetch` asked for. */
  resource?: Resource | undefined;
  /** What `fetchAll` asked for. */
  resources?: Resource[] | undefined;
  headers: Metadata;
  trailers: Metadata;
}

/**
 * Stands around every call of a client: may look at it, change it, answer it itself, or make it again. It is not called
 * for arguments that cannot be sent. The deadline is that of each `next`.
 *
 * @example
 * ```ts
 * const logged: Interceptor = (next) => async (call) => {
 *   console.log(call.method, call.request, call.requestId);
 *   return next({ ...call, headers: { ...call.headers, authorization: await token() } });
 * };
 * ```
 */
export type Interceptor = (next: (call: Call) => Promise<CallReply>) => (call: Call) => Promise<CallReply>;

/** Options after checking; `undefined` where a client has none. */
export interface Defaults {
  timeoutMs: number | undefined;
  headers: Metadata | undefined;
}

const CALL_OPTIONS = new Set(['signal', 'timeout', 'requestId', 'headers', 'onHeader', 'onTrailer']);

/** What the protocol says itself. */
const RESERVED = /^(?:uuid|content-type|content-length|accept|te|x-grpc-web|grpc-.*)$/;

/** Checks options of a call. */
export function checkCallOptions(options: CallOptions): void {
  knownFields('options', options, CALL_OPTIONS);
  checkSignal(options.signal);
  checkFunction('onHeader', options.onHeader);
  checkFunction('onTrailer', options.onTrailer);
}

/** Checks options that all clients have. */
export function checkDefaults(options: CommonClientOptions): Defaults {
  const { timeout, headers, interceptors } = options;
  if (interceptors !== undefined && !Array.isArray(interceptors)) {
    throw new LocketArgumentError('interceptors', `expected an array, not ${kindOf(interceptors)}`);
  }
  return {
    timeoutMs: timeout === undefined ? undefined : lengthMs('timeout', timeout),
    headers: headers === undefined ? undefined : checkHeaders(headers),
  };
}

/** An interceptor around `next`, whose answers are checked, so that a mistake in it is told as its own. */
export function checkedInterceptor(field: string, wrap: Interceptor, next: ReturnType<Interceptor>): ReturnType<Interceptor> {
  if (typeof wrap !== 'function') throw new LocketArgumentError(field, `expected a function, not ${kindOf(wrap)}`);
  const intercepted: unknown = wrap(next);
  if (typeof intercepted !== 'function') {
    throw new LocketArgumentError(field, `expected to get a function of the call from it, not ${kindOf(intercepted)}`);
  }
  return async (call) => {
    const reply: unknown = await intercepted(call);
    const missing = missingIn(reply, call.method);
    if (missing === undefined) return reply as CallReply;
    const problem = `it answered ${call.method} with ${missing}; return what next(call) gives. The call may have been made`;
    throw new LocketArgumentError(field, problem);
  };
}

function missingIn(reply: unknown, method: keyof Requests): string | undefined {
  if (typeof reply !== 'object' || reply === null) return kindOf(reply);
  const { resource, resources, headers, trailers } = reply as CallReply;
  const given = { headers, trailers, ...(method === 'fetch' && { resource }), ...(method === 'fetchAll' && { resources }) };
  const names = Object.entries(given).filter(([, value]) => typeof value !== 'object' || value === null).map(([name]) => name);
  return names.length === 0 ? undefined : `no ${names.join(', ')}`;
}

/** Checks what an interceptor handed on. */
export function checkProperties(call: CallProperties): CallProperties {
  const { requestId, headers, timeoutMs, signal } = call;
  checkSignal(signal);
  return {
    requestId: text('requestId', requestId),
    headers: checkHeaders(headers),
    timeoutMs: timeoutMs === undefined ? undefined : wholeMs('timeoutMs', timeoutMs),
    signal,
  };
}

/** Headers as a record. */
export function checkHeaders(headers: HeadersOption): Metadata {
  let record: Metadata;
  try {
    record = Object.fromEntries(new Headers(headers));
  } catch (error) {
    throw new LocketArgumentError('headers', error instanceof Error ? error.message : String(error));
  }
  const reserved = Object.keys(record).find((name) => RESERVED.test(name));
  if (reserved !== undefined) {
    const instead = reserved === 'uuid' ? 'use requestId' : reserved === 'grpc-timeout' ? 'use timeout' : 'leave it out';
    throw new LocketArgumentError(`headers.${reserved}`, `it is this package's to set; ${instead}`);
  }
  return record;
}

/** Something that hears events, or none. */
export function checkListener(field: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) checkFunction(field, value);
}
