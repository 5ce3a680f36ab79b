// Runners over a server in this process, on its virtual clock.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { LocketError, LocketServer } from 'locket-wasm';

import { assertRefused, assertWrongArgument, failureOf, isSettled, start } from '../support/helpers.mjs';

const BBS = { key: 'bbs', owner: 'bbs-0' };
const RIVAL = { key: 'bbs', owner: 'bbs-1' };

/** What a runner tells from now on, as a list that grows. */
function listen(runner) {
  const seen = [];
  void (async () => {
    for await (const event of runner) seen.push(event);
    seen.push({ type: 'end' });
  })();
  return seen;
}

const types = (events) => events.map(({ type }) => type);

/** Makes the row of a key somebody else's. */
const take = (server, key) => server.putRow({ path: key, owner: 'thief', type: 'lock', ttl: 60, modified_id: 'x', modified_index: 1 });

describe('acquire', () => {
  test('a lock is there as soon as Locket grants it, and is kept', async () => {
    const { server, client, clock } = start();
    const lock = await client.acquire(BBS);
    assert.deepEqual([lock.key, lock.owner, lock.held, lock.signal.aborted], ['bbs', 'bbs-0', true, false]);
    clock.advance('1h');
    assert.deepEqual([lock.held, server.table()[0].owner, server.table()[0].modified_index], [true, 'bbs-0', 721]);
  });

  test('the margin is how long before its end a lease is given up', async () => {
    const { server, client, clock } = start();
    const lock = await client.acquire({ ...BBS, margin: '5s' });
    server.stop();
    clock.advanceTo(9_999);
    assert.deepEqual([lock.held, lock.runner.leaseLeftMs], [true, 1]);
    clock.advanceTo(10_000);
    assert.deepEqual([lock.held, lock.runner.leaseLeftMs], [false, undefined]);
  });

  for (const latency of ['0s', '1s']) {
    for (const [when, begin] of Object.entries({
      'at once': (client, { signal }, abort) => [client.acquire(BBS, { signal }), abort()],
      'by a listener of its first event': (client, { signal }, abort) => [client.acquire(BBS, { signal, onEvent: abort })],
    })) {
      test(`a wait that is given up ${when} leaves nothing behind, with a latency of ${latency}`, async () => {
        const { server, client, clock } = start({ latency });
        const controller = new AbortController();
        const [wait] = begin(client, controller, () => controller.abort());
        const refused = assertRefused(wait, { codeName: 'Canceled', outcome: 'unknown' });
        await clock.advanceAsync('3s');
        await refused;
        assert.deepEqual([server.table(), server.stats().requests.release.succeeded], [[], 1]);
        await clock.advanceAsync('1m');
        assert.equal(server.stats().requests.lock.started, 1);
      });
    }
  }

  test('a wait whose time was up before it began makes no call', async () => {
    const { server, client } = start();
    await assertRefused(client.acquire(BBS, { signal: AbortSignal.abort() }), { codeName: 'Canceled', outcome: 'no-effect' });
    assert.equal(server.stats().requests.lock.started, 0);
  });

  test('a caller that gives up a wait gets the error of its last attempt', async () => {
    const { server, client, clock } = start();
    take(server, 'bbs');
    const controller = new AbortController();
    const waits = [client.acquire(BBS, { signal: controller.signal }), client.acquire(RIVAL, { signal: controller.signal })];
    await clock.advanceAsync('7s');
    controller.abort(new DOMException('too long', 'TimeoutError'));
    for (const wait of waits) {
      const error = await failureOf(wait);
      assert.deepEqual([error.codeName, error.outcome, error.lastError.reason], ['DeadlineExceeded', 'no-effect', 'lock-collision']);
      assert.match(error.message, /^context deadline exceeded \(DeadlineExceeded\); the last attempt failed: lock-collision/);
      assert.equal(error.cause, controller.signal.reason);
    }
  });

  test('a wait that is given up during an attempt, or after one with an unknown outcome, may have taken the lock', async () => {
    const { server, client, clock } = start({ latency: '1s' });
    take(server, 'bbs');
    const controller = new AbortController();
    const during = failureOf(client.acquire(BBS, { signal: controller.signal }));
    await clock.advanceAsync('5500ms');
    controller.abort();
    assert.equal((await during).outcome, 'unknown');

    server.loseReplies(1);
    const later = new AbortController();
    const after = failureOf(client.acquire({ ...RIVAL, key: 'other' }, { signal: later.signal }));
    await clock.advanceAsync('2s');
    server.deleteRow('other');
    take(server, 'other');
    await clock.advanceAsync('13500ms');
    later.abort();
    assert.equal((await after).outcome, 'unknown');
  });

  test('a wait for what Locket never takes ends at once, with its refusal', async () => {
    const { server, client } = start();
    const error = await failureOf(client.acquire({ ...BBS, key: 'bbs\0' }));
    assert.ok(error instanceof LocketError);
    assert.deepEqual([error.outcome, error.field], ['refused', 'key']);
    assert.equal(server.clock.pending, 0);
  });

  test('a lease that ended by itself tells why its renewals failed, and forgets what failed before one that succeeded', async () => {
    const { server, client, clock } = start();
    const lock = await client.acquire(BBS);
    assert.equal(lock.runner.lastError, undefined);
    clock.advance('4s');
    server.stop();
    clock.advance('2s');
    assert.equal(lock.runner.lastError.codeName, 'Unavailable');
    server.start();
    clock.advance('5s');
    assert.equal(lock.runner.lastError, undefined);
    server.stop();
    clock.advance('15s');
    const { reason } = lock.signal;
    assert.equal(reason.cause.codeName, 'Unavailable');
    assert.match(reason.message, /lease ended before a renewal succeeded; the last attempt failed: .*\(Unavailable\)$/);
    assert.equal((await lock.exited).error.cause, reason.cause);
  });

  test('onEvent sees every attempt of a wait', async () => {
    const { client, clock } = start();
    const lock = await client.acquire(BBS);
    const seen = [];
    const wait = client.acquire(RIVAL, { onEvent: (event) => seen.push(event) });
    await clock.advanceAsync('5s');
    await lock.release();
    await clock.advanceAsync('5s');
    await wait;
    assert.deepEqual(types(seen), ['retrying', 'retrying', 'acquired', 'ready']);
    assert.deepEqual([seen[0].owner, seen[0].error.reason], ['bbs-0', 'lock-collision']);
  });

  test('await using releases', async () => {
    const { server, client } = start();
    const lock = await client.acquire(BBS);
    await lock[Symbol.asyncDispose]();
    assert.deepEqual([server.table(), lock.held, lock.signal.reason.name], [[], false, 'AbortError']);
  });

  test('releasing after a Release that failed asks again, once, until Locket confirms', async () => {
    const { server, client } = start();
    const lock = await client.acquire(BBS);
    server.stop();
    for (let i = 0; i < 2; i += 1) {
      const { reason, released, error } = await lock.release();
      assert.deepEqual([reason, released, error.codeName], ['stopped', false, 'Unavailable']);
    }
    server.start();
    const exits = await Promise.all([lock.release(), lock.release()]);
    assert.deepEqual(exits, Array(2).fill({ reason: 'stopped', released: true, error: undefined }));
    assert.deepEqual([server.table(), await lock.release()], [[], exits[0]]);
    assert.equal(server.stats().requests.release.started, 1);
  });

  test('a lock that its client keeps anew is not released by an earlier one', async () => {
    const { server, client } = start();
    const lock = await client.acquire(BBS);
    server.stop();
    const failed = await lock.release();
    server.start();
    await client.acquire(BBS);
    assert.equal(await lock.release(), failed);
    assert.equal(server.table().length, 1);
  });

  test('a lock is not kept anew while an earlier one is released again', async () => {
    const { server, client, clock } = start();
    const lock = await client.acquire(BBS);
    server.stop();
    await lock.release();
    server.start();
    server.setLatency('2s');
    const released = lock.release();
    const next = client.acquire(BBS);
    await clock.advanceAsync('2s');
    assert.deepEqual([(await released).released, await isSettled(next)], [true, false]);
    await clock.advanceAsync('2s');
    assert.deepEqual([(await next).held, server.table().length], [true, 1]);
  });
});

