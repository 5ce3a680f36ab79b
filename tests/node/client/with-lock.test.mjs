// Work under a lock, and waits that have a longest time, on a clock that the test moves.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { LocketServer, LockLostError, LockTimeoutError } from 'locket-wasm';

import { assertWrongArgument, failureOf, isSettled, lockOf, start } from '../support/helpers.mjs';

const BBS = { key: 'bbs', owner: 'bbs-0' };
const RIVAL = { key: 'bbs', owner: 'bbs-1' };

/** A promise that the test settles. */
function open() {
  const parts = {};
  const promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return { promise, ...parts };
}

/** How many calls Locket refused for another owner: it counts a collision as a success. */
const refusals = (server) => server.stats().requests.lock.started - server.table()[0].modified_index;

const steal = (server, path = 'bbs') => server.putRow({ path, owner: 'thief', type: 'lock', ttl: 60, modified_id: 'x', modified_index: 1 });

describe('withLock', () => {
  test('runs the work while the lock is held, releases it, and gives its result', async () => {
    const { server, client } = start();
    const result = await client.withLock(BBS, (signal, lock) => [signal.aborted, lock.held, server.table()[0].owner]);
    assert.deepEqual([result, server.table()], [[false, true, 'bbs-0'], []]);
  });

  test('releases the lock when the work throws, and rejects with its error', async () => {
    const { server, client } = start();
    const own = new Error('own');
    for (const work of [() => Promise.reject(own), () => { throw own; }]) {
      assert.equal(await failureOf(client.withLock(BBS, work)), own);
      assert.deepEqual(server.table(), []);
    }
  });

  test('a loss aborts the signal of the work, whose result is in the error', async () => {
    const { server, client, clock } = start();
    const { promise, resolve } = open();
    let signal;
    const work = client.withLock(BBS, (given) => ((signal = given), promise));
    await clock.advanceAsync('0s');
    steal(server);
    const failed = failureOf(work);
    await clock.advanceAsync('5s');
    assert.equal(signal.reason.lastAttempt.reason, 'lock-collision');
    resolve('half done');
    const error = await failed;
    assert.ok(error instanceof LockLostError);
    assert.deepEqual([error.result, error === signal.reason], ['half done', true]);
  });

  test('of work that rejects after a loss its own error stays', async () => {
    const { server, client, clock } = start();
    const { promise, reject } = open();
    const failed = failureOf(client.withLock(BBS, () => promise));
    await clock.advanceAsync('0s');
    steal(server);
    await clock.advanceAsync('5s');
    const own = new Error('own');
    reject(own);
    assert.equal(await failed, own);
  });

  test('a caller that aborts during the work keeps the lock until the work has settled', async () => {
    const { server, client, clock } = start();
    const controller = new AbortController();
    const { promise, resolve } = open();
    let signal;
    const done = client.withLock(BBS, { signal: controller.signal }, (given) => ((signal = given), promise));
    await clock.advanceAsync('1s');
    controller.abort(new Error('enough'));
    assert.equal(signal.reason, controller.signal.reason);
    await clock.advanceAsync('1m');
    assert.equal(server.table()[0].owner, 'bbs-0');
    resolve('cleaned up');
    assert.equal(await done, 'cleaned up');
    assert.deepEqual(server.table(), []);
  });

  test('a caller that aborts before the lock is held gets its own reason, and the work never runs', async () => {
    const { server, client, clock } = start({ latency: '1s' });
    const reason = new Error('enough');
    const controller = new AbortController();
    const failed = failureOf(client.withLock(BBS, { signal: controller.signal }, () => assert.fail('it ran')));
    controller.abort(reason);
    assert.equal(await failed, reason);
    await clock.advanceAsync('3s');
    assert.deepEqual(server.table(), []);
    assert.equal(await failureOf(client.withLock(BBS, { signal: controller.signal }, () => assert.fail('it ran'))), reason);
  });

  test('a release that fails changes no result, and onEvent gets it', async () => {
    const { server, client } = start();
    const heard = [];
    const result = await client.withLock(BBS, { onEvent: ({ type, error }) => heard.push([type, error?.codeName]) }, () => {
      server.stop();
      return 'done';
    });
    assert.equal(result, 'done');
    assert.deepEqual(heard.at(-2), ['released', 'Unavailable']);
  });

  test('work that releases the lock itself loses nothing', async () => {
    const { client } = start();
    assert.equal(await client.withLock(BBS, async (signal, lock) => (await lock.release(), 'done')), 'done');
  });

  test('it waits for the end of an earlier wait, so that its release does not free the next lock', async () => {
    const { server, client, clock } = start({ latency: '2s' });
    const first = failureOf(client.withLock(BBS, { maxWait: '1s' }, () => assert.fail('it ran')));
    await clock.advanceAsync('1s');
    assert.ok((await first) instanceof LockTimeoutError);
    const held = client.withLock(BBS, () => server.table()[0]?.owner);
    await clock.advanceAsync('2m');
    assert.equal(await held, 'bbs-0');
  });

  test('options may be undefined', async () => {
    assert.equal(await start().client.withLock(BBS, undefined, () => 'done'), 'done');
  });

  test('arguments are checked before anything is asked', async () => {
    const { server, client } = start();
    await assertWrongArgument('options', () => client.withLock(BBS, null, () => {}));
    await assertWrongArgument('work', () => client.withLock(BBS));
    await assertWrongArgument('work', () => client.withLock(BBS, {}, 'work'));
    await assertWrongArgument('maxWait', () => client.withLock(BBS, { maxWait: 5 }, () => {}));
    await assertWrongArgument('patience', () => client.withLock(BBS, { patience: '5s' }, () => {}));
    assert.equal(server.stats().requests.lock.started, 0);
  });
});

