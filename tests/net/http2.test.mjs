// A hostile gRPC server over real sockets, the twin of wire.test.mjs: whatever it answers, every call ends with the right
// code, and the next one works.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import * as locket from 'locket-wasm';
import { GrpcChannel } from 'locket-wasm/grpc';

import { startHostileHttp2 } from './support/hostile-http2.mjs';
import { CASES, ODD_CASES, RESET_CASES, SPLIT_CASES, STATUS_CASES } from './support/http2_cases.mjs';
import { runCases } from './support/judge.mjs';

let hostile, channel;
before(async () => {
  hostile = await startHostileHttp2();
  channel = new GrpcChannel({ url: hostile.url });
});
after(async () => {
  await hostile.close();
  await channel.close();
});

const run = (cases) => runCases(locket, hostile.url, cases, { fetch: channel.clientOptions.fetch });

const groups = { 'split at every offset': SPLIT_CASES, 'HTTP statuses': STATUS_CASES, 'streams that are reset': RESET_CASES };
for (const [title, cases] of Object.entries(groups)) {
  test(`every answer over HTTP/2 is read right: ${title} (${cases.length})`, async () => {
    assert.deepEqual(await run(cases), []);
  });
}

for (const entry of ODD_CASES) {
  test(`an answer over HTTP/2 is read right: ${entry.name}`, async () => {
    assert.deepEqual(await run([entry]), []);
  });
}

test('a channel works on after all of them', async () => {
  assert.deepEqual(await run([ODD_CASES[0]]), []);
});

test('the names of the cases are unique', () => {
  assert.equal(new Set(CASES.map(({ name }) => name)).size, CASES.length);
});
