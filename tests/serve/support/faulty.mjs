// A Locket with a fault, as a gRPC server on a port: what `conform` has to find.

import { fileURLToPath } from 'node:url';

import * as grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { LocketServer } from 'locket-wasm';

const PROTO = fileURLToPath(new URL('../../../proto/locket.proto', import.meta.url));
const { Locket } = grpc.loadPackageDefinition(loadSync(PROTO, { defaults: true, longs: Number })).models;

/**
 * Starts one on real time. `fault` gets the right methods (`lock`, `release`, `fetch`, `fetchAll`, of a client) and the server,
 * and gives those that are wrong. Gives `{address, server, close}`.
 */
export async function startFaulty(fault = () => ({})) {
  const locket = new LocketServer({ profile: 'upstream', clock: 'ambient' });
  const client = locket.client();
  const right = {
    lock: (request) => client.lock(request),
    release: (request) => client.release(request),
    fetch: (key) => client.fetch(key),
    fetchAll: (request) => client.fetchAll(request),
  };
  const methods = { ...right, ...fault(right, locket) };
  const server = new grpc.Server();
  server.addService(Locket.service, {
    lock: handler(({ resource, ttlInSeconds }) => methods.lock({ ...resource, ttl: `${ttlInSeconds}s` })),
    release: handler(({ resource: { key, owner } }) => methods.release({ key, owner })),
    fetch: handler(async ({ key }) => ({ resource: await methods.fetch(key) })),
    fetchAll: handler(async (request) => ({ resources: await methods.fetchAll(request) })),
  });
  const port = await new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) => (error === null ? resolve(bound) : reject(error)));
  });
  const close = async () => {
    server.forceShutdown();
    locket.close();
  };
  return { address: `127.0.0.1:${port}`, server: locket, close };
}

function handler(call) {
  return ({ request }, answer) => {
    Promise.resolve(call(request)).then(
      (reply) => answer(null, reply ?? {}),
      ({ code = 2, rawMessage, message }) => answer({ code, details: rawMessage ?? message }),
    );
  };
}