describe('withLock of several locks', () => {
  const LOCKS = [{ key: 'bbs', owner: 'vm-1' }, { key: 'auctioneer', owner: 'vm-1' }];
  const owners = (server) => server.table().map(({ path, owner }) => `${path} of ${owner}`);

  test('takes them in the order of their keys, holds them together and releases them in reverse', async () => {
    const { server, client } = start();
    const seen = [];
    const held = await client.withLock(LOCKS, { onEvent: ({ type, key }) => seen.push(`${type} ${key}`) }, (signal) => [signal.aborted, ...owners(server)]);
    assert.deepEqual(held, [false, 'auctioneer of vm-1', 'bbs of vm-1']);
    assert.deepEqual(seen.filter((it) => /^(acquired|released)/.test(it)), ['acquired auctioneer', 'acquired bbs', 'released bbs', 'released auctioneer']);
    assert.deepEqual(server.table(), []);
  });

  test('no two that list them in other orders wait for each other', async () => {
    const { server, clock } = start();
    const done = [LOCKS, LOCKS.toReversed()].map((locks, index) =>
      server.client().withLock(locks.map((lock) => ({ ...lock, owner: `vm-${index}` })), () => clock.sleep('7s')),
    );
    await clock.advanceAsync('1m');
    await Promise.all(done);
    assert.deepEqual(server.table(), []);
  });

  test('keeps each of its keys, so that its client is refused a second time', async () => {
    const { client } = start();
    void client.withLock(LOCKS, () => open().promise);
    for (const lock of LOCKS) await assertWrongArgument('owner', () => client.withLock(lock, () => {}));
  });

  test('gives up when maxWait is over for all of them, and keeps none', async () => {
    const { server, client, clock } = start();
    await server.client().acquire({ key: 'auctioneer', owner: 'first' }).then((lock) => clock.setTimeout(() => lock.release(), '3s'));
    await server.client().acquire({ key: 'bbs', owner: 'other' });
    const failed = failureOf(client.withLock(LOCKS, { maxWait: '7s' }, () => assert.fail('it ran')));
    await clock.advanceAsync('7s');
    const error = await failed;
    assert.ok(error instanceof LockTimeoutError);
    assert.deepEqual([error.key, error.waitedMs, error.lastAttempt.reason], ['bbs', 2_000, 'lock-collision']);
    await clock.advanceAsync('1s');
    assert.deepEqual(owners(server), ['bbs of other']);
  });

  for (const [key, other] of [['auctioneer', 'bbs'], ['bbs', 'auctioneer']]) {
    test(`the loss of ${key} aborts the work, whose result is in the error, and releases ${other}`, async () => {
      const { server, client, clock } = start();
      const { promise, resolve } = open();
      let signal;
      const failed = failureOf(client.withLock(LOCKS, (given) => ((signal = given), promise)));
      await clock.advanceAsync('0s');
      steal(server, key);
      await clock.advanceAsync('5s');
      assert.deepEqual([signal.aborted, owners(server).length], [true, 2]);
      resolve('half done');
      const error = await failed;
      assert.ok(error instanceof LockLostError);
      assert.deepEqual([error.key, error.result, error === signal.reason], [key, 'half done', true]);
      assert.deepEqual(owners(server), [`${key} of thief`]);
    });
  }

  test('a loss of the first while it waits for the second ends the wait', async () => {
    const { server, client, clock } = start();
    await server.client().acquire({ key: 'bbs', owner: 'other' });
    const failed = failureOf(client.withLock(LOCKS, () => assert.fail('it ran')));
    await clock.advanceAsync('1s');
    steal(server, 'auctioneer');
    await clock.advanceAsync('5s');
    const error = await failed;
    assert.deepEqual([error instanceof LockLostError, error.key], [true, 'auctioneer']);
    assert.deepEqual(owners(server), ['auctioneer of thief', 'bbs of other']);
  });

  test('the signal of the work looks at the clocks of each, even if no timer has fired', async (t) => {
    const client = new LocketServer({ clock: 'ambient' }).client();
    const realNow = Date.now;
    const error = await failureOf(client.withLock([{ ...BBS, key: 'a', ttl: '5s', retryInterval: '1s' }, BBS], (signal) => {
      t.mock.method(Date, 'now', () => realNow() + 5_000);
      return signal.aborted;
    }));
    assert.deepEqual([error.key, error.result], ['a', true]);
  });

  test('wrong settings name their place, before anything is asked', async () => {
    const { server, client } = start();
    const cases = {
      locks: [],
      'locks[0]': [, BBS],
      'locks[0].ttl': [{ ...BBS, ttl: '0s' }, RIVAL],
      'locks[1].key': [BBS, RIVAL],
      'locks[1].margin': [{ ...BBS, key: 'z' }, { ...BBS, ttl: '1s', margin: '1s' }],
      'locks[1].owner': [BBS, { key: 'k' }],
    };
    for (const [field, locks] of Object.entries(cases)) await assertWrongArgument(field, () => client.withLock(locks, () => assert.fail('it ran')));
    const holder = await client.acquire(BBS);
    await assertWrongArgument('locks[1].owner', () => client.withLock([{ ...BBS, key: 'a' }, BBS], () => assert.fail('it ran')));
    assert.deepEqual(owners(server), ['bbs of bbs-0']);
    await holder.release();
  });
});

