// One client keeps a key for an owner once: for Locket two keepers with one owner are one, and the Release of either ends both.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { LocketArgumentError } from 'locket-wasm';

import { failureOf, isSettled, start } from '../support/helpers.mjs';

const BBS = { key: 'bbs', owner: 'bbs-0' };
const forever = () => new Promise(() => {});

/** Each begins to keep the key, and gives a promise that rejects if it is refused. */
const DOORS = {
  acquire: async (client, settings = BBS) => client.acquire(settings),
  elect: async (client, settings = BBS) => client.elect(settings, { onLead: forever }),
  lockRunner: async (client, settings = BBS) => client.lockRunner(settings),
  presence: async (client, settings = BBS) => client.presence(settings),
  withLock: async (client, settings = BBS) => void client.withLock(settings, forever).catch(() => {}),
};

/** The refusal of a door; `withLock` above goes on for ever. */
function refusalOf(door, client, settings = BBS) {
  if (door === 'withLock') return failureOf(client.withLock(settings, forever));
  return failureOf(DOORS[door](client, settings));
}

describe('a client that already keeps a key for an owner refuses a second keeper', () => {
  for (const [first, keep] of Object.entries(DOORS)) {
    for (const second of Object.keys(DOORS)) {
      test(`${second} after ${first}, which keeps its lock`, async () => {
        const { server, client, clock } = start();
        await keep(client);
        await clock.advanceAsync('1s');
        const error = await refusalOf(second, client);
        assert.ok(error instanceof LocketArgumentError, error.stack);
        assert.equal(error.field, 'owner');
        assert.match(error.message, new RegExp(`: ${first} of this client keeps or wants 'bbs' as 'bbs-0'; end it or use another owner$`));
        await clock.advanceAsync('1h');
        assert.equal(server.table().find(({ path }) => path === 'bbs')?.owner, 'bbs-0');
      });
    }
  }

  test('also while the first one only waits for it', async () => {
    const { server, client } = start();
    await server.client().acquire({ key: 'bbs', owner: 'rival' });
    void client.acquire(BBS);
    for (const door of Object.keys(DOORS)) assert.match((await refusalOf(door, client)).message, /: acquire of this client/);
  });
});

describe('other keepers are not refused', () => {
  for (const [door, keep] of Object.entries(DOORS)) {
    test(`${door} of another owner, of another key and of another client`, async () => {
      const { server, client } = start();
      await client.acquire({ key: 'other', owner: 'bbs-0' });
      await server.client().acquire(BBS);
      void client.acquire({ key: 'bbs', owner: 'bbs-1' });
      void keep(client);
      assert.equal((await failureOf(client.acquire(BBS))).field, 'owner', 'it was refused');
    });
  }
});

describe('after its end a key can be kept again', () => {
  for (const [door, keep] of Object.entries(DOORS)) {
    test(`by ${door}, at once after a release that nothing has waited for, which does not end it`, async () => {
      const { server, client, clock } = start({ latency: '1s' });
      const acquired = client.acquire(BBS);
      await clock.advanceAsync('1s');
      void (await acquired).release();
      const again = keep(client);
      await clock.advanceAsync('10s');
      if (door !== 'elect') assert.equal(await isSettled(again), true);
      await clock.advanceAsync('1m');
      assert.equal(server.table().find(({ path }) => path === 'bbs')?.owner, 'bbs-0');
    });
  }

  test('by a listener that learns of the loss', async () => {
    const { server, client, clock } = start();
    const lock = await client.acquire(BBS);
    let again;
    lock.signal.addEventListener('abort', () => (again = client.acquire(BBS)));
    server.deleteRow('bbs');
    server.stop();
    await clock.advanceAsync('20s');
    server.start();
    await clock.advanceAsync('20s');
    assert.deepEqual([lock.held, (await again).held], [false, true]);
  });

  test('after a wait that was refused, timed out or aborted', async () => {
    const { server, client, clock } = start();
    const rival = await server.client().acquire({ key: 'bbs', owner: 'rival' });
    await failureOf(client.acquire(BBS, { maxWait: '0s' }));
    await failureOf(client.acquire(BBS, { signal: AbortSignal.abort() }));
    await failureOf(client.acquire({ ...BBS, margin: '20s' }));
    const lock = client.acquire(BBS);
    await rival.release();
    await clock.advanceAsync('1m');
    assert.equal((await lock).held, true);
  });

  test('a runner that is stopped before an earlier release has ended leaves nothing', async () => {
    const { server, client, clock } = start({ latency: '1s' });
    const first = client.lockRunner(BBS);
    await clock.advanceAsync('2s');
    void first.stop();
    const second = client.lockRunner(BBS);
    const stopped = second.stop();
    await clock.advanceAsync('1m');
    assert.equal((await stopped).reason, 'stopped');
    assert.deepEqual(server.table(), []);
  });
});

describe('settings that cannot work are refused before anything waits', () => {
  for (const door of Object.keys(DOORS)) {
    test(`by ${door}, also while an earlier wait of the client is leaving`, async () => {
      const { server, client, clock } = start({ latency: '2s' });
      assert.equal((await refusalOf(door, client, { ...BBS, retryInterval: '20s' })).field, 'retryInterval');
      const timedOut = failureOf(client.acquire(BBS, { maxWait: '1s' }));
      await clock.advanceAsync('1s');
      await timedOut;
      assert.equal((await refusalOf(door, client, { ...BBS, ttl: '1s', margin: '1s' })).field, 'margin');
      await clock.advanceAsync('1m');
      assert.equal(server.stats().requests.lock.started, 1);
    });
  }

  for (const door of ['acquire', 'elect', 'lockRunner', 'presence', 'withLock']) {
    test(`a key alone is no settings for ${door}, and the error shows the form`, async () => {
      const { message } = await refusalOf(door, start().client, 'bbs');
      assert.equal(message, 'options: expected an object such as { key: "bbs" }, not a string');
    });
  }
});

describe('a wait that waits for the release of an earlier one', () => {
  test('makes no attempt if it is given up before that', async () => {
    const { server, client, clock } = start({ latency: '2s' });
    const first = failureOf(client.acquire(BBS, { maxWait: '1s' }));
    await clock.advanceAsync('1s');
    await first;
    const runner = client.lockRunner(BBS);
    assert.deepEqual(await runner.stop(), { reason: 'stopped', released: false, error: undefined });
    const second = failureOf(client.acquire(BBS, { maxWait: '1s' }));
    await clock.advanceAsync('1s');
    assert.equal((await second).name, 'LockTimeoutError');
    await clock.advanceAsync('1m');
    assert.deepEqual([server.stats().requests.lock.started, server.table(), clock.pending], [1, [], 0]);
  });
});
