// Safety margins: how near a run is to two owners, from programs and on the command line. sim/tests/runs/safety_margin.rs asserts
// the margins themselves.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { LocketArgumentError, Simulation } from 'locket-wasm';
import { safetyMargin } from 'locket-wasm/check';
import { stories } from 'locket-wasm/stories';

import { cli } from '../support/command-line.mjs';
import { assertMembers, assertWrongArgument, failureOf } from '../support/helpers.mjs';

const PAUSED = stories['holder-paused-longer-than-its-ttl'];
const COLLISION = stories['collision-while-the-holder-renews'];

const regular = ({ moments }) => moments.filter(({ after }) => !after);
const seconds = (profile) => regular(profile).map(({ smallestMs }) => smallestMs && smallestMs / 1000);

describe('a safety margin', () => {
  test('has its moments, and the point of no return', async () => {
    const profile = await safetyMargin(PAUSED);
    assert.deepEqual(seconds(profile).slice(5), [13, 18, ...Array(20).fill(0), null, null]);
    assert.deepEqual(profile.moments[5], { atMs: 5_000, after: false, smallestMs: 13_000, node: 'bbs-0', lastsAlready: false });
    assertMembers(profile, { pointOfNoReturnMs: 23_001, harmMs: 23_200, unavoidable: [{ fromMs: 23_001, toMs: 26_200 }] });
    assert.match(profile.text, /^ {4}5\.000 s {2}█+ +bbs-0 paused for 13 s$/m);
  });

  test('is that of the branch that a simulation is in', async () => {
    const simulation = new Simulation(COLLISION);
    simulation.runUntil('6s');
    simulation.act({ do: 'pause', node: 'bbs-0', for: '12s' });
    assert.deepEqual(seconds(await safetyMargin(simulation)).slice(6, 9), [17, 16, 15]);
    assert.equal(simulation.nowMs, 6_000);
    simulation.close();
  });

  test('asks for what its options say', async () => {
    const fine = await safetyMargin(PAUSED, { step: '5s', pauseStep: '100ms', maxPause: '13s' });
    assert.equal(regular(fine).length, 6);
    assert.deepEqual(fine.moments[1], { atMs: 5_000, after: false, smallestMs: 12_900, node: 'bbs-0', lastsAlready: false });
    const { moments, ...gap } = await safetyMargin(stories['presence-comes-back-after-a-gap'], { fault: 'isolation', node: 'cell-1', pauseStep: '100ms' });
    assertMembers(gap, { harm: 'presence-gap', harmMs: 20_000 });
    assert.deepEqual(new Set(moments.map(({ node }) => node)), new Set(['cell-1', null]));
  });

  for (const [field, options] of [['fault', { fault: 'nap' }], ['maxPause', { maxPause: '2h' }], ['pauseStep', { pauseStep: '0s' }], ['step', { step: '1ms' }], ['step', { step: 1000 }], ['node', { node: 'nobody' }]]) {
    test(`refuses ${JSON.stringify(options)}`, () => assertWrongArgument(field, () => safetyMargin(PAUSED, options)));
  }

  test('needs two runners that want the same key', async () => {
    const alone = await failureOf(safetyMargin(stories['first-look']));
    assert.ok(alone instanceof LocketArgumentError);
    assert.match(alone.message, /^scenario: no two runners want the same key/);
  });
});

describe('locket-wasm run --margin', () => {
  test('draws the profile, and ends with exit code 1 past a point of no return', async () => {
    const { status, stdout, stderr } = cli(['run', 'holder-paused-longer-than-its-ttl', '--margin']);
    assert.deepEqual([status, stdout], [1, (await safetyMargin(PAUSED)).text]);
    assert.equal(stderr, 'locket-wasm: from 23.001 s on two owners cannot be avoided\n');
  });

  test('ends with exit code 0 without one, or without rivals', () => {
    for (const story of ['collision-while-the-holder-renews', 'first-look']) assert.equal(cli(['run', story, '--margin', '--max-pause', '13s']).status, 0);
  });
});
