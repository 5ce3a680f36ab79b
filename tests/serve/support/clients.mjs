// Clients of Locket that no one here wrote, behind one interface, so that one test body holds for all of them.
//
// Each has lock, release, fetch and fetchAll, whose promises are rejected with a WireError, and close. The messages come
// from proto/locket.proto.

import { fileURLToPath } from 'node:url';

import { create, createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import * as grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { GrpcStatusCode, GrpcWebFetchTransport } from '@protobuf-ts/grpcweb-transport';
import { MessageType, ScalarType } from '@protobuf-ts/runtime';
import { RpcError, ServiceType } from '@protobuf-ts/runtime-rpc';
import grpcWebPackage from 'grpc-web';
import { durationMs } from 'locket-wasm';
// Google's grpc-web knows no fetch, and Node no XMLHttpRequest; this one is Node's own http below.
import XMLHttpRequest from 'xhr2';

export const LOCK = 1;
export const PRESENCE = 2;

/** A gRPC status, whoever reports it. */
export class WireError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const definition = loadSync(fileURLToPath(new URL('../../../proto/locket.proto', import.meta.url)), {
  defaults: true,
  longs: Number,
});

/** gRPC over HTTP/2: @grpc/grpc-js. */
export function grpcJs(url, credentials = grpc.credentials.createInsecure(), options = {}) {
  const { Locket } = grpc.loadPackageDefinition(definition).models;
  // A connection of its own for each client.
  const client = new Locket(new URL(url).host, credentials, { 'grpc.use_local_subchannel_pool': 1, ...options });
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
  const transport = createGrpcWebTransport({ baseUrl: url, ...transportOptions });
  const client = createClient(describedService(), transport);
  const call = async (method, request, { timeout } = {}) => {
    const options = timeout === undefined ? {} : { timeoutMs: durationMs(timeout) };
    try {
      return await client[method](request, options);
    } catch (error) {
      const { code, rawMessage } = ConnectError.from(error);
      throw new WireError(code, rawMessage);
    }
  };
  return { ...wrapped(call, BigInt), close: () => {} };
}

/** The service as connect wants it described; proto-loader leaves names relative and the syntax out. */
function describedService() {
  const [descriptor] = definition['models.LockRequest'].fileDescriptorProtos;
  const file = fromBinary(FileDescriptorProtoSchema, descriptor);
  file.syntax = 'proto3';
  const absolute = (name) => (name === '' || name.startsWith('.') ? name : `.${file.package}.${name}`);
  for (const field of file.messageType.flatMap((message) => message.field)) field.typeName = absolute(field.typeName);
  for (const method of file.service.flatMap((service) => service.method)) {
    method.inputType = absolute(method.inputType);
    method.outputType = absolute(method.outputType);
  }
  return createFileRegistry(create(FileDescriptorSetSchema, { file: [file] })).getService('models.Locket');
}

/** gRPC-Web: protobuf-ts. */
export function protobufTs(url) {
  const transport = new GrpcWebFetchTransport({ baseUrl: url, format: 'binary' });
  const call = async (method, request, { timeout } = {}) => {
    const info = methodOf(method);
    const options = timeout === undefined ? {} : { timeout: durationMs(timeout) };
    try {
      return await transport.unary(info, info.I.create(request), transport.mergeOptions(options)).response;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw new WireError(GrpcStatusCode[error.code], error.message);
    }
  };
  return { ...wrapped(call, BigInt), close: () => {} };
}

/** gRPC-Web: Google's grpc-web. protobuf-ts writes and reads the messages. */
export function grpcWeb(url) {
  globalThis.XMLHttpRequest ??= XMLHttpRequest;
  const { GrpcWebClientBase, MethodDescriptor, MethodType } = grpcWebPackage;
  const client = new GrpcWebClientBase({ format: 'binary' });
  const call = async (method, request, { timeout } = {}) => {
    const { I, O, name } = methodOf(method);
    const path = `${url}/models.Locket/${name}`;
    const read = (bytes) => O.fromBinary(bytes);
    const descriptor = new MethodDescriptor(path, MethodType.UNARY, Object, Object, (it) => I.toBinary(it), read);
    const metadata = timeout === undefined ? {} : { deadline: String(Date.now() + durationMs(timeout)) };
    try {
      return await client.unaryCall(path, I.create(request), metadata, descriptor);
    } catch (error) {
      throw new WireError(error.code, error.message);
    }
  };
  return { ...wrapped(call, BigInt), close: () => {} };
}

const methodOf = (method) => SERVICE.methods.find(({ localName }) => localName === method);

function wrapped(call, toInt64) {
  return {
    lock: ({ ttl, ...resource }, options) => call('lock', { resource, ttlInSeconds: toInt64(secondsOf(ttl)) }, options),
    lockNothing: () => call('lock', {}),
    release: (resource) => call('release', { resource }),
    fetch: async (key, options) => (await call('fetch', { key }, options)).resource,
    fetchAll: async (typeCode) => (await call('fetchAll', { typeCode })).resources,
  };
}

/** The seconds of a TTL such as `15s`, which may be negative. */
function secondsOf(ttl) {
  return Number(/^(-?\d+)s$/.exec(ttl)[1]);
}

// What protobuf-ts would generate, as far as it matters.
const text = (no, name) => ({ no, name, kind: 'scalar', T: ScalarType.STRING });
const int32 = (no, name) => ({ no, name, kind: 'scalar', T: ScalarType.INT32 });
const message = (no, name, T, repeat) => ({ no, name, kind: 'message', T: () => T, ...(repeat && { repeat: 2 }) });
const Resource = new MessageType('models.Resource', [
  text(1, 'key'),
  text(2, 'owner'),
  text(3, 'value'),
  text(4, 'type'),
  int32(5, 'type_code'),
]);
const ttl = { no: 2, name: 'ttl_in_seconds', kind: 'scalar', T: ScalarType.INT64, L: 0 };
const LockRequest = new MessageType('models.LockRequest', [message(1, 'resource', Resource), ttl]);
const ReleaseRequest = new MessageType('models.ReleaseRequest', [message(1, 'resource', Resource)]);
const FetchRequest = new MessageType('models.FetchRequest', [text(1, 'key')]);
const FetchAllRequest = new MessageType('models.FetchAllRequest', [text(1, 'type'), int32(2, 'type_code')]);
const SERVICE = new ServiceType('models.Locket', [
  { name: 'Lock', options: {}, I: LockRequest, O: new MessageType('models.LockResponse', []) },
  { name: 'Release', options: {}, I: ReleaseRequest, O: new MessageType('models.ReleaseResponse', []) },
  {
    name: 'Fetch',
    options: {},
    I: FetchRequest,
    O: new MessageType('models.FetchResponse', [message(1, 'resource', Resource)]),
  },
  {
    name: 'FetchAll',
    options: {},
    I: FetchAllRequest,
    O: new MessageType('models.FetchAllResponse', [message(1, 'resources', Resource, true)]),
  },
]);
