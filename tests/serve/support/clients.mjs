// Clients of Locket that no one here wrote, behind one interface, so that one test body holds for all of them.
//
// Each has lock, release, fetch and fetchAll, whose promises are rejected with a WireError, and close. The messages come
// from proto/locket.proto.

import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import * as grpc from '@grpc/grpc-js';
import { GrpcStatusCode, GrpcWebFetchTransport } from '@protobuf-ts/grpcweb-transport';
import { RpcError } from '@protobuf-ts/runtime-rpc';
import grpcWebPackage from 'grpc-web';
import { durationMs } from 'locket-wasm';
// Google's grpc-web knows no fetch, and Node no XMLHttpRequest; this one is Node's own http below.
import XMLHttpRequest from 'xhr2';

import { definition, Locket } from '../../wire/locket.mjs';

export const LOCK = 1;
export const PRESENCE = 2;

/** A gRPC status, whoever reports it. */
export class WireError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** gRPC over HTTP/2: @grpc/grpc-js. */
export function grpcJs(url, credentials = grpc.credentials.createInsecure(), options = {}) {
  const { Locket: Client } = grpc.loadPackageDefinition(definition).models;
  // A connection of its own for each client.
  const client = new Client(new URL(url).host, credentials, { 'grpc.use_local_subchannel_pool': 1, ...options });
  const call = (method, request, { timeout } = {}) => {
    const deadline = timeout === undefined ? {} : { deadline: Date.now() + durationMs(timeout) };
    return new Promise((resolve, reject) => {
      client[method](request, deadline, (error, answer) => {
        if (error === null) resolve(answer);
        else reject(new WireError(error.code, error.details));
      });
    });
  };
  return { ...wrapped(call, Number), close: () => client.close() };
}

/** gRPC-Web: connect-web. */
export function connectWeb(url, transportOptions = {}) {
  const client = createClient(Locket, createGrpcWebTransport({ baseUrl: url, ...transportOptions }));
  return wrapped(async (method, request, { timeout } = {}) => {
    const options = timeout === undefined ? {} : { timeoutMs: durationMs(timeout) };
    try {
      return await client[method](request, options);
    } catch (error) {
      const { code, rawMessage } = ConnectError.from(error);
      throw new WireError(code, rawMessage);
    }
  });
}

/** gRPC-Web: protobuf-ts. */
export function protobufTs(url) {
  const transport = new GrpcWebFetchTransport({ baseUrl: url, format: 'binary' });
  return wrapped(async (method, request, { timeout } = {}) => {
    const { name, write, read } = messagesOf(method);
    const info = { name, service: Locket, I: { toBinary: write }, O: { fromBinary: read } };
    const options = timeout === undefined ? {} : { timeout: durationMs(timeout) };
    try {
      return await transport.unary(info, request, transport.mergeOptions(options)).response;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw new WireError(GrpcStatusCode[error.code], error.message);
    }
  });
}

/** gRPC-Web: Google's grpc-web. */
export function grpcWeb(url) {
  globalThis.XMLHttpRequest ??= XMLHttpRequest;
  const { GrpcWebClientBase, MethodDescriptor, MethodType } = grpcWebPackage;
  const client = new GrpcWebClientBase({ format: 'binary' });
  return wrapped(async (method, request, { timeout } = {}) => {
    const { name, write, read } = messagesOf(method);
    const path = `${url}/models.Locket/${name}`;
    const metadata = timeout === undefined ? {} : { deadline: String(Date.now() + durationMs(timeout)) };
    try {
      return await client.unaryCall(path, request, metadata, new MethodDescriptor(path, MethodType.UNARY, Object, Object, write, read));
    } catch (error) {
      throw new WireError(error.code, error.message);
    }
  });
}

/** For clients that leave it to others to write and read messages. */
function messagesOf(method) {
  const { name, input, output } = Locket.methods.find(({ localName }) => localName === method);
  return { name, write: (request) => toBinary(input, create(input, request)), read: (bytes) => fromBinary(output, bytes) };
}

function wrapped(call, toInt64 = BigInt) {
  return {
    lock: ({ ttl, ...resource }, options) => call('lock', { resource, ttlInSeconds: toInt64(secondsOf(ttl)) }, options),
    lockNothing: () => call('lock', {}),
    release: (resource) => call('release', { resource }),
    fetch: async (key, options) => (await call('fetch', { key }, options)).resource,
    fetchAll: async (typeCode) => (await call('fetchAll', { typeCode })).resources,
    close: () => {},
  };
}

/** The seconds of a TTL such as `15s`, which may be negative. */
function secondsOf(ttl) {
  return Number(/^(-?\d+)s$/.exec(ttl)[1]);
}
