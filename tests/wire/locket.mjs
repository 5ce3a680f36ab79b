// Locket's wire contract, proto/locket.proto, as a descriptor made by hand: independent of the Rust side, which tests
// compare with it. Knows protobuf, no transport.

import { create, createFileRegistry, fromBinary, fromJson, toBinary, toJson } from '@bufbuild/protobuf';
import { FieldDescriptorProto_Label as Label, FieldDescriptorProto_Type as Type, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

const RESOURCE = { type: Type.MESSAGE, typeName: '.models.Resource' };
const TYPE_CODE = { type: Type.ENUM, typeName: '.models.TypeCode' };
const TEXT = { type: Type.STRING };
const INT64 = { type: Type.INT64 };

const registry = createFileRegistry(
  create(FileDescriptorSetSchema, {
    file: [
      {
        name: 'locket.proto',
        package: 'models',
        syntax: 'proto3',
        enumType: [
          {
            name: 'TypeCode',
            value: ['UNKNOWN', 'LOCK', 'PRESENCE'].map((name, number) => ({ name, number })),
          },
        ],
        messageType: [
          message('Resource', { key: TEXT, owner: TEXT, value: TEXT, type: TEXT, type_code: TYPE_CODE }),
          message('LockRequest', { resource: RESOURCE, ttl_in_seconds: INT64 }),
          message('LockResponse', {}),
          message('ReleaseRequest', { resource: RESOURCE }),
          message('ReleaseResponse', {}),
          message('FetchRequest', { key: TEXT }),
          message('FetchResponse', { resource: RESOURCE }),
          message('FetchAllRequest', { type: TEXT, type_code: TYPE_CODE }),
          message('FetchAllResponse', { resources: { ...RESOURCE, label: Label.REPEATED } }),
        ],
        service: [
          {
            name: 'Locket',
            method: ['Lock', 'Fetch', 'Release', 'FetchAll'].map((name) => ({
              name,
              inputType: `.models.${name}Request`,
              outputType: `.models.${name}Response`,
            })),
          },
        ],
      },
    ],
  }),
);

/** The service, for clients that take a descriptor. */
export const Locket = registry.getService('models.Locket');

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

function message(name, fields) {
  const field = Object.entries(fields).map(([fieldName, type], index) => ({
    name: fieldName,
    number: index + 1,
    label: Label.OPTIONAL,
    ...type,
  }));
  return { name, field };
}
