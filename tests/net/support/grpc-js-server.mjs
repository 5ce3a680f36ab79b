// A gRPC server that nobody here wrote, @grpc/grpc-js, in front of a LocketServer: it reads and frames the messages itself.

import * as grpc from '@grpc/grpc-js';

import { frame } from './frames.mjs';

const METHODS = ['Lock', 'Release', 'Fetch', 'FetchAll'];

/** Starts one on loopback; with `tls` (`{ca, cert, key}`) it asks clients for certificates. Gives `{url, close}`. */
export async function startGrpcJs(locket, tls) {
  const server = new grpc.Server();
  server.addService(Object.fromEntries(METHODS.map(definition)), Object.fromEntries(METHODS.map((name) => [name, handler(locket, name)])));
  const credentials = tls === undefined
    ? grpc.ServerCredentials.createInsecure()
    : grpc.ServerCredentials.createSsl(tls.ca, [{ cert_chain: tls.cert, private_key: tls.key }], true);
  const port = await new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error === null ? resolve(bound) : reject(error)));
  });
  return { url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, close: async () => server.forceShutdown() };
}

const pathOf = (name) => `/models.Locket/${name}`;
const bytes = (message) => message;

function definition(name) {
  const coding = { requestDeserialize: bytes, requestSerialize: bytes, responseDeserialize: bytes, responseSerialize: bytes };
  return [name, { path: pathOf(name), requestStream: false, responseStream: false, ...coding }];
}

function handler(locket, name) {
  return (call, answer) => {
    const [uuid] = call.metadata.get('uuid');
    const headers = ['content-type', 'application/grpc', ...(uuid === undefined ? [] : ['uuid', uuid])];
    const reply = locket.handle({ method: 'POST', path: pathOf(name), headers, body: frame(0, call.request) });
    const send = () => {
      const status = pairs([...reply.headers, ...reply.trailers]);
      const code = Number(status['grpc-status']);
      if (code === 0) answer(null, Buffer.from(reply.body.subarray(5)));
      else answer({ code, details: decodeURIComponent(status['grpc-message'] ?? '') });
    };
    if (reply.afterMs === 0) send();
    else locket.clock.setTimeout(send, reply.afterMs);
  };
}

const pairs = (list) => Object.fromEntries(list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1]]] : [])));
