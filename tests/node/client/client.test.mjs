// The client: what it sends, what it brings back, and how it fails.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Code, LocketError } from 'locket-wasm';

import { failureOf, lockOf, start } from '../support/helpers.mjs';

describe('calls', () => {
  test('a type is sent as its message has it, and a row of neither kind is of an unknown one', async () => {
    const { server, client } = start({ profile: 'documented' });
    await client.lock(lockOf('cell-1', 'cell-1', { type: 'presence' }));
    await client.lock(lockOf('cell-2', 'cell-2', { typeCode: 2 }));
    server.putRow({ path: 'odd', owner: 'o', type: 'cell', ttl: 15, modified_id: 'x', modified_index: 1 });
    const presences = await client.fetchAll({ type: 'presence' });
    assert.deepEqual(presences.map(({ key, kind, type, typeCode }) => [key, kind, type, typeCode]).sort(), [['cell-1', 'presence', 'presence', 2], ['cell-2', 'presence', 'presence', 2]]);
    const { kind, type, typeCode } = await client.fetch('odd');
    assert.deepEqual([kind, type, typeCode], ['unknown', 'cell', 0]);
  });

  test('texts of every script come back as they were', async () => {
    const { client } = start();
    const texts = { key: 'ключ\t"/%', owner: '👩‍💻', value: 'e\u0301 — é' };

    await client.lock({ ...lockOf(), ...texts });

    assert.deepEqual(await client.fetch(texts.key), { ...texts, kind: 'lock', type: 'lock', typeCode: 1 });
  });

  test('10,000 calls at once are all answered, and one owner of each key wins', async () => {
    const { server, client } = start();
    const calls = Array.from({ length: 10_000 }, (_, index) => client.lock(lockOf(`key-${index % 2_500}`, `owner-${index}`)));

    const settled = await Promise.allSettled(calls);

    const fulfilled = settled.filter(({ status }) => status === 'fulfilled');
    const reasons = new Set(settled.map(({ reason }) => reason?.reason));
    assert.equal(fulfilled.length, 2_500);
    assert.deepEqual(reasons, new Set([undefined, 'lock-collision']));
    assert.equal(server.table().length, 2_500);
    assert.equal(server.stats().activeLocks, 2_500);
  });

  test('every call carries an id of its own, and the one that it is given', async () => {
    const { client } = start();

    const [first, second] = await Promise.all([failureOf(client.fetch('x')), failureOf(client.fetch('x'))]);
    const given = await failureOf(client.fetch('x', { requestId: 'mine' }));

    assert.notEqual(first.requestId, second.requestId);
    assert.equal(given.requestId, 'mine');
  });
});

describe('refusals', () => {
  const refusals = [
    { what: 'a lock that another holds', call: (c) => c.lock(lockOf('held', 'b')), code: Code.AlreadyExists, reason: 'lock-collision', field: undefined },
    { what: "a release of another's lock", call: (c) => c.release({ key: 'held', owner: 'b' }), code: Code.AlreadyExists, reason: 'lock-collision', field: undefined },
    { what: 'a fetch of what nobody holds', call: (c) => c.fetch('free'), code: Code.NotFound, reason: 'resource-not-found', field: undefined },
    { what: 'a TTL of 0', call: (c) => c.lock(lockOf('k', 'o', { ttl: '0s' })), code: Code.InvalidArgument, reason: 'invalid-ttl', field: 'ttl' },
    { what: 'a negative TTL', call: (c) => c.lock(lockOf('k', 'o', { ttl: '-1s' })), code: Code.InvalidArgument, reason: 'invalid-ttl', field: 'ttl' },
    { what: 'an empty owner', call: (c) => c.lock(lockOf('k', '')), code: Code.InvalidArgument, reason: 'invalid-owner', field: 'owner' },
    { what: 'no type', call: (c) => c.lock(lockOf('k', 'o', { typeCode: 0 })), code: Code.NotFound, reason: 'invalid-type', field: 'kind' },
    { what: 'a type that is neither', call: (c) => c.lock(lockOf('k', 'o', { type: 'cell' })), code: Code.NotFound, reason: 'invalid-type', field: 'kind' },
    { what: 'a list of no type', call: (c) => c.fetchAll({}), code: Code.NotFound, reason: 'invalid-type', field: 'kind' },
    { what: 'a key of 256 characters', call: (c) => c.lock(lockOf('k'.repeat(256), 'o')), code: Code.Unknown, reason: 'sql-bad-request', field: 'key' },
    { what: 'an owner of 256 characters', call: (c) => c.lock(lockOf('k', '🔒'.repeat(256))), code: Code.Unknown, reason: 'sql-bad-request', field: 'owner' },
    { what: 'a value of 4097 characters', call: (c) => c.lock(lockOf('k', 'o', { value: 'v'.repeat(4097) })), code: Code.Unknown, reason: 'sql-bad-request', field: 'value' },
    { what: 'a request over 4 MiB', call: (c) => c.lock(lockOf('k', 'o', { value: 'v'.repeat(5 << 20) })), code: Code.ResourceExhausted, reason: undefined, field: 'value' },
  ];
  for (const { what, call, ...expected } of refusals) {
    test(`${what} is refused: ${expected.reason ?? 'ResourceExhausted'}`, async () => {
      const { server, client } = start();
      await client.lock(lockOf('held', 'a'));
      const before = server.table();

      const error = await failureOf(call(client));

      assert.ok(error instanceof LocketError && error instanceof Error);
      const { code, reason, field, outcome } = error;
      assert.deepEqual({ code, reason, field, outcome }, { ...expected, outcome: 'refused' });
      assert.equal(error.codeName, Object.keys(Code).find((name) => Code[name] === code));
      assert.deepEqual(server.table(), before);
    });
  }

  test('the message tells the reason, the code and what to do', async () => {
    const { message } = await failureOf(start().client.lock(lockOf('k', 'o', { ttl: '0s' })));
    assert.equal(message, 'invalid-ttl (InvalidArgument): pass a ttl greater than 0s [ttl]');
  });
});
