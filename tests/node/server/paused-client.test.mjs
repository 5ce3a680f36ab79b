// Clients of a server in this process whose machine is paused, suspended or crashes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { LocketServer } from 'locket-wasm';
import { withLocket } from 'locket-wasm/testing';

import { assertRefused, assertWrongArgument, failureOf, isSettled, lockOf, start } from '../support/helpers.mjs';

const BBS = { key: 'bbs', owner: 'a' };

describe('a paused client', () => {
  test('keeps its last belief while it is paused', async () => {
    const { server, client, clock } = start();
    const lock = await client.acquire(BBS);
    client.pause();
    await clock.advanceAsync('1h');
    assert.deepEqual([lock.held, lock.signal.aborted, server.table()], [true, false, []]);
    client.resume();
    assert.deepEqual([lock.held, lock.signal.aborted], [false, true]);
  });

  test('renews nothing while it is paused, and goes on renewing after a short pause', async () => {
    const { server, client, clock } = start();
    const lock = await client.acquire(BBS);
    client.pause('9s');
    await clock.advanceToAsync(8_999);
    assert.equal(server.table()[0].modified_index, 1);
    await clock.advanceToAsync(60_000);
    assert.equal(lock.held, true);
  });

  test('has requests that were sent arrive', async () => {
    const { server, client, clock } = start({ latency: '1s' });
    const locked = client.lock(lockOf('bbs', 'a'));
    client.pause();
    await clock.advanceAsync('5s');
    assert.deepEqual([server.table()[0].owner, await isSettled(locked)], ['a', false]);
    client.resume();
    await locked;
  });

  test('makes the calls that its code makes only when it resumes', async () => {
    const { server, client, clock } = start();
    client.pause('5s');
    const locked = client.lock(lockOf('bbs', 'a'));
    await clock.advanceAsync('4s');
    assert.deepEqual(server.table(), []);
    await clock.advanceAsync('1s');
    await locked;
  });

  test('gives calls up that are aborted or never made', async () => {
    const { server, client } = start();
    client.pause();
    const controller = new AbortController();
    const aborted = client.lock(lockOf('bbs', 'a'), { signal: controller.signal });
    const left = client.lock(lockOf('bbs', 'a'));
    controller.abort();
    await assertRefused(aborted, { codeName: 'Canceled', outcome: 'no-effect' });
    server.close();
    await assertRefused(left, { codeName: 'Canceled' });
  });

  test('gets what the database answers meanwhile when it resumes', async () => {
    const { server, client, clock } = start();
    server.stallDatabase('5s');
    const locked = client.lock(lockOf('bbs', 'a'));
    client.pause('10s');
    await clock.advanceAsync('9s');
    assert.deepEqual([server.table().length, await isSettled(locked)], [1, false]);
    await clock.advanceAsync('1s');
    await locked;
  });

  test('has timers that run once for an interval that came due several times', async () => {
    const { client, clock } = start();
    const times = [];
    client.clock.setInterval(() => times.push(client.clock.now), '1s');
    client.pause('5.5s');
    await clock.advanceAsync('7s');
    assert.deepEqual(times, [5_500, 6_500]);
  });

  test('can be cleared of a timer that is due', async () => {
    const { client, clock } = start();
    const timer = client.clock.setTimeout(() => assert.fail('it was cleared'), '1s');
    client.pause();
    await clock.advanceAsync('5s');
    timer.close();
    client.resume();
  });

  test('can be paused for longer while it is paused', async () => {
    const { client, clock } = start();
    client.pause('5s');
    await clock.advanceAsync('4s');
    client.pause('10s');
    await clock.advanceAsync('9s');
    assert.equal(client.clock.now, 0);
    await clock.advanceAsync('1s');
    assert.equal(client.clock.now, 14_000);
  });

  test('stands on an ambient clock, too', async (t) => {
    t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 1_700_000_000_000 });
    const client = new LocketServer({ clock: 'ambient' }).client();
    const lock = await client.acquire(BBS);
    client.pause('20s');
    t.mock.timers.tick(19_999);
    assert.equal(lock.held, true);
    t.mock.timers.tick(1);
    assert.equal(lock.held, false);
  });
});

