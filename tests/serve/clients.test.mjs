// Clients in clear text against `serve`: gRPC over HTTP/2 and gRPC-Web over HTTP/1.1 on one port.

import { after } from 'node:test';

import { serve } from 'locket-wasm/serve';

import { connectWeb, grpcJs, grpcWeb, protobufTs } from './support/clients.mjs';
import { everyClient } from './support/every-client.mjs';
import { locketWasm, locketWasmGrpc } from './support/locket-wasm.mjs';

for (const [name, makeClient, options] of [
  ['grpc-js', grpcJs],
  ['connect-web', connectWeb],
  ['protobuf-ts', protobufTs],
  ['grpc-web', grpcWeb],
  ['LocketClient', locketWasm, { cannot: 'no resource' }],
  ['LocketClient over gRPC', locketWasmGrpc, { cannot: 'no resource' }],
]) {
  let serving;
  after(() => serving?.close());
  everyClient(name, async () => {
    serving = await serve({ port: 0, clock: 'virtual', profile: 'upstream', closeTimeout: '1s' });
    return { client: makeClient(serving.url), server: serving.server };
  }, options);
}
