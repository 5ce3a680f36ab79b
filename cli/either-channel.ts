// Calls to a URL that names Locket or a gRPC-Web proxy in front of it: the first call finds out the protocol.
//
// Locket's port speaks gRPC over HTTP/2 only. A proxy may speak HTTP/2, too, and pass gRPC on to Locket, or not know it. So a
// Fetch over gRPC is tried first, which changes nothing; an endpoint that does not answer it by gRPC's rules gets gRPC-Web.

import { GrpcChannel, GrpcWebChannel } from 'locket-wasm/grpc';

/** The options that both kinds of channels have. */
type Options = ConstructorParameters<typeof GrpcWebChannel>[0];
type Fetch = GrpcChannel['clientOptions']['fetch'];

/** A channel of the kind that the endpoint needs. */
export class EitherChannel {
  readonly clientOptions: GrpcChannel['clientOptions'];
  readonly #grpc: GrpcChannel;
  readonly #web: GrpcWebChannel;
  #chosen: GrpcChannel | GrpcWebChannel | undefined;

  constructor(options: Options) {
    this.#web = new GrpcWebChannel(options);
    this.#grpc = new GrpcChannel({ ...options, url: withPort(this.#web.clientOptions.baseUrl) });
    this.clientOptions = {
      baseUrl: this.#web.clientOptions.baseUrl,
      fetch: async (url, init) => {
        this.#chosen ??= (await speaksGrpc(this.#grpc, init)) ? this.#grpc : this.#web;
        return this.#chosen.clientOptions.fetch(url, init);
      },
    };
  }

  /** The protocol; `undefined` before the first call that reached the endpoint. */
  get protocol(): 'grpc' | 'grpc-web' | undefined {
    return this.#chosen && (this.#chosen === this.#grpc ? 'grpc' : 'grpc-web');
  }

  async close(): Promise<void> {
    await Promise.all([this.#grpc.close(), this.#web.close()]);
  }
}

/** The port of the URL's scheme, which gRPC does not assume. */
function withPort(given: string): string {
  const { hostname, port } = new URL(given);
  return `https://${hostname}:${port || 443}`;
}

/** The frame of a request without a key. */
const FETCH = new Uint8Array(5);

/** True if an endpoint answers a Fetch over gRPC; rejects if there is no connection. */
async function speaksGrpc({ clientOptions: { baseUrl, fetch } }: GrpcChannel, { headers, signal }: RequestInit): Promise<boolean> {
  try {
    const init = { method: 'POST', headers, body: FETCH, ...(signal && { signal }) };
    return isGrpc(await fetch(`${baseUrl}/models.Locket/Fetch`, init as Parameters<Fetch>[1]));
  } catch (error) {
    const { notSent } = error as { notSent?: boolean };
    // A stream that broke is one of HTTP/2, but not of gRPC.
    if (signal?.aborted || (notSent === true && !hasNoHttp2(error))) throw error;
    return false;
  }
}

function isGrpc({ headers, body }: Response): boolean {
  body?.getReader().cancel().catch(() => {});
  let contentType = '';
  headers.forEach((value, name) => (contentType = name === 'content-type' ? value : contentType));
  return /^application\/grpc($|[+;])/i.test(contentType);
}

/** True if the reason of an error is a server without HTTP/2; a host with several addresses has several reasons. */
function hasNoHttp2(error: unknown): boolean {
  const { code, cause, errors = [] } = (error ?? {}) as { code?: string; cause?: unknown; errors?: unknown[] };
  return code === 'ERR_NO_HTTP2' || errors.some(hasNoHttp2) || (cause !== undefined && hasNoHttp2(cause));
}
