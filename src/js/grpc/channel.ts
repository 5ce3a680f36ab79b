// Calls to Locket itself: gRPC over HTTP/2, on one connection at a time. A broken one is replaced.
//
// This is what grpc-go does for Locket's own clients: the first address that accepts is used until
// its connection breaks; after a round without a connection, the next round waits, though not as long.

import { setTimeout as sleep } from 'node:timers/promises';

import { Code } from '../base/errors.js';
import { orAborted } from './aborted.js';
import { addressesOf, authorityOf } from './addresses.js';
import { Backoff } from './backoff.js';
import { connect } from './connect.js';
import { Connection } from './connection.js';
import { NotSent } from './not-sent.js';
import { type Endpoint, type GrpcChannelOptions, type Settings, settingsOf } from './options.js';
import { outgoingOf, type RequestOptions } from './outgoing.js';
import { RefusedCertificate } from './refusal.js';
import type { Incoming } from './stream.js';

/**
 * A connection to a real Locket with gRPC over HTTP/2, in clear text or with TLS and a client
 * certificate. It connects at the first call, and reconnects when needed. A program can end without
 * closing it.
 *
 * @example
 * ```ts
 * const channel = new GrpcChannel({ url: 'https://locket.service.cf.internal:8891', tls: { ca, cert, key } });
 * const client = new LocketClient({ ...channel.clientOptions, timeout: '5s' });
 * ```
 */
export class GrpcChannel implements AsyncDisposable {
  /** The options that make a client use this channel. */
  readonly clientOptions: { baseUrl: string; fetch: (url: string, init: RequestInit) => Promise<Response> };
  readonly #settings: Settings;
  readonly #authority: string;
  readonly #backoff: Backoff;
  readonly #abandon = new AbortController();
  #connection: Connection | undefined;
  #connecting: Promise<Connection> | undefined;

  constructor(options: GrpcChannelOptions) {
    this.#settings = settingsOf(options);
    const [first] = this.#settings.endpoints as [Endpoint];
    this.#authority = authorityOf(first);
    this.#backoff = new Backoff(this.#settings.maxBackoffMs);
    this.clientOptions = {
      baseUrl: `${first.isSecure ? 'https' : 'http'}://${this.#authority}`,
      // An answer has the members of a response that a client reads.
      fetch: (url, init) => this.#call(url, init as RequestOptions) as Promise<unknown> as Promise<Response>,
    };
  }

  /** Refuses new calls, and ends when the calls in flight have ended. */
  async close(): Promise<void> {
    this.#abandon.abort();
    await this.#connecting?.catch(() => {});
    await this.#connection?.close();
  }

  /** {@link GrpcChannel.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #call(url: string, init: RequestOptions): Promise<Incoming> {
    const outgoing = outgoingOf(url, init, this.#authority);
    const { signal } = outgoing;
    try {
      const connection = this.#connection?.isOpen ? this.#connection : await this.#ready(signal);
      return await connection.call(outgoing).begun;
    } catch (error) {
      // Only a call that the server did not process, because it was closing the connection, is sent again.
      if (!(error instanceof NotSent) || !error.isOfConnection || signal?.aborted) throw error;
    }
    return (await this.#ready(signal)).call(outgoing).begun;
  }

  async #ready(signal: AbortSignal | undefined): Promise<Connection> {
    for (;;) {
      this.#checkOpen();
      if (this.#connection?.isOpen) return this.#connection;
      const { wait } = this.#backoff;
      if (wait === undefined) {
        this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined));
        const connected = orAborted(this.#connecting, signal);
        if (!this.#settings.waitForReady) return connected;
        await connected.catch((error: unknown) => this.#mayWait(error, signal));
      } else if (this.#settings.waitForReady) {
        const ends = AbortSignal.any([this.#abandon.signal, ...(signal ? [signal] : [])]);
        // An abandoned wait would keep the program alive.
        await orAborted(sleep(wait.ms, undefined, { signal: ends }).catch(() => {}), signal);
      } else {
        throw wait.error;
      }
    }
  }

  /** The next attempt may succeed, unless a certificate was refused. */
  #mayWait(error: unknown, signal: AbortSignal | undefined): void {
    const isRefused = error instanceof NotSent && error.grpcCode === Code.Unauthenticated;
    if (isRefused || signal?.aborted || this.#abandon.signal.aborted) throw error;
  }

  async #connect(): Promise<Connection> {
    const { addresses, errors } = await addressesOf(this.#settings.endpoints);
    for (const address of addresses) {
      this.#checkOpen();
      try {
        return this.#use(new Connection(await connect(address, this.#settings, this.#abandon.signal), this.#settings));
      } catch (error) {
        errors.push(error as Error);
      }
    }
    const error = noConnection(this.#settings.endpoints, errors);
    this.#backoff.failed(error);
    throw error;
  }

  #use(connection: Connection): Connection {
    this.#connection = connection;
    this.#backoff.succeeded();
    return connection;
  }

  #checkOpen(): void {
    if (this.#abandon.signal.aborted) throw new NotSent('the channel is closed');
  }
}

function noConnection(endpoints: readonly Endpoint[], errors: readonly Error[]): NotSent {
  const places = endpoints.map(authorityOf).join(', ');
  // A certificate counts as refused only if every server refuses it.
  const isRefused = errors.length > 0 && errors.every((error) => error instanceof RefusedCertificate);
  const cause = errors.length === 1 || isRefused ? errors[0] : new AggregateError(errors);
  return new NotSent(`no connection to ${places}`, { cause });
}
