// One call on a connection: sends a message, and has the answer in the shape in which `fetch` gives one.

import { type ClientHttp2Session, type ClientHttp2Stream, constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';

import { Code } from '../errors.js';
import { BrokenStream, NotSent } from './not-sent.js';

const { NGHTTP2_CANCEL, NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_INADEQUATE_SECURITY, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

/** A message to send. */
export interface Outgoing {
  headers: OutgoingHttpHeaders;
  body: Uint8Array;
  signal: AbortSignal | undefined;
}

type Chunk = { done: false; value: Uint8Array } | { done: true; value: undefined };

/** Makes a call. `isUnprocessed` says of the id of a stream whether the server has said that it did not look at it. */
export function callOn(session: ClientHttp2Session, outgoing: Outgoing, isUnprocessed: (id: number) => boolean): Incoming {
  const incoming = new Incoming(isUnprocessed);
  incoming.begin(session, outgoing);
  return incoming;
}

/** An answer as it arrives. What src/transport/fetch/ reads of a `Response`, and the trailers. */
export class Incoming {
  readonly protocol = 'gRPC';
  readonly headers = { forEach: (tell: (value: string, name: string) => void) => forEach(this.#head, tell) };
  readonly body = { getReader: (): Pick<Incoming, 'cancel' | 'read'> => this };
  /** Resolves when the headers are there; rejects if the stream ends before. */
  readonly begun: Promise<Incoming>;
  /** Resolves when nothing more will come, whatever the end was. */
  readonly ended: Promise<void>;
  readonly #isUnprocessed: (id: number) => boolean;
  #begin!: (incoming: Incoming) => void;
  #fail!: (error: Error) => void;
  #end!: () => void;
  #stream: ClientHttp2Stream | undefined;
  #head: IncomingHttpHeaders = {};
  #trailers: IncomingHttpHeaders | undefined;
  #chunks: Uint8Array[] = [];
  /** Who waits for the next chunk. */
  #reader: { resolve: (chunk: Chunk) => void; reject: (error: Error) => void } | undefined;
  #hasBegun = false;
  #isWhole = false;
  #isClosed = false;
  #error: Error | undefined;

  constructor(isUnprocessed: (id: number) => boolean) {
    this.#isUnprocessed = isUnprocessed;
    this.begun = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.#fail = reject;
    });
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  get status(): number {
    return Number(this.#head[':status'] ?? 0);
  }

  /** What came after the body; `undefined` if nothing did. */
  get trailers(): Record<string, string> | undefined {
    if (this.#trailers === undefined) return undefined;
    const record: Record<string, string> = {};
    forEach(this.#trailers, (value, name) => (record[name] = value));
    return record;
  }

  begin(session: ClientHttp2Session, { headers, body, signal }: Outgoing): void {
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
    stream.on('data', (chunk: Uint8Array) => this.#take(chunk));
    stream.on('trailers', (trailers) => (this.#trailers = trailers));
    stream.on('end', () => (this.#isWhole = true));
    let error: Error | undefined;
    stream.on('error', (thrown) => (error = thrown));
    const giveUp = (): void => stream.close(NGHTTP2_CANCEL);
    signal?.addEventListener('abort', giveUp);
    stream.once('close', () => {
      signal?.removeEventListener('abort', giveUp);
      this.#close(this.#problem(stream, error));
    });
    stream.end(body);
  }

  /** The next piece of the body. */
  read(): Promise<Chunk> {
    const value = this.#chunks.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (this.#error !== undefined) return Promise.reject(this.#error);
    if (this.#isClosed) return Promise.resolve(DONE);
    return new Promise((resolve, reject) => (this.#reader = { resolve, reject }));
  }

  /** Takes no more. */
  async cancel(): Promise<void> {
    this.#stream?.close(NGHTTP2_CANCEL);
  }

  #take(value: Uint8Array): void {
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader === undefined) this.#chunks.push(value);
    else reader.resolve({ done: false, value });
  }

  #close(error: Error | undefined): void {
    this.#isClosed = true;
    this.#error = error;
    const reader = this.#reader;
    this.#reader = undefined;
    if (error === undefined) reader?.resolve(DONE);
    else reader?.reject(error);
    // Errors are slow to make.
    if (!this.#hasBegun) this.#fail(error ?? new BrokenStream('the stream ended without headers'));
    this.#end();
  }

  /** What is wrong with the end of a stream, if something is. */
  #problem({ rstCode, id }: ClientHttp2Stream, error: Error | undefined): Error | undefined {
    // With its trailers an answer is whole, whatever comes then.
    if (this.#trailers !== undefined || (this.#isWhole && rstCode === NGHTTP2_NO_ERROR && error === undefined)) return undefined;
    const isUnprocessed = rstCode === NGHTTP2_REFUSED_STREAM || id === undefined || this.#isUnprocessed(id);
    if (isUnprocessed) return new NotSent('the server took no more calls on this connection', { cause: error, isOfConnection: true });
    const code = isReset(error) ? CODE_BY_RESET[rstCode] : undefined;
    return new BrokenStream(`the answer broke off${error === undefined ? ` by a reset with code ${rstCode}` : ''}`, code, error);
  }
}

const DONE: Chunk = { done: true, value: undefined };

/** Whether a stream was reset by itself, and not with its connection. */
function isReset(error: Error | undefined): boolean {
  return error === undefined || (error as NodeJS.ErrnoException).code === 'ERR_HTTP2_STREAM_ERROR';
}

/** The codes of gRPC for those with which a server resets a stream; for all others, as for a broken connection, it is Unavailable. */
const CODE_BY_RESET: Record<number, number> = {
  [NGHTTP2_ENHANCE_YOUR_CALM]: Code.ResourceExhausted,
  [NGHTTP2_INADEQUATE_SECURITY]: Code.PermissionDenied,
};

function forEach(headers: IncomingHttpHeaders, tell: (value: string, name: string) => void): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(':')) tell(Array.isArray(value) ? value.join(', ') : String(value), name);
  }
}
