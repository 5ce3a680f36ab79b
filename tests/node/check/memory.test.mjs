// The memory of a search is given back, and nothing that goes on beside it is lost by that.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { advise, explore } from 'locket-wasm/check';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

const FAULTS = { lostMessage: 3, locketCrash: { length: '9s', count: 2 }, pause: { length: '60s', count: 3 } };
const LARGE = { runner: 'upstream', profile: 'upstream', processes: 3, clients: [{}, {}, {}, {}], latency: '3s', faults: FAULTS };
const SMALL = { runner: 'upstream', faults: { pause: { length: '9s', count: 1 } } };
const MIB = 1024 * 1024;

test('after a large search the memory is given back, and one beside it goes on', async () => {
  const expected = await advise(SMALL);
  let most = 0;
  const large = explore(LARGE, { maxStates: 1_500_000, onProgress: () => (most = Math.max(most, process.memoryUsage().rss)) });
  const beside = advise(SMALL);
  assert.equal((await large).because, 'too-many-states');
  assert.deepEqual([await beside, await advise(SMALL)], [expected, expected]);
  collect();
  await new Promise(setImmediate);
  collect();
  const left = process.memoryUsage().rss;
  assert.ok(most - left > 150 * MIB, `${most / MIB} MiB, then ${left / MIB} MiB`);
});
