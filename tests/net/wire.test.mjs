// A hostile server over real sockets: whatever it answers, every call ends with the right code, and the next one works.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import * as locket from 'locket-wasm';
import { GrpcWebChannel } from 'locket-wasm/grpc';

import { startHostile } from './support/hostile.mjs';
import { runCases } from './support/judge.mjs';
import { CASES, HTTP_CASES, ODD_CASES, SPLIT_CASES, TEXT_CASES } from './support/wire_cases.mjs';

let hostile;
before(async () => (hostile = await startHostile()));
after(() => hostile.close());

const groups = { 'split at every offset': SPLIT_CASES, 'text mode': TEXT_CASES, 'HTTP statuses': HTTP_CASES };
for (const [title, cases] of Object.entries(groups)) {
  test(`every answer is read right: ${title} (${cases.length})`, async () => {
    assert.deepEqual(await runCases(locket, hostile.base, cases), []);
  });
}

for (const entry of ODD_CASES) {
  test(`an answer is read right: ${entry.name}`, async () => {
    assert.deepEqual(await runCases(locket, hostile.base, [entry]), []);
  });
}

test(`every answer over Node's own HTTP client is told right (${CASES.length})`, { timeout: 120_000 }, async () => {
  const channel = new GrpcWebChannel({ url: hostile.base });
  assert.deepEqual(await runCases(locket, hostile.base, CASES, { fetch: channel.clientOptions.fetch }), []);
  await channel.close();
});

test('an instance works on after all of them', async () => {
  const client = new locket.LocketClient({ baseUrl: `${hostile.base}/good` });
  const expected = { key: 'k', owner: 'o', value: 'v', kind: 'lock', type: 'lock', typeCode: 1 };
  assert.deepEqual(await client.fetch('k'), expected);
});

test('the names of the cases are unique', () => {
  assert.equal(new Set(CASES.map(({ name }) => name)).size, CASES.length);
});
