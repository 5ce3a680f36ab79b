// The ways in which a client's calls reach a Locket, behind one interface, so that one test body holds for all of them.

import { LocketClient, LocketServer } from 'locket-wasm';
import { GrpcChannel, GrpcWebChannel } from 'locket-wasm/grpc';
import { serve } from 'locket-wasm/serve';

import { makeCertificates } from '../../serve/support/certificates.mjs';
import { startGrpcJs } from './grpc-js-server.mjs';

/** gRPC-Web over a `fetch`, for the calls that name no host. */
export const BASE = 'http://locket.test/some/path/';

const { pem, remove } = makeCertificates();
const asServer = { ca: pem.ca, cert: pem.server, key: pem.serverKey };
const asClient = { ca: pem.ca, cert: pem.client, key: pem.clientKey };

/** What has to be closed. */
const opened = [];

/** Closes all servers and connections that were opened since. */
export async function closeCarriers() {
  await Promise.all(opened.splice(0).map((one) => one.close()));
}

/** Deletes the certificates, too. */
export async function endCarriers() {
  await closeCarriers();
  remove();
}

/** Where the servers are that listen. */
const channelOptions = new WeakMap();

async function served(options, tls) {
  const serving = await serve({ port: 0, clock: 'virtual', closeTimeout: '0s', ...options, ...(tls && { tls }) });
  opened.push(serving);
  return [serving.server, serving.url];
}

async function servedByGrpcJs(options, tls) {
  const server = new LocketServer(options);
  const front = await startGrpcJs(server, tls);
  opened.push(front);
  return [server, front.url];
}

const grpc = (open, tls, Channel = GrpcChannel) => ({
  server: async (options) => {
    const [server, url] = await open(options, tls);
    channelOptions.set(server, { url, ...(tls && { tls: asClient }) });
    return server;
  },
  client: (server, options) => {
    const channel = new Channel(channelOptions.get(server));
    opened.push(channel);
    return new LocketClient({ ...channel.clientOptions, ...options });
  },
});

/** By name: `server(options)` opens a Locket, `client(server, options)` is a client of it. */
export const CARRIERS = {
  'gRPC-Web': {
    server: async (options) => new LocketServer(options),
    client: (server, options) => new LocketClient({ baseUrl: BASE, fetch: server.fetch, ...options }),
  },
  'in-process': { server: async (options) => new LocketServer(options), client: (server, options) => server.client(undefined, options) },
  "gRPC-Web over Node's HTTP": grpc(served, undefined, GrpcWebChannel),
  "gRPC-Web over Node's HTTP and mutual TLS": grpc(served, asServer, GrpcWebChannel),
  gRPC: grpc(served),
  'gRPC over mutual TLS': grpc(served, asServer),
  'gRPC to grpc-js': grpc(servedByGrpcJs),
  'gRPC to grpc-js over mutual TLS': grpc(servedByGrpcJs, asServer),
};
