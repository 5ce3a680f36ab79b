// Many calls at once: none is lost, none gets another's answer, and nothing is left behind.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { serve } from 'locket-wasm/serve';

import { connectWeb, grpcJs, LOCK } from './support/clients.mjs';

const CALLS = 10_000;
const CONNECTIONS = 50;

describe(`${CALLS} calls over ${CONNECTIONS} connections`, () => {
  let serving;
  before(async () => (serving = await serve({ port: 0, profile: 'upstream' })));
  after(() => serving?.close());

  for (const [name, makeClient] of [
    ['grpc-js', grpcJs],
    ['connect-web', connectWeb],
  ]) {
    it(`${name}: none is lost, none mixed up`, async () => {
      const { started, failed } = countersOf(serving.server);
      const clients = Array.from({ length: CONNECTIONS }, () => makeClient(serving.url));
      await Promise.all(clients.map((client, index) => callInTurn(client, `${name}-${index}`)));
      for (const client of clients) client.close();
      const counters = countersOf(serving.server);
      assert.deepEqual([counters.started - started, counters.failed - failed], [CALLS, 0]);
    });
  }

  it('grpc-js: all at once on one connection, more than its streams', async () => {
    const client = grpcJs(serving.url);
    await client.lock({ key: 'k', owner: 'o', typeCode: LOCK, ttl: '60s' });
    const answers = await Promise.all(Array.from({ length: 3000 }, () => client.fetch('k')));
    assert.ok(answers.every(({ owner }) => owner === 'o'));
    client.close();
  });
});

/** Half of the calls take the lock of this client, half read it back. */
async function callInTurn(client, key) {
  for (let call = 0; call < CALLS / CONNECTIONS / 2; call += 1) {
    const value = `${key} ${call}`;
    await client.lock({ key, owner: key, value, typeCode: LOCK, ttl: '60s' });
    assert.equal((await client.fetch(key)).value, value);
  }
}

function countersOf(server) {
  const { lock, fetch } = server.stats().requests;
  return { started: lock.started + fetch.started, failed: lock.failed + fetch.failed };
}
