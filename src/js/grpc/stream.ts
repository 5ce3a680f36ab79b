// One call on a connection: sends a message, and returns an answer like that of `fetch`.

import { type ClientHttp2Session, type ClientHttp2Stream, constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';

import { Code } from '../base/errors.js';
import { Chunks } from './chunks.js';
import { BrokenStream, NotSent } from './not-sent.js';
import { inTurn } from './turns.js';

const { NGHTTP2_CANCEL, NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_INADEQUATE_SECURITY, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

/** A message to send. */
export interface Outgoing {
  headers: OutgoingHttpHeaders;
  body: Uint8Array;
  signal: AbortSignal | undefined;
}

/** The connection of a call. */
export interface Watcher {
  /** True if the server reported that it did not process the stream with this id. */
  isUnprocessed: (id: number) => boolean;
  /** Called once, at the end of a call. */
  onEnd: () => void;
}

/** Makes a call. */
export function callOn(session: ClientHttp2Session, outgoing: Outgoing, watcher: Watcher): Incoming {
  const incoming = new Incoming(watcher);
  incoming.begin(session, outgoing);
  return incoming;
}

/** An answer as it arrives: the part of a `Response` that src/transport/fetch/ reads, and the trailers. */
export class Incoming {
  readonly protocol = 'gRPC';
  /** Resolves when the headers are there; rejects if the stream ends before. */
  readonly begun: Promise<Incoming>;
  readonly #isUnprocessed: (id: number) => boolean;
  #begin!: (incoming: Incoming) => void;
  #fail!: (error: Error) => void;
  readonly #onEnd: () => void;
  #stream: ClientHttp2Stream | undefined;
  #head: IncomingHttpHeaders = {};
  #trailers: IncomingHttpHeaders | undefined;
  readonly #chunks = new Chunks(() => this.#stream?.close(NGHTTP2_CANCEL));
  #hasBegun = false;

  constructor({ isUnprocessed, onEnd }: Watcher) {
    this.#isUnprocessed = isUnprocessed;
    this.#onEnd = onEnd;
    this.begun = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.#fail = reject;
    });
  }

  get headers(): { forEach: (callback: (value: string, name: string) => void) => void } {
    return { forEach: (callback) => forEach(this.#head, callback) };
  }

  get body(): { getReader: () => Chunks } {
    return { getReader: () => this.#chunks };
  }

  get status(): number {
    return Number(this.#head[':status'] ?? 0);
  }

  /** The trailers after the body; `undefined` if there were none. */
  get trailers(): Record<string, string> | undefined {
    if (this.#trailers === undefined) return undefined;
    const record: Record<string, string> = {};
    forEach(this.#trailers, (value, name) => (record[name] = value));
    return record;
  }

  begin(session: ClientHttp2Session, { headers, body, signal }: Outgoing): void {
    if (signal?.aborted) {
      this.#close(new NotSent('the call was aborted before it was sent', { cause: signal.reason }));
      return;
    }
    let stream: ClientHttp2Stream;
    try {
      stream = session.request(headers);
    } catch (error) {
      this.#close(new NotSent('the connection has just ended', { cause: error, isOfConnection: true }));
      return;
    }
    this.#stream = stream;
    stream.on('response', (head) => {
      this.#head = head;
      this.#hasBegun = true;
      this.#begin(this);
    });
    stream.on('data', (chunk: Uint8Array) => this.#chunks.push(chunk));
    stream.on('trailers', (trailers) => (this.#trailers = trailers));
    let error: Error | undefined;
    stream.on('error', (thrown) => (error = thrown));
    const giveUp = (): void => stream.close(NGHTTP2_CANCEL);
    signal?.addEventListener('abort', giveUp);
    stream.once('close', () => {
      signal?.removeEventListener('abort', giveUp);
      const problem = this.#problem(stream, error);
      inTurn(() => this.#close(problem));
    });
    stream.end(body);
  }

  #close(error: Error | undefined): void {
    this.#chunks.end(error);
    // Errors are slow to make.
    if (!this.#hasBegun) this.#fail(error ?? new BrokenStream('the stream ended without headers'));
    this.#onEnd();
  }

  /** The error of a stream's end, if there is one. */
  #problem({ rstCode, id, readableEnded }: ClientHttp2Stream, error: Error | undefined): Error | undefined {
    // With its trailers an answer is whole, whatever comes then.
    if (this.#trailers !== undefined || (readableEnded && rstCode === NGHTTP2_NO_ERROR && error === undefined)) return undefined;
    const isUnprocessed = rstCode === NGHTTP2_REFUSED_STREAM || id === undefined || this.#isUnprocessed(id);
    if (isUnprocessed) return new NotSent('the server took no more calls on this connection', { cause: error, isOfConnection: true });
    const code = isReset(error) ? CODE_BY_RESET[rstCode] : undefined;
    return new BrokenStream(`the answer broke off${error === undefined ? ` by a reset with code ${rstCode}` : ''}`, code, error);
  }
}

/** True if a stream was reset by itself, and not with its connection. */
function isReset(error: Error | undefined): boolean {
  return error === undefined || (error as NodeJS.ErrnoException).code === 'ERR_HTTP2_STREAM_ERROR';
}

/** The codes of gRPC for those with which a server resets a stream; for all others, as for a broken connection, it is Unavailable. */
const CODE_BY_RESET: Record<number, number> = {
  [NGHTTP2_ENHANCE_YOUR_CALM]: Code.ResourceExhausted,
  [NGHTTP2_INADEQUATE_SECURITY]: Code.PermissionDenied,
};

function forEach(headers: IncomingHttpHeaders, callback: (value: string, name: string) => void): void {
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined && name[0] !== ':') callback(Array.isArray(value) ? value.join(', ') : String(value), name);
  }
}