describe('a suspended client', () => {
  test('has a clock that stands, and does not catch up', async () => {
    const { client, clock } = start();
    const times = [];
    client.clock.setTimeout(() => times.push([clock.now, client.clock.now]), '5s');
    await clock.advanceAsync('1s');
    client.suspend('1h');
    await clock.advanceAsync('2h');
    assert.deepEqual(times, [[3_605_000, 5_000]]);
    assert.equal(client.clock.now, 3_601_000);
  });

  test('finds out within a second that its lease is over', async () => {
    const { client, clock } = start();
    const lock = await client.acquire(BBS);
    const events = [];
    lock.runner.addEventListener('suspended', ({ suspendedMs }) => events.push(suspendedMs));
    await clock.advanceAsync('1s');
    client.suspend('20s');
    await clock.advanceAsync('22s');
    assert.equal(lock.signal.aborted, true);
    assert.deepEqual(events, [20_000]);
  });

  test('finds out at once if it is asked', async () => {
    const { client, clock } = start();
    const lock = await client.acquire(BBS);
    client.suspend('20s');
    await clock.advanceAsync('20s');
    assert.equal(lock.held, false);
  });

  test('gets replies that arrived meanwhile', async () => {
    const { client, clock } = start({ latency: '1s' });
    const locked = client.lock(lockOf('bbs', 'a'));
    client.suspend('1m');
    await clock.advanceAsync('59s');
    assert.equal(await isSettled(locked), false);
    await clock.advanceAsync('1s');
    await locked;
  });
});

describe('a client that crashes', () => {
  test('releases nothing, and its runners and calls end', async () => {
    const { server, client, clock } = start({ latency: '1s' });
    const acquired = client.acquire(BBS);
    await clock.advanceAsync('1s');
    const lock = await acquired;
    const call = failureOf(client.fetch('bbs'));
    client.crash();
    assert.equal((await call).codeName, 'Unavailable');
    assert.deepEqual([lock.held, (await lock.exited).reason, client.hasCrashed], [false, 'closed', true]);
    assert.equal(server.table()[0].owner, 'a');
    await clock.advanceAsync('15s');
    assert.deepEqual([server.table(), server.stats().requests.release.started], [[], 0]);
  });

  test('makes no call any more, and can be neither paused nor resumed', async () => {
    const { client } = start();
    client.crash();
    client.crash();
    await assertRefused(client.lock(lockOf('bbs', 'a')), { codeName: 'Unavailable', outcome: 'no-effect' });
    for (const act of ['pause', 'suspend', 'resume']) assert.throws(() => client[act](), /client 'a client' has crashed/);
    await assertRefused(client.acquire(BBS), { codeName: 'Unavailable' });
  });

  test('is replaced by a new one of its name', withLocket(async ({ client }) => {
    const first = client('a');
    assert.equal(client('a'), first);
    first.crash();
    assert.notEqual(client('a'), first);
    await client('a').lock(lockOf('bbs', 'a'));
  }));
});

describe('a server that is closed', () => {
  test('settles everything that waits for it', async () => {
    const { server, client, clock } = start({ latency: '1s' });
    await Promise.all([server.client().lock(lockOf('bbs', 'thief')), clock.advanceAsync('1s')]);
    const types = [];
    const loop = (async () => {
      for await (const { type } of client.watch()) types.push(type);
    })();
    const raw = { method: 'POST', headers: { 'content-type': 'application/grpc-web' }, body: new Uint8Array(5) };
    const waits = [
      client.acquire(BBS),
      client.withLock({ ...BBS, owner: 'c' }, () => {}),
      client.lock(lockOf('k', 'o')),
      client.fetchAll({ kind: 'lock' }),
      server.fetch('http://locket/models.Locket/FetchAll', raw),
    ].map(failureOf);
    const election = client.elect({ ...BBS, owner: 'd' }, { onLead: () => {} });
    const runner = client.presence({ key: 'cell', owner: 'a' });
    await clock.advanceAsync('500ms');
    server.close();
    const errors = await Promise.all(waits);
    for (const { message } of errors) assert.equal(message, 'the server was closed (Canceled)');
    // What only reads has no effect.
    assert.deepEqual(errors.map(({ outcome }) => outcome), ['unknown', 'unknown', 'unknown', 'no-effect', 'unknown']);
    assert.deepEqual([(await election.ended).reason, (await runner.exited).reason], ['closed', 'closed']);
    await loop;
    assert.equal(clock.pending, 0);
  });

  test('quietly leaves everything as it is', async () => {
    const { server, client } = start({ latency: '1s' });
    const waits = [client.acquire(BBS), client.lock(lockOf('k', 'o'))];
    server.stallDatabase('1s');
    waits.push(client.fetch('k'));
    server.close({ quietly: true });
    for (const wait of waits) assert.equal(await isSettled(wait), false);
    await assertWrongArgument('quietly', () => server.close({ quietly: 1 }));
  });
});