describe('maxWait', () => {
  test('ends a wait, with why its last attempt failed', async () => {
    const { client, clock } = start();
    await client.acquire(RIVAL);
    const waits = [
      (wait) => client.acquire(BBS, wait),
      (wait) => client.withLock(BBS, wait, () => assert.fail('it ran')),
    ];
    for (const begin of waits) {
      const failed = failureOf(begin({ maxWait: '12s' }));
      await clock.advanceAsync('12s');
      const error = await failed;
      assert.ok(error instanceof LockTimeoutError);
      assert.deepEqual([error.key, error.waitedMs, error.lastAttempt.reason, error.cause], ['bbs', 12_000, 'lock-collision', error.lastAttempt]);
      assert.match(error.message, /^bbs: not held after 12 s; the last attempt failed: lock-collision/);
    }
  });

  test('of 0s is one attempt, which is waited for', async () => {
    const { server, client, clock } = start({ latency: '50ms' });
    const free = client.acquire(BBS, { maxWait: '0s' });
    await clock.advanceAsync('50ms');
    assert.equal((await free).held, true);
    const failed = failureOf(client.acquire(RIVAL, { maxWait: '0s' }));
    await clock.advanceAsync('1m');
    assert.equal((await failed).lastAttempt.reason, 'lock-collision');
    assert.equal(refusals(server), 1);
  });

  test('has no say once the lock is held', async () => {
    const { client, clock } = start();
    const lock = await client.acquire(BBS, { maxWait: '1s' });
    await clock.advanceAsync('1m');
    assert.equal(lock.held, true);
  });

  test('frees a lock that is granted late', async () => {
    const { server, client, clock } = start({ profile: 'documented', latency: '3s' });
    const failed = failureOf(client.acquire(BBS, { maxWait: '1s' }));
    await clock.advanceAsync('1s');
    assert.deepEqual([(await failed).lastAttempt, server.table().length], [undefined, 1]);
    await clock.advanceAsync('10s');
    assert.deepEqual([server.table(), clock.pending], [[], 0]);
  });

  test('does not shorten what another client waits', async () => {
    const { server, client, clock } = start();
    await server.client().lock(lockOf('bbs', 'thief'));
    const patient = client.acquire(BBS);
    await failureOf(client.acquire(RIVAL, { maxWait: '0s' }));
    assert.equal(await isSettled(patient), false);
    await clock.advanceAsync('20s');
    assert.equal((await patient).held, true);
  });
});
