// Time that passes at once, in which no promise settles: it gives what it gives promise by promise, or it is refused before it does harm.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { LocketArgumentError, LocketServer } from 'locket-wasm';
import { withLocket } from 'locket-wasm/testing';

import { start } from '../support/helpers.mjs';

const BBS = { key: 'bbs', owner: 'bbs-0' };
const slow = (next) => async (call) => next(call);

/** Refused, with what to do; and nothing has happened. */
function assertRefusedUnharmed(clock, lock, move, method) {
  const beforeMs = clock.now;
  assert.throws(move, (error) => {
    assert.ok(error instanceof LocketArgumentError, error.stack);
    assert.match(error.message, new RegExp(`^${method}: a runner's call at .* is answered by a promise, as with interceptors, which cannot settle in ${method}; await clock.${method}Async instead$`));
    return true;
  });
  assert.deepEqual([clock.now, lock.held], [beforeMs, true]);
}

describe('a lock that is kept', () => {
  test('is renewed at 5 s and 10 s in a test of withLocket, as with a plain server', withLocket(async ({ server, clock, client }) => {
    const times = { recorded: [], plain: [] };
    const plain = new LocketServer();
    for (const [name, of, at] of [['recorded', client('a'), clock], ['plain', plain.client(), plain.clock]]) {
      const lock = await of.acquire(BBS);
      lock.runner.addEventListener('renewed', ({ timeMs }) => times[name].push(timeMs));
      at.advance('20s');
      assert.equal(lock.held, true);
    }
    assert.deepEqual([times.recorded, server.table()[0].owner], [[5_000, 10_000, 15_000, 20_000], 'bbs-0']);
    assert.deepEqual(times.plain, times.recorded);
  }));

  for (const [what, options] of Object.entries({ 'at once': {}, 'with a latency': { latency: '50ms' } })) {
    test(`is not lost by an interceptor: the move is refused before anything is due, answers come ${what}`, async () => {
      const server = new LocketServer(options);
      const { clock } = server;
      const pending = server.client(undefined, { interceptors: [slow] }).acquire(BBS);
      await clock.advanceAsync('1s');
      const lock = await pending;
      clock.advance('2s');
      for (const [method, move] of Object.entries({ advance: () => clock.advance('20s'), advanceTo: () => clock.advanceTo(60_000) })) {
        assertRefusedUnharmed(clock, lock, move, method);
      }
      await clock.advanceAsync('20s');
      assert.deepEqual([lock.held, clock.now], [true, 23_000]);
    });
  }

  test('nor step by step: the step after a call is refused', async () => {
    const server = new LocketServer();
    const { clock } = server;
    const lock = await server.client(undefined, { interceptors: [slow] }).acquire(BBS);
    while (clock.now < 5_000) clock.next();
    assertRefusedUnharmed(clock, lock, () => clock.next(), 'next');
    assertRefusedUnharmed(clock, lock, () => clock.runUntil(() => false), 'runUntil');
    await clock.nextAsync();
    assert.equal(lock.held, true);
  });

  test('nor if it is taken while time passes', async () => {
    const server = new LocketServer();
    const { clock } = server;
    const client = server.client(undefined, { interceptors: [slow] });
    let lock;
    clock.setTimeout(() => void client.acquire(BBS).then((held) => (lock = held)), '1s');
    assert.throws(() => clock.advance('20s'), { field: 'advance' });
    assert.equal(clock.now, 1_000);
    await clock.advanceAsync('1s');
    assert.equal(lock.held, true);
  });

  test('nor by a database that stalls while a renewal waits for it', async () => {
    const { server, client, clock } = start();
    const lock = await client.acquire(BBS);
    clock.advance('4s');
    server.stallDatabase('3s');
    assert.throws(() => clock.advance('20s'), { field: 'advance' });
    assert.deepEqual([clock.now, lock.held], [5_000, true]);
    await clock.advanceAsync('20s');
    assert.equal(lock.held, true);
  });

  test('lets time pass up to its next call, and after its end', async () => {
    const server = new LocketServer();
    const { clock } = server;
    const lock = await server.client(undefined, { interceptors: [slow] }).acquire(BBS);
    clock.advance('5s');
    await clock.advanceAsync('0s');
    await lock.release();
    clock.advance('1h');
    assert.equal(clock.now, 3_605_000);
  });
});