describe('runners', () => {
  test('a presence comes back after a loss, and says so', async () => {
    const { server, client, clock } = start();
    const presence = client.presence({ key: 'cell-1', owner: 'cell-1', value: '{"zone":"z1"}' });
    const seen = listen(presence);
    assert.deepEqual([server.table()[0].type, server.table()[0].value], ['presence', '{"zone":"z1"}']);
    const first = presence.signal;
    take(server, 'cell-1');
    await clock.advanceAsync('5s');
    assert.deepEqual([presence.held, first.aborted, presence.signal], [false, true, undefined]);
    server.deleteRow('cell-1');
    await clock.advanceAsync('5s');
    assert.deepEqual([presence.held, presence.signal.aborted], [true, false]);
    await presence.stop();
    await clock.advanceAsync('0s');
    const lives = ['acquired', 'ready', 'lost', 'acquired', 'signalled', 'released', 'exited', 'end'];
    assert.deepEqual(types(seen), lives);
    assert.deepEqual(seen.slice(0, 4).map(({ timeMs }) => timeMs), [0, 0, 5_000, 10_000]);
    assert.equal(seen[3].signal.reason.name, 'AbortError');
  });

  test('a lock runner ends when its lock is lost, unless it is to retry', async () => {
    const { server, client, clock } = start();
    const exits = client.lockRunner(BBS);
    const retries = client.lockRunner({ key: 'other', owner: 'bbs-0' }, { afterLoss: 'retry' });
    for (const key of ['bbs', 'other']) take(server, key);
    await clock.advanceAsync('2m');
    assert.equal((await exits.exited).reason, 'lost');
    assert.deepEqual([exits.held, retries.held], [false, true]);
  });

  test('a listener that is added after its runner was made misses no event', async () => {
    const { client, clock } = start();
    const runner = client.lockRunner(BBS);
    const heard = [];
    runner.addEventListener('acquired', ({ type, key, signal }) => heard.push([type, key, signal.aborted]));
    await clock.advanceAsync('0s');
    assert.deepEqual(heard, [['acquired', 'bbs', false]]);
  });

  test('a listener may stop the runner, and gets the end in order', async () => {
    const { client, clock } = start();
    const runner = client.lockRunner(BBS);
    const seen = listen(runner);
    runner.addEventListener('acquired', () => void runner.stop());
    await clock.advanceAsync('0s');
    assert.deepEqual(types(seen), ['acquired', 'ready', 'signalled', 'released', 'exited', 'end']);
  });

  test('an abort listener that calls back in finds the lock gone', async () => {
    const { server, client, clock } = start();
    const runner = client.lockRunner(BBS);
    const found = [];
    runner.signal.addEventListener('abort', () => found.push(runner.held, runner.signal));
    take(server, 'bbs');
    clock.advance('5s');
    assert.deepEqual(found, [false, undefined]);
  });

  test('a loop that does not keep up gets the last renewal only', async () => {
    const { client, clock } = start();
    const runner = client.lockRunner(BBS);
    const events = runner[Symbol.asyncIterator]();
    await clock.advanceAsync('1h');
    await runner.stop();
    const seen = [];
    for await (const event of events) seen.push(event);
    assert.deepEqual(types(seen), ['acquired', 'ready', 'renewed', 'signalled', 'released', 'exited']);
    assert.equal(seen[2].timeMs, 3_600_000);
  });

  test('a loop that is left gets no more events, and others do', async () => {
    const { client, clock } = start();
    const runner = client.lockRunner(BBS);
    const seen = listen(runner);
    for await (const { type } of runner) if (type === 'ready') break;
    await clock.advanceAsync('5s');
    assert.equal(types(seen).at(-1), 'renewed');
  });

  test('ready is false if the runner ended before, and nothing rejects', async () => {
    const { server, client, clock } = start();
    take(server, 'bbs');
    const runner = client.lockRunner(BBS);
    await clock.advanceAsync('5s');
    const exit = await runner.stop();
    assert.deepEqual([await runner.ready, exit.reason], [false, 'stopped']);
  });

  test('nothing of a runner that has ended is left on the clock', async () => {
    const { server, client, clock } = start({ profile: 'documented', latency: '100ms' });
    const runners = [client.lockRunner(BBS), client.presence({ key: 'cell-1', owner: 'cell-1' })];
    await clock.advanceAsync('1s');
    runners[0].abandon();
    const stopped = runners[1].stop();
    await clock.advanceAsync('1s');
    await stopped;
    server.deleteRow('bbs');
    assert.equal(clock.pending, 0);
  });

  test('interceptors stand around the calls of runners too', async () => {
    const { server, clock } = start();
    const calls = [];
    const counting = (next) => (call) => (calls.push(call.method), next(call));
    const failing = (next) => (call) => (calls.length === 2 ? Promise.reject(new Error('no token')) : next(call));
    const client = server.client(undefined, { interceptors: [counting, failing] });
    const lock = await client.acquire(BBS);
    const seen = listen(lock.runner);
    await clock.advanceAsync('10s');
    await lock.release();
    assert.deepEqual(calls, ['lock', 'lock', 'lock', 'release']);
    assert.deepEqual([seen[0].type, seen[0].error.message.includes('no token')], ['retrying', true]);
  });

  test('a server on the ambient clock drives runners by its timers', async () => {
    const server = new LocketServer({ clock: 'ambient' });
    const runner = server.client().presence({ key: 'cell-1', owner: 'cell-1', ttl: '1s', retryInterval: '1ms' });
    await new Promise((resolve) => runner.addEventListener('renewed', resolve, { once: true }));
    assert.equal((await runner.stop()).released, true);
  });
});

