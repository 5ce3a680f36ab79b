// A rule of its own keeps a lock over a network, on real time.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';

import { LocketClient, LocketServer } from 'locket-wasm';

const BBS = { key: 'bbs', owner: 'bbs-0', runner: { retry: { every: '40ms' }, timeout: '1s', toleratedFailures: 2 } };

test('a lock outlives as many failures in a row as its rule tolerates, and no more', async () => {
  const server = new LocketServer({ clock: 'ambient' });
  const outcomes = ['lock', 'cut', 'cut', 'lock', 'cut', 'cut', 'cut'];
  const sentMs = [];
  const fetch = async (url, init) => {
    sentMs.push(performance.now());
    if (outcomes.shift() !== 'lock') throw new TypeError('cut off');
    return server.fetch(url, init);
  };
  const lock = await new LocketClient({ baseUrl: 'http://locket.test', fetch }).acquire(BBS);
  assert.deepEqual([(await lock.exited).reason, outcomes, sentMs.length], ['lost', [], 7]);
  assert.ok(waitsOf(sentMs).every((ms) => ms > 35), `${waitsOf(sentMs)}`);
  server.close();
});

const JITTER = { key: 'bbs', runner: { retry: { every: '20ms', jitter: '200ms' }, timeout: '1s', toleratedFailures: 2 } };
const waitsOf = (times) => times.slice(1).map((ms, index) => ms - times[index]);

test('a runner whose rule has jitter waits for another part of it each time, on real time', async () => {
  const sentMs = [];
  const fetch = async () => {
    sentMs.push(performance.now());
    throw new TypeError('cut off');
  };
  const runner = new LocketClient({ baseUrl: 'http://locket.test', fetch }).lockRunner({ ...JITTER, owner: 'bbs-0' });
  while (sentMs.length < 13) await once(runner, 'retrying');
  runner.abandon();
  const waits = waitsOf(sentMs).toSorted((one, other) => one - other);
  // A busy machine makes waits longer, but not all twelve of them. Half of their jitter is 1.2 s, and chance leaves less than 0.4 s once in 100,000 runs.
  assert.ok(waits[0] > 15 && waits[0] < 220 && waits[11] - waits[0] > 30 && waits.reduce((all, ms) => all + ms) > 640, `${waits}`);
});

test('two such runners wait within its bounds, each for itself', async () => {
  const server = new LocketServer();
  server.putRow({ path: 'bbs', owner: 'x', type: 'lock', modified_index: 1, modified_id: 'x', ttl: 3_600 });
  const [one, other] = ['bbs-0', 'bbs-1'].map((owner) => {
    const atMs = [];
    server.client(owner).lockRunner({ ...JITTER, owner }).addEventListener('retrying', ({ timeMs }) => atMs.push(timeMs));
    return atMs;
  });
  await server.clock.advanceAsync('60s');
  for (const waits of [one, other].map(waitsOf)) assert.ok(waits.every((ms) => ms >= 20 && ms <= 220) && new Set(waits).size > 100, `${waits}`);
  assert.notDeepEqual(one, other);
  server.close();
});
