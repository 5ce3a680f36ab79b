// Clients as thin as Node allows: what is measured with them is the server.

import { Agent, request } from 'node:http';
import { connect } from 'node:http2';

import { frame } from '../../wire/grpc-web.mjs';
import { encode, methodOf } from '../../wire/locket.mjs';

const PATH = '/models.Locket/Lock';

/** gRPC, with a connection of its own. */
export function overHttp2(url, body) {
  const session = connect(url);
  const headers = { ':method': 'POST', ':path': PATH, 'content-type': 'application/grpc', te: 'trailers' };
  const call = () =>
    new Promise((resolve, reject) => {
      const stream = session.request(headers);
      let status;
      stream.on('trailers', (trailers) => (status = trailers['grpc-status']));
      stream.on('error', reject);
      stream.on('close', () => (status === '0' ? resolve() : reject(new Error(`grpc-status ${status}`))));
      stream.resume();
      stream.end(body);
    });
  return { call, close: () => session.close() };
}

/** gRPC-Web, with a connection of its own. */
export function overHttp1(url, body) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'content-type': 'application/grpc-web+proto', 'content-length': body.length };
  const call = () =>
    new Promise((resolve, reject) => {
      const sent = request(url + PATH, { method: 'POST', agent, headers }, (response) => {
        if (response.headers['grpc-status'] !== undefined) reject(new Error(response.headers['grpc-message']));
        response.on('end', resolve).resume();
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return { call, close: () => agent.destroy() };
}

/** Lock of a key by an owner of the same name. */
export function lockFrame(key, ttlSeconds) {
  return frame(encode(methodOf('Lock').input, { resource: { key, owner: key, type_code: 'LOCK' }, ttl_in_seconds: ttlSeconds }));
}
