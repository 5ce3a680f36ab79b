// The package's own client, behind the interface of the clients that no one here wrote.

import { LocketClient, LocketError } from 'locket-wasm';
import { GrpcChannel } from 'locket-wasm/grpc';

import { WireError } from './clients.mjs';

/** gRPC-Web: LocketClient. It cannot leave the resource out. */
export function locketWasm(url) {
  return wrapped(new LocketClient({ baseUrl: url }), () => {});
}

/** gRPC: LocketClient over a channel of its own. */
export function locketWasmGrpc(url, tls) {
  const channel = new GrpcChannel({ url, ...(tls && { tls }) });
  return wrapped(new LocketClient(channel.clientOptions), () => channel.close());
}

function wrapped(client, close) {
  return {
    lock: (request) => told(client.lock(request)),
    release: (request) => told(client.release(request)),
    fetch: (key, options) => told(client.fetch(key, options)),
    fetchAll: (typeCode) => told(client.fetchAll({ typeCode })),
    close,
  };
}

async function told(call) {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof LocketError)) throw error;
    throw new WireError(error.code, error.rawMessage);
  }
}
