// What clients of a server see whose database stalls, is down, or loses answers or its table. The rules of it are tested in
// sim/tests/locket/database_faults.rs.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Code } from 'locket-wasm';

import { assertRefused, failureOf, isSettled, lockOf, start } from '../support/helpers.mjs';

describe('a database that stalls', () => {
  test('answers at the end, and does then what was asked', async () => {
    const { server, client, clock } = start();
    server.stallDatabase('5s');
    const locked = client.lock(lockOf('bbs', 'bbs-0'));
    await clock.advanceAsync('4999ms');
    assert.deepEqual([await isSettled(locked), server.table().length], [false, 0]);
    await clock.advanceAsync('1ms');
    assert.deepEqual([await isSettled(locked), server.table()[0].owner], [true, 'bbs-0']);
  });

  test('is not waited for beyond the signal or the timeout of a call', async () => {
    const { server, client, clock } = start();
    server.stallDatabase('5s');
    const controller = new AbortController();
    const [aborted, late] = [{ signal: controller.signal }, { timeout: '2s' }].map((options) => failureOf(client.lock(lockOf('bbs', 'bbs-0'), options)));
    controller.abort();
    await clock.advanceAsync('2s');
    assert.deepEqual([(await aborted).code, (await aborted).outcome, (await late).code], [Code.Canceled, 'unknown', Code.DeadlineExceeded]);
  });

  test('leaves no caller waiting when the server is closed', async () => {
    const { server, client } = start();
    server.stallDatabase('5s');
    const calls = [client.lock(lockOf('bbs', 'o')), client.fetch('bbs'), client.fetchAll({ kind: 'lock' }), client.release({ key: 'bbs', owner: 'o' })];
    server.close();
    for (const call of calls) await assertRefused(call, { code: Code.Canceled, rawMessage: 'the server was closed' });
  });

  test('answers a fetch of the web and a raw request in its time, too', async () => {
    const { server, clock } = start();
    server.stallDatabase('5s');
    const post = { method: 'POST', headers: { 'content-type': 'application/grpc-web+proto' }, body: new Uint8Array(5) };
    const fetched = server.fetch('http://locket.test/models.Locket/Fetch', post);
    const handled = Promise.resolve(server.handle({ method: 'POST', path: '/models.Locket/Fetch', headers: ['content-type', 'application/grpc'], body: new Uint8Array(5) }));
    assert.deepEqual([await isSettled(fetched), await isSettled(handled)], [false, false]);
    await clock.advanceAsync('5s');
    assert.equal((await fetched).headers.get('grpc-message'), 'resource-not-found');
    assert.ok((await handled).headers.includes('resource-not-found'));
  });
});

test('a database that is down has calls and operators refused, and is there again with its rows', async () => {
  const { server, client } = start();
  await client.lock(lockOf('bbs', 'bbs-0'));
  assert.deepEqual([server.stopDatabase(), server.stopDatabase()], [true, false]);
  assert.match((await failureOf(client.fetch('bbs'))).rawMessage, /^failed to connect to .*connection refused$/);
  const message = /the database is stopped; call startDatabase\(\) first/;
  assert.throws(() => server.putRow({ path: 'other' }), { field: 'row', message });
  assert.throws(() => server.updateRows({ owner: 'other' }), { field: 'columns', message });
  assert.deepEqual([server.deleteRow('bbs'), server.dropTable()], [false, false]);
  assert.deepEqual([server.startDatabase(), server.startDatabase()], [true, false]);
  assert.equal((await client.fetch('bbs')).owner, 'bbs-0');
});

test('an answer that is lost is one of a call that was done', async () => {
  const { server, client, clock } = start();
  server.loseReplies();
  const locked = failureOf(client.lock(lockOf('bbs', 'bbs-0')));
  await clock.advanceAsync('10s');
  assert.equal((await locked).code, Code.DeadlineExceeded);
  assert.equal((await client.fetch('bbs')).owner, 'bbs-0');
});

test('a table that is dropped ends the process that notices, and a start makes it anew', async () => {
  const { server, client } = start();
  server.dropTable();
  await assertRefused(client.fetch('bbs'), { reason: 'sql-unrecoverable' });
  await assertRefused(client.fetch('bbs'), { code: Code.Unavailable });
  server.start();
  await client.lock(lockOf('bbs', 'bbs-0'));
  assert.equal(server.table().length, 1);
});
