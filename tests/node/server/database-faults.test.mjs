// What clients of a server see whose database stalls, is down, loses answers or its table; and one that is MySQL.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { Code, LocketError, LocketServer } from 'locket-wasm';

const LOCK = { key: 'bbs', owner: 'bbs-0', ttl: '15s' };

function upstream(options = {}) {
  const server = new LocketServer({ profile: 'upstream', ...options });
  return { server, client: server.client() };
}

/** What has become of a promise by now. */
function watch(promise) {
  const seen = { is: 'waiting' };
  promise.then(
    (value) => Object.assign(seen, { is: 'done', value }),
    (error) => Object.assign(seen, { is: 'failed', error }),
  );
  return seen;
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

describe('a database that stalls', () => {
  it('answers at the end, and does then what was asked', async () => {
    const { server, client } = upstream();
    server.stallDatabase('5s');
    const locked = watch(client.lock(LOCK));
    await server.clock.advanceAsync('4999ms');
    assert.deepEqual([locked.is, server.table().length], ['waiting', 0]);
    await server.clock.advanceAsync('1ms');
    assert.deepEqual([locked.is, server.table()[0].owner], ['done', 'bbs-0']);
    server.close();
  });

  it('leaves a call alone after ten seconds, which then was not done', async () => {
    const { server, client } = upstream();
    server.stallDatabase('11s');
    const locked = watch(client.lock(LOCK));
    await server.clock.advanceAsync('10s');
    assert.deepEqual([locked.error.code, locked.error.outcome], [Code.DeadlineExceeded, 'unknown']);
    await server.clock.advanceAsync('5s');
    assert.deepEqual(server.table(), []);
    server.close();
  });

  it('is survived by a runner', async () => {
    const { server, client } = upstream();
    await client.lock({ ...LOCK, owner: 'other', ttl: '1s' });
    server.stallDatabase('3s');
    const lock = client.acquire({ key: 'bbs', owner: 'bbs-0', ttl: '15s' });
    await server.clock.advanceAsync('8s');
    assert.deepEqual([(await lock).signal.aborted, server.table()[0].owner], [false, 'bbs-0']);
    await (await lock).release();
    server.close();
  });

  it('is not waited for by who gives up', async () => {
    const { server, client } = upstream();
    server.stallDatabase('5s');
    const controller = new AbortController();
    const locked = client.lock(LOCK, { signal: controller.signal });
    controller.abort();
    await assert.rejects(locked, (error) => error instanceof LocketError && error.code === Code.Canceled && error.outcome === 'unknown');
    server.close();
  });

  it('is not waited for beyond the timeout of a call', async () => {
    const { server, client } = upstream();
    server.stallDatabase('5s');
    const locked = watch(client.lock(LOCK, { timeout: '2s' }));
    await server.clock.advanceAsync('2s');
    assert.equal(locked.error.code, Code.DeadlineExceeded);
    server.close();
  });

  it('leaves no caller waiting when the server is closed', async () => {
    const { server, client } = upstream();
    server.stallDatabase('5s');
    const calls = [client.lock(LOCK), client.fetch('bbs'), client.fetchAll({ kind: 'lock' }), client.release({ key: 'bbs', owner: 'bbs-0' })];
    server.close();
    for (const call of calls) await assert.rejects(call, { code: Code.Canceled, message: /the server was closed/ });
  });

  it('answers a fetch of the web and a raw request in its time, too', async () => {
    const { server } = upstream();
    server.stallDatabase('5s');
    const post = { method: 'POST', headers: { 'content-type': 'application/grpc-web+proto' }, body: new Uint8Array(5) };
    const fetched = watch(server.fetch('http://locket.test/models.Locket/Fetch', post));
    const headers = ['content-type', 'application/grpc'];
    const handled = watch(Promise.resolve(server.handle({ method: 'POST', path: '/models.Locket/Fetch', headers, body: new Uint8Array(5) })));
    await turns();
    assert.deepEqual([fetched.is, handled.is], ['waiting', 'waiting']);
    await server.clock.advanceAsync('5s');
    await turns();
    assert.equal(fetched.value.headers.get('grpc-message'), 'resource-not-found');
    assert.ok(handled.value.headers.includes('resource-not-found'));
    server.close();
  });
});

describe('a database that is down', () => {
  it('has every call refused that needs it, and is there again with its rows', async () => {
    const { server, client } = upstream();
    await client.lock(LOCK);
    assert.deepEqual([server.stopDatabase(), server.stopDatabase()], [true, false]);
    await assert.rejects(client.fetch('bbs'), { code: Code.Unknown, rawMessage: /^failed to connect to .*connection refused$/ });
    await assert.rejects(client.lock({ ...LOCK, ttl: '0s' }), { reason: 'invalid-ttl' });
    assert.deepEqual([server.startDatabase(), server.startDatabase()], [true, false]);
    assert.equal((await client.fetch('bbs')).owner, 'bbs-0');
    server.close();
  });

  it('is not reached by an operator', async () => {
    const { server, client } = upstream();
    await client.lock(LOCK);
    server.stopDatabase();
    const message = /the database is stopped; call startDatabase\(\) first/;
    assert.throws(() => server.putRow({ path: 'other' }), { field: 'row', message });
    assert.throws(() => server.updateRows({ owner: 'other' }), { field: 'columns', message });
    assert.deepEqual([server.deleteRow('bbs'), server.dropTable()], [false, false]);
    server.startDatabase();
    assert.equal((await client.fetch('bbs')).owner, 'bbs-0');
    server.close();
  });

  it('lets no process start', () => {
    const { server } = upstream();
    server.stop();
    server.stopDatabase();
    assert.equal(server.start(), false);
    server.startDatabase();
    assert.equal(server.start(), true);
    server.close();
  });
});

it('an answer that is lost is one of a call that was done', async () => {
  const { server, client } = upstream();
  server.loseReplies();
  const locked = watch(client.lock({ ...LOCK, ttl: '60s' }));
  await server.clock.advanceAsync('10s');
  assert.equal(locked.error.code, Code.DeadlineExceeded);
  assert.equal((await client.fetch('bbs')).owner, 'bbs-0');
  server.close();
});

it('a table that is dropped ends the process that notices, and a start makes it anew', async () => {
  const { server, client } = upstream();
  server.dropTable();
  await assert.rejects(client.fetch('bbs'), { reason: 'sql-unrecoverable' });
  await assert.rejects(client.fetch('bbs'), { code: Code.Unavailable });
  server.start();
  await client.lock(LOCK);
  assert.equal(server.table().length, 1);
  server.close();
});

it('faults of the database take whole numbers and lengths of time', () => {
  const { server } = upstream();
  assert.throws(() => server.stallDatabase('soon'), { name: 'LocketArgumentError', field: 'duration' });
  assert.throws(() => server.loseReplies(-1), { name: 'LocketArgumentError', field: 'count' });
  assert.throws(() => server.loseReplies(2 ** 32), { name: 'LocketArgumentError', field: 'count' });
  server.close();
});

describe('on MySQL', () => {
  const mysql = () => upstream({ profile: { extends: 'upstream', database: 'mysql' } });

  it('keys that differ in case are one', async () => {
    const { server, client } = mysql();
    await client.lock(LOCK);
    await assert.rejects(client.lock({ ...LOCK, key: 'BBS', owner: 'bbs-1' }), { reason: 'lock-collision' });
    assert.equal((await client.fetch('Bbs')).key, 'Bbs');
    server.close();
  });

  it('the client that loses the race of two inserts sees a collision', async () => {
    const { server, client } = mysql();
    server.loseInsertRace('bbs-1');
    await assert.rejects(client.lock(LOCK), { reason: 'lock-collision' });
    server.close();
  });

  it('an unknown database is refused', () => {
    assert.throws(() => new LocketServer({ profile: { database: 'oracle' } }), { name: 'LocketArgumentError', field: /profile/ });
  });
});
