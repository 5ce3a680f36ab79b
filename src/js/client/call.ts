// One call as plain data: its options, and the form that passes through interceptors.

import { LocketArgumentError } from '../base/errors.js';
import { checkFunction, checkSignal, kindOf, kindOfAnswer, knownFields, text, wholeMs } from '../base/checks.js';
import { type Duration, lengthMs } from '../base/duration.js';
import { callback } from '../base/options.js';
import type { FetchAllRequest, LockRequest, ReleaseRequest, Resource } from './resource.js';

/** Headers or trailers: names in lower case, repeated values joined by commas. */
export type Metadata = Record<string, string>;

/** Headers to send, in the forms that `fetch` accepts. */
export type HeadersOption = Record<string, string> | [string, string][] | Headers;

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call and closes its connection. The server may still execute it. */
  signal?: AbortSignal;
  /** How long to wait for the answer. After a timeout, the server may still execute the call. */
  timeout?: Duration;
  /** Sent as the `uuid` header, which Locket writes to its log; generated if left out. */
  requestId?: string;
  /** More headers for the request, for example for a proxy; they override the client's. */
  headers?: HeadersOption;
  /** Called with the answer's headers before the call settles. */
  onHeader?: (headers: Metadata) => void;
  /**
   * Called with the answer's trailers before the call settles; a refusal may carry them as headers.
   */
  onTrailer?: (trailers: Metadata) => void;
}

/** Options that hold for all calls of a client. */
export interface CommonClientOptions {
  /**
   * How long calls wait for their answers, unless a call sets its own limit; by default without a
   * limit.
   */
  timeout?: Duration;
  /** Sent with each request. */
  headers?: HeadersOption;
  /** Wrapped around each call; the first one is outermost. */
  interceptors?: Interceptor[];
  /** The {@link LocketClient.owner | owner} of locks and presences that name none. */
  owner?: string;
}

/** A call on its way through {@link Interceptor | interceptors}. */
export type Call = { [M in keyof Requests]: { method: M; request: Requests[M] } & CallProperties }[keyof Requests];

/** A call as it is sent. */
export type Sent = Pick<Call, 'method' | 'request'>;

/** A request with its owner. */
export type Owned<T> = T & { owner: string };

/** The request of each method. */
export interface Requests {
  lock: Owned<LockRequest>;
  release: Owned<ReleaseRequest>;
  fetch: { key: string };
  fetchAll: FetchAllRequest;
}

/** The properties of a call besides its request. */
export interface CallProperties {
  requestId: string;
  headers: Metadata;
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** A successful call's answer on its way back. */
export interface CallReply {
  /** The result of `fetch`. */
  resource?: Resource | undefined;
  /** The result of `fetchAll`. */
  resources?: Resource[] | undefined;
  headers: Metadata;
  trailers: Metadata;
}

/**
 * Wraps every call of a client: it may inspect the call, change it, answer it itself, or repeat it.
 * It does not run for calls whose arguments are invalid. Each `next` has the call's full timeout.
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

/** Options after checking; `undefined` for options that were left out. */
export interface Defaults {
  timeoutMs: number | undefined;
  headers: Metadata | undefined;
}

const CALL_OPTIONS = new Set(['signal', 'timeout', 'requestId', 'headers', 'onHeader', 'onTrailer']);

/** Headers that the protocol sets itself. */
const RESERVED = /^(?:uuid|content-type|content-length|accept|te|x-grpc-web|grpc-.*)$/;

/** Checks options of a call. */
export function checkCallOptions(options: CallOptions): void {
  knownFields('options', options, CALL_OPTIONS);
  checkSignal(options.signal);
  callback('onHeader', options.onHeader);
  callback('onTrailer', options.onTrailer);
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

/**
 * An interceptor around `next`. Its answers are checked, so that an error in it names the
 * interceptor.
 */
export function checkedInterceptor(field: string, wrap: Interceptor, next: ReturnType<Interceptor>): ReturnType<Interceptor> {
  checkFunction(field, wrap);
  const intercepted: unknown = wrap(next);
  if (typeof intercepted !== 'function') {
    throw new LocketArgumentError(field, `expected it to return a function of the call, not ${kindOfAnswer(intercepted)}`);
  }
  return async (call) => {
    const reply: unknown = await intercepted(call);
    const missing = missingIn(reply, call.method);
    if (missing === undefined) return reply as CallReply;
    const problem = `it answered ${call.method} with ${missing}; return the result of next(call). The call may have been made`;
    throw new LocketArgumentError(field, problem);
  };
}

function missingIn(reply: unknown, method: keyof Requests): string | undefined {
  if (typeof reply !== 'object' || reply === null) return kindOfAnswer(reply);
  const { resource, resources, headers, trailers } = reply as CallReply;
  const given = { headers, trailers, ...(method === 'fetch' && { resource }), ...(method === 'fetchAll' && { resources }) };
  const names = Object.entries(given).filter(([, value]) => typeof value !== 'object' || value === null).map(([name]) => name);
  return names.length === 0 ? undefined : `no ${names.join(', ')}`;
}

/** Checks the call that an interceptor passes on. */
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
    throw new LocketArgumentError(`headers.${reserved}`, `this package sets this header; ${instead}`);
  }
  return record;
}
