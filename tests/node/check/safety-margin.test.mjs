// Safety margins: how near a run is to two owners, from programs and on the command line.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { LocketArgumentError, Simulation } from 'locket-wasm';
import { safetyMargin } from 'locket-wasm/check';
import { stories } from 'locket-wasm/stories';

import { cli } from '../support/command-line.mjs';
import { assertWrongArgument, failureOf } from '../support/helpers.mjs';

const PAUSED = stories['holder-paused-longer-than-its-lease'];
const SAFE = stories['safe-runner-paused-longer-than-its-lease'];
const COLLISION = stories['collision-while-the-holder-renews'];

const regular = ({ moments }) => moments.filter(({ after }) => !after);
const seconds = (profile) => regular(profile).map(({ smallestMs }) => smallestMs && smallestMs / 1000);

describe('a safety margin', () => {
  test('tells what the native one tells: sim/tests/runs/safety_margin.rs says the same', async () => {
    const profile = await safetyMargin(PAUSED);
    assert.deepEqual(seconds(profile).slice(5), [13, 18, ...Array(20).fill(0), null, null]);
    assert.deepEqual(profile.moments[5], { atMs: 5_000, after: false, smallestMs: 13_000, node: 'bbs-0', lastsAlready: false });
    assert.deepEqual([profile.pointOfNoReturnMs, profile.harmMs], [23_001, 23_200]);
    assert.deepEqual(profile.unavoidable, [{ fromMs: 23_001, toMs: 26_200 }]);
    assert.match(profile.text, /^ {4}5\.000 s {2}█+ +bbs-0 paused for 13 s$/m);
  });

  test('ends nowhere for a runner that renews in time, nor for a safe one', async () => {
    const short = await safetyMargin(COLLISION, { maxPause: '12s' });
    const safe = await safetyMargin(SAFE);
    for (const profile of [short, safe]) {
      assert.ok(seconds(profile).every((smallest) => smallest === null));
      assert.deepEqual([profile.pointOfNoReturnMs, profile.harmMs], [null, null]);
    }
  });

  test('is that of the branch that a simulation is in', async () => {
    const simulation = new Simulation(COLLISION);
    simulation.runUntil('6s');
    simulation.act({ do: 'pause', node: 'bbs-0', for: '12s' });
    const profile = await safetyMargin(simulation);
    assert.deepEqual(seconds(profile).slice(6, 9), [17, 16, 15]);
    assert.equal(simulation.nowMs, 6_000);
    assert.deepEqual(await safetyMargin(COLLISION), await safetyMargin(JSON.parse(COLLISION)));
    assert.notDeepEqual(await safetyMargin(COLLISION), profile);
    simulation.close();
  });

  test('asks for what its options say', async () => {
    const fine = await safetyMargin(PAUSED, { step: '5s', pauseStep: '100ms', maxPause: '13s' });
    assert.equal(regular(fine).length, 6);
    assert.deepEqual(fine.moments[1], { atMs: 5_000, after: false, smallestMs: 12_900, node: 'bbs-0', lastsAlready: false });
    const cut = await safetyMargin(COLLISION, { fault: 'isolation', step: '5s' });
    assert.ok(cut.moments.every(({ smallestMs }) => smallestMs === null), 'upstream notices that it is cut off');
  });

  test('of presences is about a gap, and of the node that is named', async () => {
    const options = { fault: 'isolation', node: 'cell-1', pauseStep: '100ms' };
    const { harm, harmMs, moments, text } = await safetyMargin(stories['presence-comes-back-after-a-gap'], options);
    assert.deepEqual([harm, harmMs], ['presence-gap', 20_000]);
    assert.deepEqual([...new Set(moments.map(({ node }) => node))].toSorted(), ['cell-1', null].toSorted());
    assert.match(text, /a gap of a presence from 20\.000 s/);
  });

  test('refuses what makes no sense, by the names that users know', async () => {
    for (const [field, options] of [
      ['fault', { fault: 'nap' }],
      ['maxPause', { maxPause: '0s' }],
      ['maxPause', { maxPause: '2h' }],
      ['pauseStep', { pauseStep: '0s' }],
      ['step', { step: '1ms' }],
      ['maxPause', { maxPause: 30 }],
      ['step', { step: 1000 }],
      ['depth', { depth: 1 }],
      ['node', { node: 'nobody' }],
    ]) {
      await assertWrongArgument(field, () => safetyMargin(PAUSED, options));
    }
    const alone = await failureOf(safetyMargin(stories['first-look']));
    assert.ok(alone instanceof LocketArgumentError);
    assert.match(alone.message, /^scenario: no two runners want the same key/);
  });
});

describe('a search for a safety margin', () => {
  test('says how far it is', async () => {
    const known = [];
    await safetyMargin(PAUSED, { onProgress: ({ moments, total }) => known.push([moments, total]) });
    assert.ok(known.length > 0 && known.every(([moments, total], index) => total === 29 && moments >= (known[index - 1]?.[0] ?? 0)));
  });

  test('ends when a signal says so, and leaves all else usable', async () => {
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    const error = await failureOf(safetyMargin(SAFE, { signal: controller.signal, onProgress }));
    assert.equal(error.name, 'AbortError');
    assert.equal((await safetyMargin(PAUSED)).pointOfNoReturnMs, 23_001);
  });
});

describe('locket-wasm run --margin', () => {
  test('draws the profile, and ends with exit code 1 past a point of no return', async () => {
    const { status, stdout, stderr } = cli(['run', 'holder-paused-longer-than-its-lease', '--margin']);
    assert.equal(status, 1);
    assert.equal(stdout, (await safetyMargin(PAUSED)).text);
    assert.equal(stderr, 'locket-wasm: from 23.001 s on two owners cannot be avoided\n');
  });

  test('prints it as JSON, and ends with exit code 0 without one', async () => {
    const { status, stdout } = cli(['run', 'collision-while-the-holder-renews', '--margin', '--max-pause', '13s', '--json']);
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(stdout), await safetyMargin(COLLISION, { maxPause: '13s' }));
  });

  test('says which option is wrong, and what is wrong with a scenario', () => {
    const wrong = cli(['run', 'holder-crashes', '--margin', '--step', '1ms']);
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /^locket-wasm: --step: expected at most 10000 moments/);
    const noScenario = cli(['run', '-', '--margin'], '{ "name": 1 }');
    assert.equal(noScenario.status, 2);
    assert.match(noScenario.stderr, /^locket-wasm: -:1:11: name: /);
    assert.equal(cli(['run', 'first-look', '--margin']).status, 0);
  });
});
