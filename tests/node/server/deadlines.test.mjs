// Latency and deadlines on the virtual clock: who waits how long, and what nobody knows afterwards.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Code } from 'locket-wasm';

import { assertMembers, failureOf, isSettled, lockOf, start } from '../support/helpers.mjs';

const UNKNOWN_DEADLINE = { code: Code.DeadlineExceeded, rawMessage: 'context deadline exceeded', outcome: 'unknown' };

test('an answer arrives when its latency has passed on the clock, and so does a refusal', async () => {
  const { client, clock } = start({ latency: '250ms' });
  const calls = [client.lock(lockOf('bbs', 'bbs-0')), client.fetch('nobody')];
  const settled = () => Promise.all(calls.map(isSettled));

  await clock.advanceAsync('249ms');
  assert.deepEqual(await settled(), [false, false]);
  await clock.advanceAsync('1ms');
  assert.deepEqual(await settled(), [true, true]);
});

test('a call whose answer would come too late ends at its deadline, and may be done', async () => {
  const { server, client, clock } = start({ latency: '250ms' });
  const locked = failureOf(client.lock(lockOf('bbs', 'bbs-0'), { timeout: '100ms' }));

  await clock.advanceAsync('99ms');
  assert.equal(await isSettled(locked), false);
  await clock.advanceAsync('1ms');

  assertMembers(await locked, UNKNOWN_DEADLINE);
  assert.equal(server.table()[0].owner, 'bbs-0');
});

test('an answer at the very instant of the deadline is in time', async () => {
  const { client, clock } = start({ latency: '250ms' });
  const locked = client.lock(lockOf('bbs', 'bbs-0'), { timeout: '250ms' });
  clock.advance('250ms');
  await locked;
});

test('no time at all is never enough, and nothing is done', async () => {
  const { server, client } = start();
  assertMembers(await failureOf(client.lock(lockOf('bbs', 'bbs-0'), { timeout: '0s' })), UNKNOWN_DEADLINE);
  assert.deepEqual(server.table(), []);
  assertMembers(await failureOf(client.fetchAll({ kind: 'lock' }, { timeout: '0s' })), { ...UNKNOWN_DEADLINE, outcome: 'no-effect' });
});

test('a signal that is aborted while the call waits leaves the outcome unknown', async () => {
  const { server, client, clock } = start({ latency: '1s' });
  const controller = new AbortController();
  const locked = failureOf(client.lock(lockOf('bbs', 'bbs-0'), { signal: controller.signal }));
  await clock.advanceAsync('500ms');

  controller.abort();

  assertMembers(await locked, { code: Code.Canceled, outcome: 'unknown' });
  assert.equal(server.table().length, 1);
  // Only the lease is left: nobody waits for the answer any more.
  assert.equal(clock.pending, 1);
});
