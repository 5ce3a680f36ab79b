// Hostile servers over real sockets, of gRPC-Web and of gRPC: whatever they answer, every call ends with the right code, and the
// next one works.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import * as locket from 'locket-wasm';
import { GrpcChannel, GrpcWebChannel } from 'locket-wasm/grpc';

import { startHostile } from './support/hostile.mjs';
import { startHostileHttp2 } from './support/hostile-http2.mjs';
import * as http2 from './support/http2_cases.mjs';
import { runCases } from './support/judge.mjs';
import * as web from './support/wire_cases.mjs';

/** By who asks: the server, the channel whose `fetch` the client has, if not the global one, and the cases by what they are about. */
const CALLERS = {
  'fetch': { start: startHostile, groups: { 'split at every offset': web.SPLIT_CASES, 'text mode': web.TEXT_CASES, 'HTTP statuses': web.HTTP_CASES }, odd: web.ODD_CASES },
  "Node's own HTTP client": { start: startHostile, Channel: GrpcWebChannel, groups: { 'of every kind': web.CASES }, odd: [] },
  'gRPC': { start: startHostileHttp2, Channel: GrpcChannel, groups: { 'split at every offset': http2.SPLIT_CASES, 'HTTP statuses': http2.STATUS_CASES, 'streams that are reset': http2.RESET_CASES }, odd: http2.ODD_CASES },
};

for (const [caller, { start, Channel, groups, odd }] of Object.entries(CALLERS)) {
  describe(`over ${caller}`, () => {
    let hostile, channel;
    before(async () => {
      hostile = await start();
      channel = Channel && new Channel({ url: hostile.url });
    });
    after(async () => {
      await hostile.close();
      await channel?.close();
    });
    const run = (cases) => runCases(locket, hostile.url, cases, channel && { fetch: channel.clientOptions.fetch });

    for (const [title, cases] of Object.entries(groups)) {
      test(`every answer is read right: ${title} (${cases.length})`, { timeout: 120_000 }, async () => assert.deepEqual(await run(cases), []));
    }
    for (const entry of odd) {
      test(`an answer is read right: ${entry.name}`, async () => assert.deepEqual(await run([entry]), []));
    }

    test('a client works on after all of them', async () => {
      const client = new locket.LocketClient({ baseUrl: `${hostile.url}/good`, ...(channel && { fetch: channel.clientOptions.fetch }) });
      assert.deepEqual(await client.fetch('k'), { key: 'k', owner: 'o', value: 'v', kind: 'lock', type: 'lock', typeCode: 1 });
    });
  });
}

test('the names of the cases are unique', () => {
  for (const { CASES } of [web, http2]) assert.equal(new Set(CASES.map(({ name }) => name)).size, CASES.length);
});
