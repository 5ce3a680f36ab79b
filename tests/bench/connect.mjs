// The peer of the in-process client: Connect's in-memory transport over the same service, with the least that a handler
// can be, a map of owners by key. It keeps no time and knows none of Locket's rules but the collision.

import { create, createFileRegistry } from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient, createRouterTransport } from '@connectrpc/connect';

const field = (name, number, type, typeName, label = Label.OPTIONAL) => ({ name, number, type, typeName, label });
const method = (name) => ({ name, inputType: `.models.${name}Request`, outputType: `.models.${name}Response` });

/** proto/locket.proto. */
const FILE = create(FileDescriptorProtoSchema, {
  name: 'locket.proto',
  package: 'models',
  syntax: 'proto3',
  enumType: [{ name: 'TypeCode', value: ['UNKNOWN', 'LOCK', 'PRESENCE'].map((name, number) => ({ name, number })) }],
  messageType: [
    {
      name: 'Resource',
      field: [
        field('key', 1, Type.STRING),
        field('owner', 2, Type.STRING),
        field('value', 3, Type.STRING),
        field('type', 4, Type.STRING),
        field('type_code', 5, Type.ENUM, '.models.TypeCode'),
      ],
    },
    {
      name: 'LockRequest',
      field: [field('resource', 1, Type.MESSAGE, '.models.Resource'), field('ttl_in_seconds', 2, Type.INT64)],
    },
    { name: 'LockResponse' },
    { name: 'ReleaseRequest', field: [field('resource', 1, Type.MESSAGE, '.models.Resource')] },
    { name: 'ReleaseResponse' },
    { name: 'FetchRequest', field: [field('key', 1, Type.STRING)] },
    { name: 'FetchResponse', field: [field('resource', 1, Type.MESSAGE, '.models.Resource')] },
    {
      name: 'FetchAllRequest',
      field: [field('type', 1, Type.STRING), field('type_code', 2, Type.ENUM, '.models.TypeCode')],
    },
    {
      name: 'FetchAllResponse',
      field: [field('resources', 1, Type.MESSAGE, '.models.Resource', Label.REPEATED)],
    },
  ],
  service: [{ name: 'Locket', method: ['Lock', 'Fetch', 'Release', 'FetchAll'].map(method) }],
});

/** The service as Connect wants it described. */
export function locketService() {
  return createFileRegistry(FILE, () => undefined).getService('models.Locket');
}

/** A client of a handler in this process. */
export function connectClient() {
  const Locket = locketService();
  const ownerByKey = new Map();
  const transport = createRouterTransport(({ service }) => {
    service(Locket, {
      lock({ resource: { key, owner } }) {
        const holder = ownerByKey.get(key);
        if (holder !== undefined && holder !== owner) throw new ConnectError('lock-collision', Code.AlreadyExists);
        ownerByKey.set(key, owner);
        return {};
      },
    });
  });
  return createClient(Locket, transport);
}
