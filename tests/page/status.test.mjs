// The status line's rule: what a run contains, joined with what the search says of its settings. Every row of its table.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadCore } from './support/core.mjs';

const { statusOf } = await loadCore('core/status');

const SAFE = { is: 'safe', bounds: 'messages ≤ 1 s, one freeze ≤ 7 s' };
const UNSAFE = { is: 'unsafe', longestMs: 13_000 };
const CRASH = [{ words: '1 crash', is: 'wider' }];
const STOP = [...CRASH, { words: 'a dropped table', is: 'never' }];
const run = (overlaps, others = {}) => ({
  overlaps, overlapMs: overlaps.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0), hasOwner: true, gapMs: undefined, isSettled: true, ...others,
});
const TWO = run([{ fromMs: 23_200, toMs: 26_200 }]);
const ONE = run([]);
const X = 'Two owners for 3.0 s in this run, from 23.2 s to 26.2 s.';
const Y = 'One owner at a time in this run.';
const DISAGREES = 'The search disagrees. Please report this bug.';

const ROWS = [
  ['two owners, unsafe', TWO, UNSAFE, [], 'red', `${X} These settings allow up to 13 s.`],
  ['two owners, running', TWO, { is: 'running', states: 1 }, [], 'red', `${X} Searching for the longest overlap.`],
  ['two owners, unknown', TWO, { is: 'unknown', states: 2_000_000 }, [], 'red', `${X} Longest overlap unknown: the search stopped at 2,000,000 states.`],
  ['two owners, safe, the run leaves the bounds', TWO, SAFE, CRASH, 'red', `${X} Outside the bounds of the check: 1 crash.`],
  ['two owners, safe, the run is inside the bounds', TWO, SAFE, [], 'red', `${X} ${DISAGREES}`],
  ['one owner, unsafe', ONE, UNSAFE, [], 'red-outline', `${Y} These settings allow two for up to 13 s.`],
  ['one owner, running', ONE, { is: 'running', states: 120_000 }, [], 'grey', `${Y} Searching other schedules: 120,000 states.`],
  ['one owner, unknown', ONE, { is: 'unknown', states: 2_000_000 }, [], 'grey', `${Y} Other schedules unknown: the search stopped at 2,000,000 states.`],
  ['one owner, safe, the run leaves the bounds', ONE, SAFE, CRASH, 'grey', `${Y} Outside the bounds of the check: 1 crash.`],
  ['one owner, safe, the run is inside the bounds', ONE, SAFE, [], 'green', 'Safe within these bounds: messages ≤ 1 s, one freeze ≤ 7 s.'],
  ['one owner, safe, something is open at its end', run([], { isSettled: false }), SAFE, [], 'grey', `${Y} The run ends before everything has settled.`],
  ['no owner', run([], { hasOwner: false }), UNSAFE, [], 'grey', 'No client held the lock in this run.'],
  ['several overlaps', run([{ fromMs: 0, toMs: 3_000 }, { fromMs: 9_000, toMs: 21_600 }, { fromMs: 30_000, toMs: 35_800 }]), UNSAFE, [], 'red',
    'Two owners 3 times in this run, for 21.4 s in all. These settings allow up to 13 s.'],
  ['a presence that was missing', run([], { gapMs: 4_000 }), SAFE, [], 'grey', 'No presence for 4.0 s in this run.'],
  ['longer than the search allows, the run leaves the bounds', run([{ fromMs: 0, toMs: 14_000 }]), UNSAFE, CRASH, 'red',
    'Two owners for 14.0 s in this run, from 0.0 s to 14.0 s. Within the bounds of the check these settings allow up to 13 s.'],
  ['longer than the search allows, the run is inside the bounds', run([{ fromMs: 0, toMs: 14_000 }]), UNSAFE, [], 'red',
    `Two owners for 14.0 s in this run, from 0.0 s to 14.0 s. ${DISAGREES}`],
  ['several crashes', ONE, SAFE, [{ words: '2 crashes', is: 'wider' }], 'grey', `${Y} Outside the bounds of the check: 2 crashes.`],
];

for (const [name, facts, search, leaves, tone, words] of ROWS) {
  test(`the status line of ${name}`, () => {
    const status = statusOf(facts, search, leaves);
    assert.deepEqual([status.tone, `${status.strong} ${status.rest}`.trim()], [tone, words]);
  });
}

test('a text with a problem says so, whatever is shown beside it', () => {
  const { tone, strong, rest } = statusOf(TWO, UNSAFE, [], { line: 4, message: 'retry 5 has no unit' });
  assert.deepEqual([tone, strong, rest], ['outline', 'Line 4:', 'retry 5 has no unit']);
});

test('only what the search found can be shown: a schedule beside one owner, the moment beside two', () => {
  assert.equal(statusOf(ONE, UNSAFE, []).action, 'schedule');
  assert.equal(statusOf(TWO, UNSAFE, []).action, 'moment');
  assert.equal(statusOf(ONE, SAFE, CRASH).action, 'include');
  assert.equal(statusOf(ONE, SAFE, STOP).action, undefined, 'no bounds include it');
  assert.equal(statusOf(ONE, SAFE, []).action, undefined);
});