describe('arguments', () => {
  const { client } = start();
  const WRONG = {
    key: [{ ...BBS, key: '' }, { ...BBS, key: 'ü'.repeat(256) }, { ...BBS, key: 7 }, { owner: 'o' }],
    owner: [{ ...BBS, owner: '' }, { ...BBS, owner: undefined }],
    value: [{ ...BBS, value: 'x'.repeat(4097) }, { ...BBS, value: {} }],
    ttl: [{ ...BBS, ttl: '0s' }, { ...BBS, ttl: '-1s' }, { ...BBS, ttl: '1.5s' }, { ...BBS, ttl: '1500ms' }, { ...BBS, ttl: 15 }, { ...BBS, ttl: '15' }, { ...BBS, ttl: 'soon' }, { ...BBS, ttl: null }],
    retryInterval: [{ ...BBS, retryInterval: '14s' }, { ...BBS, retryInterval: '-1ms' }, { ...BBS, retryInterval: 'soon' }, { ...BBS, retryInterval: 5 }, { ...BBS, retryInterval: '5' }, { ...BBS, retryInterval: '0s' }, { ...BBS, retryInterval: '0s', runner: 'upstream' }, { ...BBS, margin: '10001ms', retryInterval: '5s' }, { ...BBS, runner: { lease: { from: 'request', length: '1s' }, retry: { every: '5s' } } }],
    margin: [{ ...BBS, margin: 'some' }, { ...BBS, margin: 500 }, { ...BBS, margin: '-1ms' }, { ...BBS, runner: 'upstream', margin: '5ms' }, { ...BBS, margin: '15s' }, { ...BBS, margin: '60s', ttl: '15s' }],
    runner: [{ ...BBS, runner: 'fast' }, { ...BBS, runner: null }, { ...BBS, runner: [] }, { ...BBS, runner: {} }],
    'runner.leese': [{ ...BBS, runner: { leese: 1 } }],
    'runner.lease.length': [{ ...BBS, runner: { lease: { from: 'request', length: 5 } } }],
    kind: [{ ...BBS, kind: 'unknown' }, { ...BBS, kind: 1 }],
    firstAttemptDeadline: [{ ...BBS, firstAttemptDeadline: 'yes' }],
    ttlSeconds: [{ ...BBS, ttlSeconds: 15 }],
  };
  for (const [field, all] of Object.entries(WRONG)) {
    test(`${field} is checked`, async () => {
      for (const options of all) {
        await assertWrongArgument(field, () => client.acquire(options));
        await assertWrongArgument(field, () => client.presence(options));
        await assertWrongArgument(field, () => client.lockRunner(options));
      }
    });
  }

  test('a name of 255 characters and a renewal just before the end of a lease are accepted', async () => {
    const { client: other } = start();
    const lock = await other.acquire({ key: 'ü'.repeat(255), owner: 'o', retryInterval: '13999ms' });
    assert.equal(lock.held, true);
  });

  test('those of waits and lock runners are checked', async () => {
    await assertWrongArgument('signal', () => client.acquire(BBS, { signal: 5 }));
    await assertWrongArgument('onEvent', () => client.acquire(BBS, { onEvent: 5 }));
    await assertWrongArgument('timeout', () => client.acquire(BBS, { timeout: '5ms' }));
    await assertWrongArgument('kind', () => client.presence({ ...BBS, kind: 'lock' }));
    await assertWrongArgument('afterLoss', () => client.lockRunner(BBS, { afterLoss: 'sulk' }));
    await assertWrongArgument('options', () => client.acquire(undefined));
  });
});
