// The runners side by side: every number is the edge between what is safe and what is not.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { LocketArgumentError } from 'locket-wasm';
import { compareRunners, explore } from 'locket-wasm/check';

import { cli } from '../support/command-line.mjs';

const BOUNDS = { ttl: '15s', retryInterval: '5s', latency: '1s', faults: { lostMessage: 1 } };
const { rows, text } = await compareRunners(BOUNDS);
const verdictOf = async (question) => (await explore(question)).verdict;

test('the comparison names the runners that never have two owners with any number of clients', async () => {
  const never = rows.filter(({ twoOwners, clients }) => twoOwners === 'safe' && clients === 'any').map(({ runner }) => runner);
  assert.deepEqual(never, ['upstream', 'safe']);
  assert.match(text, /^Never two owners with any number of clients: upstream, safe\.$/m);
  for (const { runner, twoOwners, clients } of rows) if (twoOwners !== 'safe') assert.equal(clients, 2, runner);
  assert.doesNotMatch((await compareRunners({ ...BOUNDS, sameOwner: true })).text, /any number/);
});

for (const { runner, ttlMs, retryIntervalMs, twoOwners, overlapMs, breakingPauseMs, falseLoss, crashMs, stopMs } of rows) {
  describe(runner, () => {
    const settings = { runner, ttl: `${ttlMs / 1000}s`, retryInterval: `${retryIntervalMs}ms` };
    const asked = { ...settings, latency: '1s', faults: { lostMessage: 1 } };

    test('whether two act at once, and a lock is given up for nothing, is what explore says', async () => {
      assert.equal(twoOwners, await verdictOf(asked));
      assert.equal(falseLoss, await verdictOf({ ...asked, property: { is: 'false-loss' } }));
    });

    test('the longest time for which two act is what one-owner has to allow, a second less is not enough', async () => {
      const allowing = (ms) => verdictOf({ ...asked, property: { is: 'one-owner', allow: `${ms}ms` } });
      if (overlapMs === null) assert.equal(await allowing(4 * ttlMs), 'unsafe');
      else assert.equal(await allowing(overlapMs), 'safe');
      if (overlapMs) assert.equal(await allowing(overlapMs - 1000), 'unsafe');
    });

    test('the shortest pause that makes two owners makes them, a second less does not', async () => {
      const pausing = (ms) => verdictOf({ ...asked, faults: { ...asked.faults, pause: { length: `${ms}ms`, count: 1 } } });
      if (breakingPauseMs !== null) assert.equal(await pausing(breakingPauseMs), 'unsafe');
      if (breakingPauseMs !== 0) assert.equal(await pausing(breakingPauseMs === null ? 2 * ttlMs : breakingPauseMs - 1000), 'safe');
    });

    for (const [fault, ms] of [['crash', crashMs], ['stop', stopMs]]) {
      test(`after ${fault} no client holds the lock for so long, and no longer`, async () => {
        const handover = (allow) => verdictOf({ ...settings, latency: '1s', faults: { [fault]: 1 }, property: { is: 'no-client-acts', allow: `${allow}ms` } });
        assert.deepEqual([await handover(ms), await handover(ms - 1000)], ['safe', 'unsafe']);
      });
    }
  });
}

test('all runners are there, the Cloud Controller with its own timing', () => {
  const timing = rows.map(({ runner, ttlMs, retryIntervalMs }) => [runner, ttlMs, retryIntervalMs]);
  assert.deepEqual(timing, [
    ['upstream-before-2025-10', 15_000, 5_000],
    ['upstream', 15_000, 5_000],
    ['cloud-controller', 15_000, 1_000],
    ['safe', 15_000, 5_000],
  ]);
});

test('a short lease gives each runner its own retry interval, and a margin changes only the safe one', async () => {
  const retries = async (more) => (await compareRunners({ ttl: '9s', latency: '0s', ...more }, { maxStates: 5_000 })).rows.map(({ retryIntervalMs }) => retryIntervalMs);
  assert.deepEqual(await retries({}), [3_000, 3_000, 1_000, 3_000]);
  assert.deepEqual(await retries({ margin: '4s' }), [3_000, 3_000, 1_000, 1_000]);
});

test('the table states its bounds', () => {
  assert.match(text, /^Bounds: messages ≤ 1 s, no pause, one message lost, no other fault\.$/m);
});

test('a handover is asked without the faults of the question', async () => {
  const small = { ttl: '3s', retryInterval: '1s', latency: '0s' };
  const handovers = async (faults) => {
    const compared = await compareRunners({ ...small, ...faults }, { maxStates: 20_000 });
    return compared.rows.map(({ crashMs, stopMs }) => [crashMs, stopMs]);
  };
  assert.deepEqual(await handovers({ faults: { locketDrain: { length: '4s', count: 1 } } }), await handovers({}));
});

test('the result of a cut search is unknown, and says so', async () => {
  const cut = await compareRunners(BOUNDS, { maxStates: 50 });
  assert.deepEqual(cut.rows.map(({ because }) => because), Array(4).fill('too-many-states'));
  assert.ok(cut.rows.every(({ breakingPauseMs }) => breakingPauseMs === null));
  assert.match(cut.text, /safe .*unknown .*\?/);
});

test('a comparison with suspends says that they are why it knows nothing', async () => {
  const { rows: unknown } = await compareRunners({ ...BOUNDS, faults: { suspend: { length: '1s', count: 1 } } });
  const safe = unknown.find(({ runner }) => runner === 'safe');
  assert.deepEqual([safe.twoOwners, safe.because], ['unknown', 'suspends']);
});

test('the command line prints the table, or the same as JSON', () => {
  const args = ['explore', '--compare', '--latency', '1s', '--fault', 'lost-message,1'];
  const { stderr: said, ...told } = cli(args);
  assert.deepEqual(told, { status: 0, stdout: `${text}\n` });
  // On a busy machine it takes longer than the 5 s after which work reports its progress.
  assert.equal(said.replaceAll(/^\d done; .*\n/gm, ''), '');
  const { rows: printed } = JSON.parse(cli([...args, '--json']).stdout);
  assert.deepEqual(printed, rows);
  const { status, stderr } = cli([...args, '--max-states', '50']);
  assert.equal(status, 5);
  assert.match(stderr, /for 4 of 4 runners: the search reached its limit of states; raise --max-states/);
});

test('it ends when its signal is aborted', async () => {
  const controller = new AbortController();
  const onProgress = () => controller.abort();
  await assert.rejects(compareRunners(BOUNDS, { signal: controller.signal, onProgress }), { name: 'AbortError' });
});

for (const [field, question] of [
  ['runner', { runner: 'safe' }],
  ['clients', { clients: [{}, {}] }],
  ['property', { property: { is: 'one-owner' } }],
  ['scenario', { scenario: '{}' }],
  ['latency', { latency: '2h' }],
  ['latency', { latency: 1 }],
  ['ttl', { ttl: '0s' }],
  ['ttl', { ttl: '1500ms' }],
  ['retryInterval', { retryInterval: '0s' }],
  ['grid', { grid: '0s' }],
  ['question.nothing', { nothing: 1 }],
]) {
  test(`${field} of ${JSON.stringify(question)} is refused`, async () => {
    await assert.rejects(compareRunners(question), (error) => error instanceof LocketArgumentError && error.field === field);
  });
}

test('null and undefined are no questions', async () => {
  for (const question of [null, undefined, 'a question']) await assert.rejects(compareRunners(question), LocketArgumentError);
});
