// What holds for every client of every protocol: the four calls, and each error as the real Locket gives it.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { LOCK, PRESENCE, WireError } from './clients.mjs';

/**
 * Holds a client to it. `connect` gives the client, on a server of the `upstream` profile with a virtual clock, and that
 * server: `{ client, server }`. `deadlineCodes` are more where somebody between them keeps the deadline too, and may be the
 * first; `cannot` names the refusal that the client's types rule out.
 */
export function everyClient(name, connect, { deadlineCodes = [4], cannot } = {}) {
  describe(name, () => {
    let client, server;
    before(async () => {
      ({ client, server } = await connect());
      // Others may have been here before.
      server.clock.advance('1h');
    });
    after(() => client?.close());

    it('takes, reads, lists and gives up a lock', async () => {
      await client.lock({ key: 'one', owner: 'a', value: 'ü 🔒', typeCode: LOCK, ttl: '15s' });
      const expected = { key: 'one', owner: 'a', value: 'ü 🔒', type: 'lock', typeCode: LOCK };
      assert.deepEqual(plain(await client.fetch('one')), expected);
      assert.deepEqual((await client.fetchAll(LOCK)).map(plain), [expected]);
      assert.deepEqual(await client.fetchAll(PRESENCE), []);
      await client.release({ key: 'one', owner: 'a' });
      assert.deepEqual(await client.fetchAll(LOCK), []);
    });

    it('takes a presence, which ends with its time', async () => {
      await client.lock({ key: 'cell', owner: 'cell', typeCode: PRESENCE, ttl: '15s' });
      server.clock.advance('14s');
      assert.equal((await client.fetch('cell')).type, 'presence');
      server.clock.advance('1s');
      await refused(client.fetch('cell'), 5, 'resource-not-found');
    });

    for (const [refusal, code, message, call] of ERRORS) {
      if (refusal === cannot) continue;
      it(`gets the error of ${refusal}`, () => refused(call(client), code, message));
    }

    it('gets an error when its deadline passes', async () => {
      server.setLatency('10s');
      try {
        let isSettled = false;
        const late = client.fetch('late', { timeout: '150ms' }).finally(() => (isSettled = true));
        late.catch(() => {});
        // Not every client looks at its own clock; then it is the server that tells it.
        while (!isSettled) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          server.clock.advance('20ms');
        }
        await assert.rejects(late, ({ code }) => deadlineCodes.includes(code));
      } finally {
        server.setLatency('0s');
        server.clock.advance('10s');
      }
    });

    it('gets an error when Locket is down, and is served when it is up again', async () => {
      server.stop();
      await assert.rejects(client.fetch('one'), ({ code }) => code === 14);
      server.start();
      await refused(client.fetch('one'), 5, 'resource-not-found');
    });
  });
}

const lock = (fields) => (client) => client.lock({ key: 'k', owner: 'o', typeCode: LOCK, ttl: '15s', ...fields });
const held = (then) => async (client) => {
  await client.lock({ key: 'held', owner: 'holder', typeCode: LOCK, ttl: '15s' });
  await then(client);
};

const ERRORS = [
  ['another owner that holds the lock', 6, 'lock-collision', held(lock({ key: 'held', owner: 'rival' }))],
  ['another owner on release', 6, 'lock-collision', held((client) => client.release({ key: 'held', owner: 'rival' }))],
  ['a TTL of zero', 3, 'invalid-ttl', lock({ ttl: '0s' })],
  ['a negative TTL', 3, 'invalid-ttl', lock({ ttl: '-1s' })],
  ['an empty owner', 3, 'invalid-owner', lock({ owner: '' })],
  ['no type', 5, 'invalid-type', lock({ typeCode: 0 })],
  ['no type in FetchAll', 5, 'invalid-type', (client) => client.fetchAll(0)],
  ['a key without an owner', 5, 'resource-not-found', (client) => client.fetch('nobody')],
  ['a key that is too long', 2, 'sql-bad-request', lock({ key: 'k'.repeat(256) })],
  ['no resource', 13, 'a request without a resource crashes the real Locket process; set the resource', (client) => client.lockNothing()],
  ['a NUL byte', 2, 'sql-unknown, error code: 22021, flavor: postgres', lock({ key: 'a\0b' })],
  [
    'a message of 5 MiB',
    8,
    'grpc: received message larger than max (5242900 vs. 4194304)',
    lock({ value: 'v'.repeat(5 * 1024 * 1024) }),
  ],
];

async function refused(promise, code, message) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof WireError, error.stack);
    assert.deepEqual([error.code, error.message], [code, message]);
    return true;
  });
}

/** Without what a client adds to its messages. */
function plain({ key, owner, value, type, typeCode }) {
  return { key, owner, value, type, typeCode: typeCode === 'LOCK' ? LOCK : typeCode };
}
