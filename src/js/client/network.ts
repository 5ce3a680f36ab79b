// The carrier of calls to a real Locket behind a gRPC-Web proxy.
//
// The generated client in the module of messages makes them over the `fetch` of
// src/transport/fetch/, which handles timeouts and the network.

import { requestId } from '#glue';
import { glue as messages, send } from '#messages';

import { type Clock, isClock } from '../base/clock-timer.js';
import { LocketArgumentError } from '../base/errors.js';
import { callBegins, CLOCK } from '../base/in-process.js';
import { moduleReady } from '../base/init.js';
import { orModuleEnds } from '../base/module-end.js';
import { checkChoice, kindOf, text } from '../base/checks.js';
import { callback, messageBytes } from '../base/options.js';
import { withoutTrailingSlashes } from '../base/text.js';
import { callWasm } from '../base/wasm.js';
import type { CommonClientOptions } from './call.js';
import type { CarriedCall, Carrier, Reply, Surroundings, WireRequest } from './carrier.js';
import { moduleFailed } from './failure.js';
import { clientClock, type RunnerClock } from './runner/clock.js';

/** Options of a {@link LocketClient}. */
export interface LocketClientOptions extends CommonClientOptions {
  /**
   * The URL of the gRPC-Web proxy in front of Locket, with a path if it has one. In a page it may
   * be relative.
   */
  baseUrl: string;
  /**
   * Used instead of the global `fetch`, for example a {@link LocketServer.fetch | server's}. If it
   * repeats requests, it should throw the error of the first request that may have been sent. A
   * refused connection says that a request was not sent, and so does an error whose `notSent` is
   * `true`. For an aborted call, `notSent` of the signal's reason says the same.
   */
  fetch?: (input: string, init: RequestInit) => Promise<Response>;
  /** Whether to send cookies and client certificates, as in `fetch`; `same-origin` by default. */
  credentials?: 'include' | 'omit' | 'same-origin';
  /**
   * The longest message of an answer, in bytes; 4 MiB by default, as in gRPC's clients. The client
   * refuses a longer one with `ResourceExhausted`. Only answers to `fetchAll` become that long: for
   * example 1,000 locks with values of 4,096 bytes.
   */
  maxMessageBytes?: number;
  /**
   * The timers of deadlines, runners and watches: the `real` ones, which fake timers of tests do not
   * change; the `ambient` ones, which are the global timers at each use; or those of a clock, such as
   * {@link LocketServer.clock}. By default it is the clock of the server whose `fetch` the client has,
   * and else `real`.
   */
  clock?: 'real' | 'ambient' | Clock;
}

/** The argument of src/transport/fetch/exchange.js. */
interface Exchange extends Pick<CarriedCall, 'headers' | 'signal' | 'timeoutMs'> {
  fetch: LocketClientOptions['fetch'] | undefined;
  credentials: LocketClientOptions['credentials'];
  clock: RunnerClock;
  maxMessageBytes: number | undefined;
  answer: Surroundings | undefined;
}

const CREDENTIALS = ['omit', 'same-origin', 'include'];
/** Characters that a header can carry in every runtime. */
const HEADER_TEXT = /^[\x20-\x7e]*$/;

/** Calls one base URL. */
export class NetworkCarrier implements Carrier {
  readonly runnerClock: RunnerClock;
  readonly #baseUrl: string;
  readonly #options: Pick<Exchange, 'fetch' | 'credentials' | 'maxMessageBytes'>;
  readonly #clock: 'real' | 'ambient' | Clock;
  readonly #name: string | undefined;

  constructor(options: LocketClientOptions) {
    const { fetch, credentials, maxMessageBytes, owner } = options;
    this.#baseUrl = checkBaseUrl(options.baseUrl);
    callback('fetch', fetch);
    checkChoice('credentials', credentials, CREDENTIALS);
    this.#options = { fetch, credentials, maxMessageBytes: messageBytes('maxMessageBytes', maxMessageBytes) };
    this.#clock = checkClock(options.clock ?? (fetch as { [CLOCK]?: Clock } | undefined)?.[CLOCK] ?? 'real');
    this.#name = owner;
    this.runnerClock = clientClock(this.#clock, owner);
  }

  get to(): string {
    return this.#baseUrl;
  }

  nextRequestId(): string {
    return requestId();
  }

  async send(request: WireRequest, call: CarriedCall): Promise<Reply | undefined> {
    const { method, key, owner, value, type, typeCode, ttlSeconds } = request;
    const { requestId: id, headers, signal, timeoutMs } = call;
    if (!HEADER_TEXT.test(id)) {
      throw new LocketArgumentError('requestId', 'expected printable ASCII characters; it is sent as a header');
    }
    const { fetch, credentials, maxMessageBytes } = this.#options;
    // Members are copied by name: that takes a quarter of the time of an object spread.
    const exchange: Exchange = { fetch, credentials, clock: this.runnerClock, maxMessageBytes, headers, signal, timeoutMs, answer: undefined };
    const failed = (thrown: unknown): unknown => moduleFailed(thrown, id);
    const end = callBegins(id, { name: this.#name, clock: this.#clock, keeper: call.isKept ? signal : undefined });
    try {
      const loading = moduleReady(messages);
      if (loading) await loading;
      const reply = (await orModuleEnds(() => callWasm(() => send(this.#baseUrl, method, key, owner, value, type, typeCode, ttlSeconds, id, timeoutMs, exchange)), failed, messages)) as Reply | undefined;
      call.surroundings = exchange.answer;
      return reply;
    } finally {
      end();
    }
  }
}

function checkClock(clock: unknown): 'real' | 'ambient' | Clock {
  if (clock === 'real' || clock === 'ambient' || isClock(clock)) return clock;
  throw new LocketArgumentError('clock', `expected 'real', 'ambient' or a server's clock, not ${kindOf(clock)}`);
}

function checkBaseUrl(baseUrl: unknown): string {
  const given = text('baseUrl', baseUrl);
  const page: string | undefined = (globalThis.location as Location | undefined)?.href;
  let url: URL;
  try {
    url = new URL(given, page);
  } catch {
    throw new LocketArgumentError('baseUrl', `expected a URL such as 'https://locket.example.org', not '${given}'`);
  }
  const { protocol, username, password, search, hash, origin, pathname } = url;
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new LocketArgumentError('baseUrl', `expected an http: or https: URL, not '${given}'`);
  }
  if (username !== '' || password !== '') {
    throw new LocketArgumentError('baseUrl', 'expected a URL without user and password; send them as headers');
  }
  if (search !== '' || hash !== '') throw new LocketArgumentError('baseUrl', 'expected a URL without query and fragment');
  return `${origin}${withoutTrailingSlashes(pathname)}`;
}
