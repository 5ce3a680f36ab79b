// The package's own client, behind the interface of the clients that no one here wrote.

import { LocketClient, LocketError } from 'locket-wasm';

import { WireError } from './clients.mjs';

/** gRPC-Web: LocketClient. It cannot leave the resource out. */
export function locketWasm(url) {
  const client = new LocketClient({ baseUrl: url });
  return {
    lock: (request) => told(client.lock(request)),
    release: (request) => told(client.release(request)),
    fetch: (key, options) => told(client.fetch(key, options)),
    fetchAll: (typeCode) => told(client.fetchAll({ typeCode })),
    close: () => {},
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
