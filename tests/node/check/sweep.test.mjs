// Many seeds of one scenario, all at once or shared, and maps of settings row by row: parts merge to the whole.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';

import { runScenario } from 'locket-wasm';
import { mapRows, mapSettings, merge, sweepSeeds } from 'locket-wasm/check';

import { cli } from '../support/command-line.mjs';
import { file } from '../support/folder.mjs';

/** Two minutes of faults. With some seeds the two act at once. */
const FAULTY = {
  name: 'two minutes of faults',
  profile: 'upstream',
  random: true,
  until: '2m',
  network: { latency: { min: '5ms', max: '1s', step: '5ms' }, loss: '1%' },
  clients: [
    { name: 'a', key: 'k', ttl: '15s', retryInterval: '5s', runner: 'upstream' },
    { name: 'b', key: 'k', ttl: '15s', retryInterval: '5s', runner: 'upstream', startAt: '1s' },
  ],
  actions: [{ at: '40s', do: 'pause', node: 'a', for: '12s' }],
  expect: [{ key: 'k', twoOwnersFor: '0s' }],
};
const SWEEP = { seeds: 61, firstSeed: 1000 };

const shardsOf = (count) => Array.from({ length: count }, (_, index) => `${index + 1}/${count}`);

describe('sweepSeeds', () => {
  test('lists the seeds that fail, each as it fails when it is run alone', async () => {
    const { name, runs, failed, shards } = await sweepSeeds(FAULTY, SWEEP);
    assert.deepEqual([name, runs, shards], ['two minutes of faults', 61, ['1/1']]);
    assert.ok(failed.length > 0 && failed.length < 61, `${failed.length}`);
    for (const { seed, failures, digest } of failed) {
      const run = runScenario({ ...FAULTY, seed });
      assert.deepEqual([failures, digest], [run.failures, run.digest]);
    }
  });

  test('its shares, however many, merge to the whole', async () => {
    const whole = await sweepSeeds(FAULTY, SWEEP);
    for (const count of [1, 2, 3, 7, 64]) {
      const shares = shardsOf(count).map((shard) => sweepSeeds(FAULTY, { ...SWEEP, shard }));
      const parts = await Promise.all(shares);
      assert.deepEqual(merge(parts.reverse()), whole, `${count} shares`);
    }
  });

  test('monitors make seeds fail, and their number of checks is reported and merged', async () => {
    const believers = ({ nodes }) => nodes.filter(({ believes }) => believes).length;
    const monitors = () => ({
      'one owner': ({ state }) => believers(state) <= 1,
      'nobody, after two minutes': ({ isEnd, timeMs, state }) => (isEnd && timeMs > 120_000 ? believers(state) === 0 : undefined),
    });
    const calm = { ...FAULTY, expect: [] };
    const [expected, whole] = [await sweepSeeds(FAULTY, SWEEP), await sweepSeeds(calm, { ...SWEEP, monitors })];
    assert.deepEqual(whole.failed.map(({ seed }) => seed), expected.failed.map(({ seed }) => seed));
    assert.match(whole.failed[0].failures.join(), /^one owner: violated at \d+(\.\d+)? s$/);
    assert.deepEqual(whole.exercised, { 'one owner': 61, 'nobody, after two minutes': 0 });
    assert.equal(whole.digest, (await sweepSeeds(calm, SWEEP)).digest);
    const parts = await Promise.all(shardsOf(3).map((shard) => sweepSeeds(calm, { ...SWEEP, shard, monitors })));
    assert.deepEqual(merge(parts), whole);
  });

  test('reports of different sweeps, or of the same share twice, are not merged', async () => {
    const [one, other] = await Promise.all(['1/2', '1/4'].map((shard) => sweepSeeds(FAULTY, { seeds: 8, shard })));
    assert.throws(() => merge([one, other]), { field: 'shards' });
    assert.throws(() => merge([one, { ...other, seeds: 9 }]), { field: 'results[1].seeds' });
    assert.throws(() => merge([one, { runs: 3 }]), { field: 'results[1]' });
  });
});

describe('locket-wasm run --seeds', () => {
  test('tells each failing seed with the command that runs it again', async () => {
    const path = file('faulty.json', FAULTY);
    const { failed } = await sweepSeeds(FAULTY, SWEEP);
    const { status, stdout, stderr } = cli(['run', path, '--seeds', '61', '--seed', '1000']);
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`expectations do not hold with ${failed.length} of 61 seeds`));
    const [, , command] = /(locket-wasm) (run .*--seed \d+)/.exec(stdout);
    const again = cli(command.split(' '));
    assert.equal(again.status, 1);
    assert.match(again.stdout, new RegExp(`\ndigest ${failed[0].digest}\n$`));
  });
});

describe('a map by rows', () => {
  const QUESTION = { ttl: { from: '4s', to: '6s' }, retryInterval: { from: '1s', to: '3s' }, latency: '1s', runner: 'upstream-before-2025-10' };

  test('asked in Workers, joined, is the map', async () => {
    const worker = () => new Worker(WORKER, { eval: true });
    const asked = mapRows(QUESTION).map((row) => {
      const thread = worker();
      return new Promise((resolve, reject) => {
        thread.on('message', resolve).on('error', reject);
        thread.postMessage(row);
      }).finally(() => thread.terminate());
    });
    assert.deepEqual(merge(await Promise.all(asked)), await mapSettings(QUESTION));
  });
});

const WORKER = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', async (row) => {
    const { mapSettings } = await import(${JSON.stringify(import.meta.resolve('locket-wasm/check'))});
    parentPort.postMessage(await mapSettings(row));
  });
`;
