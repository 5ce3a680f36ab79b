// Watching locks and presences, on a clock that the test moves.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';

import { LocketServer } from 'locket-wasm';

let server, client;
beforeEach(() => {
  server = new LocketServer({ profile: 'upstream' });
  client = server.client();
});
afterEach(() => server.close());

const LOCK = { key: 'bbs', owner: 'bbs-0', ttl: '15s' };
const PRESENCE = { key: 'cell', owner: 'cell-0', kind: 'presence', ttl: '15s' };

/** Collects events while time passes; `stop()` ends the watch and gives what was seen, a word or two each. */
function watched(options) {
  const controller = new AbortController();
  const seen = [];
  const ended = (async () => {
    for await (const event of client.watch({ ...options, signal: controller.signal })) seen.push(told(event));
  })();
  return {
    stop: async () => {
      controller.abort();
      await ended;
      return seen;
    },
  };
}

function told({ timeMs, type, resource, resources, previous, error }) {
  const what = resources?.map(({ key }) => key).join(',') ?? error?.codeName ?? `${resource.key} ${previous === undefined ? '' : `${previous.owner}>`}${resource.owner}`;
  return `${timeMs} ${type} ${what}`;
}

const pass = (time) => server.clock.advanceAsync(time);

describe('a watch', () => {
  test('begins with all that there is, and then tells what has changed', async () => {
    await client.lock(LOCK);
    const { stop } = watched({});
    await pass('1s');
    await client.lock(PRESENCE);
    await pass('4s');
    await client.release({ key: 'bbs', owner: 'bbs-0' });
    await client.lock({ ...LOCK, owner: 'bbs-1' });
    await pass('15s');
    assert.deepEqual(await stop(), ['0 snapshot bbs', '5000 added cell cell-0', '10000 changed bbs bbs-0>bbs-1', '20000 removed bbs bbs-1', '20000 removed cell cell-0']);
  });

  test('does not tell renewals', async () => {
    const { stop } = watched({ interval: '1s' });
    for (let i = 0; i < 10; i += 1) {
      await client.lock(LOCK);
      await pass('1s');
    }
    assert.deepEqual(await stop(), ['0 snapshot ', '1000 added bbs bbs-0']);
  });

  test('tells a new value', async () => {
    await client.lock(LOCK);
    const { stop } = watched();
    await pass('1ms');
    await client.lock({ ...LOCK, value: 'x' });
    await pass('5s');
    assert.deepEqual(await stop(), ['0 snapshot bbs', '5000 changed bbs bbs-0>bbs-0']);
  });

  test('is of one kind, or of one key, if that is said', async () => {
    await client.lock(LOCK);
    await client.lock(PRESENCE);
    const all = [watched({ kind: 'lock' }), watched({ kind: 'presence' }), watched({ key: 'cell' }), watched({ key: 'no' })];
    await pass('1ms');
    const seen = await Promise.all(all.map(({ stop }) => stop()));
    assert.deepEqual(seen.flat(), ['0 snapshot bbs', '0 snapshot cell', '0 snapshot cell', '0 snapshot ']);
  });

  test('goes on after an error, and compares with what it saw before', async () => {
    await client.lock({ ...LOCK, ttl: '3600s' });
    const { stop } = watched();
    await pass('1s');
    server.stop();
    await pass('9s');
    server.start();
    await client.lock({ ...LOCK, key: 'auctioneer', ttl: '3600s' });
    await pass('5s');
    assert.deepEqual(await stop(), ['0 snapshot bbs', '5000 error Unavailable', '10000 error Unavailable', '15000 added auctioneer bbs-0']);
  });

  test('gives a look up that does not end, and looks again', async () => {
    server.setLatency('1h');
    const { stop } = watched();
    await pass('10s');
    server.setLatency('0s');
    await pass('5s');
    assert.deepEqual(await stop(), ['10000 error DeadlineExceeded', '15000 snapshot ']);
  });

  test('ends by break, and leaves nothing on the clock', async () => {
    for await (const event of client.watch()) {
      assert.equal(event.type, 'snapshot');
      break;
    }
    assert.equal(server.clock.pending, 0);
  });

  test('ends by its signal while it waits, and leaves nothing on the clock', async () => {
    const { stop } = watched();
    await pass('1ms');
    await stop();
    assert.equal(server.clock.pending, 0);
  });

  test('with a signal that has aborted sees nothing', async () => {
    const { done } = await client.watch({ signal: AbortSignal.abort() }).next();
    assert.equal(done, true);
  });
});
