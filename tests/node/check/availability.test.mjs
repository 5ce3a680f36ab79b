// Whether healthy owners keep what they hold: each check is the answer to its own question.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { LocketArgumentError } from 'locket-wasm';
import { checkAvailability, explore } from 'locket-wasm/check';

const SETTINGS = { runner: 'upstream', profile: 'upstream', latency: '1s' };

test('explore gives the verdict and the bounds of each check to its question', async () => {
  const checks = await checkAvailability(SETTINGS);
  assert.equal(checks.length, 8);
  for (const { question, verdict, bounds, processes } of checks) {
    assert.equal(question.processes, processes);
    const asked = await explore(question, { longest: false });
    assert.deepEqual([asked.verdict, asked.bounds], [verdict, bounds]);
  }
});

test('a client alone is asked only whether it gives up, a presence also about its row', async () => {
  const properties = async (question) => new Set((await checkAvailability(question)).map(({ property }) => property));
  assert.deepEqual(await properties({ ...SETTINGS, clients: [{}] }), new Set(['false-loss']));
  assert.deepEqual(await properties({ ...SETTINGS, kind: 'presence', clients: [{}] }), new Set(['false-loss', 'presence-gap']));
});

test('progress names the event, and a signal ends it', async () => {
  const controller = new AbortController();
  const events = [];
  const onProgress = ({ event }) => {
    events.push(event);
    controller.abort();
  };
  await assert.rejects(checkAvailability(SETTINGS, { signal: controller.signal, onProgress }), { name: 'AbortError' });
  assert.equal(events[0], 'restart');
});

test('an argument that makes no sense is refused by its name', async () => {
  for (const [field, question] of [['latency', { latency: 1 }], ['ttl', { ttl: '0s' }], ['question.nothing', { nothing: 1 }]]) {
    await assert.rejects(checkAvailability(question), (error) => error instanceof LocketArgumentError && error.field === field, field);
  }
});
