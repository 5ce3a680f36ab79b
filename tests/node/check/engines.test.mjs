// What all long work has in common, whatever it searches: progress, turns for everything else, its end by a signal, and the
// refusal of options that it does not have.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { advise, explore, mapSettings, minimize, safetyMargin, survive, sweepSeeds } from 'locket-wasm/check';
import { stories } from 'locket-wasm/stories';

import { assertWrongArgument, failureOf } from '../support/helpers.mjs';

const CLIENT = { key: 'k', ttl: '15s', retryInterval: '5s', runner: 'upstream-before-2025-10' };
const RANDOM = {
  name: 'random',
  profile: 'upstream',
  random: true,
  until: '2m',
  network: { latency: { min: '10ms', max: '200ms', step: '10ms' }, loss: '4%', duplicates: '2%' },
  clients: [{ name: 'a', ...CLIENT }, { name: 'b', ...CLIENT, startAt: '1s' }],
  expect: [{ key: 'k', twoOwnersFor: '0s' }],
};
const LONG = { runner: 'safe', latency: '3s', faults: { pause: { length: '16s', count: 1 } }, margin: '0s', property: { is: 'no-client-acts', allow: '120s' } };
const SHIPPED = { runner: 'upstream', profile: 'upstream', latency: '1s', faults: { pause: { length: '10s', count: 1 } } };
const PAUSED = stories['safe-runner-paused-longer-than-its-lease'];

/** By name: work of many slices, and an option that is out of its range. */
const ENGINES = {
  advise: [(options) => advise(SHIPPED, options), { maxStates: 0.5 }],
  explore: [(options) => explore(LONG, options), { maxStates: 0 }],
  mapSettings: [(options) => mapSettings({ ...SHIPPED, faults: {}, ttl: { from: '3s', to: '14s' }, retryInterval: { from: '1s', to: '5s' } }, options), { maxStates: -1 }],
  minimize: [(options) => minimize({ ...RANDOM, until: '2h' }, { seed: 0, ...options }), { maxRuns: 0 }],
  safetyMargin: [(options) => safetyMargin(PAUSED, { step: '100ms', ...options }), { maxPause: '0s' }],
  survive: [(options) => survive({ profile: 'upstream', retryInterval: '5s', faults: { locketCrash: '60s' } }, options), { maxStates: 0 }],
  sweepSeeds: [(options) => sweepSeeds(RANDOM, { seeds: 1_000_000, ...options }), { firstSeed: -1 }],
};
/** The platform's, whatever a test fakes. */
const soon = setImmediate;

for (const [name, [work, wrong]] of Object.entries(ENGINES)) {
  describe(name, () => {
    test('tells how far it is and ends soon after its signal, with the reason, although timers are faked', async (t) => {
      t.mock.timers.enable();
      const controller = new AbortController();
      const reason = new Error('enough');
      const seen = [];
      let afterwards = 0;
      const onProgress = (progress) => {
        seen.push(progress);
        if (controller.signal.aborted) afterwards += 1;
        else soon(() => controller.abort(reason));
      };
      assert.equal(await failureOf(work({ signal: controller.signal, onProgress })), reason);
      assert.ok(afterwards <= 1, `${afterwards} slices after it was ended`);
      assert.ok(seen.length > 0 && Object.values(seen[0]).some(Number.isFinite), JSON.stringify(seen));
    });

    test('does not begin if its signal is aborted', async () => {
      const onProgress = () => assert.fail('it went on');
      assert.equal((await failureOf(work({ signal: AbortSignal.abort(), onProgress }))).name, 'AbortError');
    });

    test('ends when its progress callback throws', async () => {
      const error = new Error('not mine');
      const onProgress = () => {
        throw error;
      };
      assert.equal(await failureOf(work({ onProgress })), error);
    });

    test('refuses an option that it does not have, and one out of its range', async () => {
      await assertWrongArgument('timeout', () => work({ timeout: 1 }));
      await assertWrongArgument(Object.keys(wrong)[0], () => work(wrong));
    });
  });
}

test('after all that the modules are as good as before', async () => {
  assert.equal((await explore({ runner: 'upstream', latency: '2s' })).verdict, 'safe');
});
