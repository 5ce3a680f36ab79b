// Locket's wire contract, proto/locket.proto, read by other libraries than those that the package is built with. Knows protobuf,
// no transport.

import { fileURLToPath } from 'node:url';

import { create, createFileRegistry, fromBinary, fromJson, toBinary, toJson } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { loadSync } from '@grpc/proto-loader';

const PROTO = fileURLToPath(new URL('../../proto/locket.proto', import.meta.url));

/** The contract as @grpc/grpc-js takes it. */
export const definition = loadSync(PROTO, { defaults: true, longs: Number });

/** The service, for clients that take a descriptor. */
export const Locket = createFileRegistry(create(FileDescriptorSetSchema, { file: [describedFile()] })).getService('models.Locket');

/** The file as descriptors want it; proto-loader leaves names relative and the syntax out. */
function describedFile() {
  const [descriptor] = loadSync(PROTO, { keepCase: true })['models.LockRequest'].fileDescriptorProtos;
  const file = fromBinary(FileDescriptorProtoSchema, descriptor);
  file.syntax = 'proto3';
  const absolute = (name) => (name === '' || name.startsWith('.') ? name : `.${file.package}.${name}`);
  for (const field of file.messageType.flatMap((message) => message.field)) field.typeName = absolute(field.typeName);
  for (const method of file.service.flatMap((service) => service.method)) {
    method.inputType = absolute(method.inputType);
    method.outputType = absolute(method.outputType);
  }
  return file;
}

/** The method of that name, or `undefined`. */
export function methodOf(name) {
  return Locket.methods.find((method) => method.name === name);
}

/** The bytes of a message given with the contract's field names; numbers may be bigints, `null` is not set. */
export function encode(schema, fields) {
  const json = JSON.parse(JSON.stringify(fields, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
  return toBinary(schema, fromJson(schema, json));
}

/** A message's fields with the contract's names, the default ones too; a message that is not set is left out. */
export function decode(schema, bytes) {
  return toJson(schema, fromBinary(schema, bytes), { alwaysEmitImplicit: true, enumAsInteger: true, useProtoFieldName: true });
}
