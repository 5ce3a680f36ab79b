// The peer of the in-process client: Connect's in-memory transport over the same service, with the least that a handler
// can be, a map of owners by key. It keeps no time and knows none of Locket's rules but the collision.

import { Code, ConnectError, createClient, createRouterTransport } from '@connectrpc/connect';

import { Locket } from '../wire/locket.mjs';

/** A client of a handler in this process. */
export function connectClient() {
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
