// A rule of its own keeps a lock over a network, on real time.

import assert from 'node:assert/strict';
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
  const waits = sentMs.slice(1).map((ms, index) => ms - sentMs[index]);
  assert.ok(waits.every((ms) => ms > 35), `${waits}`);
  server.close();
});
