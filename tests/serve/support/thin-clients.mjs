// Clients as thin as Node allows: what is measured with them is the server.

import { Agent, request } from 'node:http';
import { connect } from 'node:http2';

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

import { frame } from './raw.mjs';

const PATH = '/models.Locket/Lock';
const LOCK = 1;
const { LengthDelimited: TEXT, Varint: NUMBER } = WireType;
const tag = (field, type) => (field << 3) | type;

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
  const resource = new BinaryWriter().uint32(tag(1, TEXT)).string(key).uint32(tag(2, TEXT)).string(key).uint32(tag(5, NUMBER)).int32(LOCK);
  return frame(new BinaryWriter().uint32(tag(1, TEXT)).bytes(resource.finish()).uint32(tag(2, NUMBER)).int64(ttlSeconds).finish());
}
