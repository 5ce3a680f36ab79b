// The server: its table, its processes, its counters, and its end.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Code, LocketError, LocketServer, VirtualClock } from 'locket-wasm';

import { assertMembers, assertRefused, failureOf, lockOf, start } from '../support/helpers.mjs';

describe('profiles', () => {
  test('a server is the documented one unless told otherwise', async () => {
    const error = await failureOf(new LocketServer().client().release({ key: 'nobody', owner: 'me' }));
    assert.equal(error.reason, 'resource-not-found');
  });

  test('a profile may be a preset with single switches changed', async () => {
    const { client } = start({ profile: { extends: 'upstream', releaseMissing: 'sql-not-found' } });
    const error = await failureOf(client.release({ key: 'nobody', owner: 'me' }));
    assertMembers(error, { code: Code.Unknown, reason: 'sql-resource-not-found' });
  });

  test('a server names all switches of its profile', () => {
    const { profile } = new LocketServer({ profile: { extends: 'upstream', releaseMissing: 'not-found' } });
    assert.deepEqual(profile, { ...new LocketServer({ profile: 'upstream' }).profile, releaseMissing: 'not-found' });
  });
});

describe('table', () => {
  const columns = { documented: ['path', 'owner', 'value', 'type', 'ttl', 'modified_id', 'modified_index'] };
  columns.upstream = ['path', 'owner', 'value', 'type', 'modified_index', 'modified_id', 'ttl'];
  for (const profile of ['documented', 'upstream']) {
    test(`the ${profile} table has its columns in their order`, async () => {
      const { server, client } = start({ profile });
      await client.lock(lockOf('bbs', 'bbs-0'));
      assert.deepEqual(Object.keys(server.table()[0]), columns[profile]);
    });
  }

  test('a row that was put behind its back is what Locket sees', async () => {
    const { server, client } = start();
    server.putRow({ path: 'bbs', owner: 'bbs-9', type: 'lock', modified_index: 41, modified_id: 'mine', ttl: 15 });
    assert.equal((await client.fetch('bbs')).owner, 'bbs-9');

    await client.lock(lockOf('bbs', 'bbs-9'));

    assertMembers(server.table()[0], { value: '', modified_index: 42, modified_id: 'mine' });
  });

  test('columns that are left out or undefined are empty in a row that is put', () => {
    const { server } = start();
    server.putRow({ path: 'bbs', owner: undefined });
    const empty = { path: 'bbs', owner: '', value: '', type: '', ttl: 0, modified_id: '', modified_index: 0 };
    assertMembers(server.table()[0], empty);
  });

  test('NULL can be put and set where the schema allows it, and only there', async () => {
    const { server, client } = start();
    server.putRow({ path: 'bbs', owner: null });
    await assertRefused(client.fetch('bbs'), { code: Code.Unknown, outcome: 'no-effect' });
    server.updateRows({ owner: 'bbs-0', value: null });
    assertMembers(server.table()[0], { owner: 'bbs-0', value: null });

    assert.throws(() => start({ profile: 'documented' }).server.putRow({ path: 'bbs', owner: null }), { field: 'row' });
  });

  test('updateRows sets the columns that it is given, in all rows', async () => {
    const { server, client } = start();
    await client.lock(lockOf('a', 'o', { value: 'x' }));
    await client.lock(lockOf('b', 'o', { value: 'y' }));

    server.updateRows({ ttl: 3, type: undefined });

    assert.deepEqual(server.table().map(({ value, ttl, type }) => [value, ttl, type]), [['x', 3, 'lock'], ['y', 3, 'lock']]);
  });

  test('deleteRow says whether there was one', async () => {
    const { server, client } = start();
    await client.lock(lockOf('bbs', 'bbs-0'));
    assert.deepEqual([server.deleteRow('bbs'), server.deleteRow('bbs')], [true, false]);
    assert.deepEqual(server.table(), []);
  });
});

describe('a race of two inserts', () => {
  test('the client that loses it learns that the row exists, and that its call had no effect', async () => {
    const { server, client } = start();
    server.loseInsertRace('bbs-1');
    const error = await failureOf(client.lock(lockOf('bbs', 'bbs-0')));
    assertMembers(error, { code: Code.Unknown, reason: 'sql-resource-exists', outcome: 'refused' });
    assert.equal((await client.fetch('bbs')).owner, 'bbs-1');
  });

  test('a safe runner tries again, and has the lock when the row of its rival has expired', async () => {
    const { server, client, clock } = start();
    server.loseInsertRace('bbs-1');
    const held = client.acquire({ key: 'bbs', owner: 'bbs-0' });
    await clock.advanceAsync('30s');
    const lock = await held;
    assert.equal((await client.fetch('bbs')).owner, 'bbs-0');
    await lock.release();
  });
});

describe('processes', () => {
  test('a stopped process answers no call, and the other goes on', async () => {
    const { server, client } = start({ processes: 2 });
    assert.deepEqual([server.stop(), server.stop()], [true, false]);

    await assertRefused(client.fetch('bbs'), { code: Code.Unavailable });
    await server.client(undefined, { process: 1 }).lock(lockOf('bbs', 'bbs-0'));

    assert.deepEqual([server.start(0), server.start(0)], [true, false]);
    assert.equal((await client.fetch('bbs')).owner, 'bbs-0');
  });
});

describe('stats', () => {
  test('locks, presences, expiries and requests are counted', async () => {
    const { server, client, clock } = start();
    await client.lock(lockOf('bbs', 'bbs-0'));
    await client.lock(lockOf('cell-1', 'cell-1', { kind: 'presence' }));
    await failureOf(client.lock(lockOf('bbs', 'bbs-1')));
    await failureOf(client.fetch('nobody'));
    assertMembers(server.stats(), { activeLocks: 1, activePresences: 1, locksExpired: 0, presencesExpired: 0 });

    clock.advance('15s');

    const { requests, ...rest } = server.stats();
    assert.deepEqual(rest, { activeLocks: 0, activePresences: 0, locksExpired: 1, presencesExpired: 1 });
    // A collision is an answer.
    assertMembers(requests.lock, { started: 3, succeeded: 3, failed: 0, inFlight: 0 });
    assertMembers(requests.fetch, { started: 1, succeeded: 0, failed: 1, inFlight: 0 });
  });
});

describe('close', () => {
  test('calls after it are refused in words', async () => {
    const { server, client } = start();
    server.close();

    for (const call of [() => server.table(), () => server.stats(), () => server.restart(), () => server.client()]) {
      assert.throws(call, (error) => error instanceof LocketError && error.rawMessage === 'the server is closed');
    }
    await assertRefused(client.lock(lockOf('bbs', 'bbs-0')), { code: Code.Unavailable, outcome: 'no-effect' });
    await assertRefused(server.fetch('http://locket.test/'), { code: Code.Unavailable });
  });

  test('closing twice is fine, and the clock goes on for others', async () => {
    const clock = new VirtualClock();
    const [first, second] = [start({ clock }), start({ clock })];
    await second.client.lock(lockOf('bbs', 'bbs-0'));

    first.server.close();
    first.server[Symbol.dispose]();
    clock.advance('15s');

    assert.deepEqual(second.server.table(), []);
  });

  test('a server that is closed by a callback of its clock does not stop the clock', async () => {
    const { server, client, clock } = start();
    await client.lock(lockOf('bbs', 'bbs-0'));
    clock.setTimeout(() => server.close(), '1s');
    clock.advance('1m');
    assert.equal(clock.now, 60_000);
  });
});
