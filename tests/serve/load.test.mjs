// Many calls at once: none is lost, none gets another's answer, and nothing is left behind.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { serve } from 'locket-wasm/serve';

import { frame } from '../wire/grpc-web.mjs';
import { connectWeb, grpcJs, LOCK } from './support/clients.mjs';
import { exchange } from './support/raw.mjs';
import { control, startServe } from './support/serve-process.mjs';
import { lockFrame, overHttp1, overHttp2 } from './support/thin-clients.mjs';

const CALLS = 10_000;
const CONNECTIONS = 50;

describe(`${CALLS} calls over ${CONNECTIONS} connections`, () => {
  let serving;
  before(async () => (serving = await serve({ port: 0, profile: 'upstream' })));
  after(() => serving?.close());

  for (const [name, makeClient] of [
    ['grpc-js', grpcJs],
    ['connect-web', connectWeb],
  ]) {
    it(`${name}: none is lost, none mixed up`, async () => {
      const { started, failed } = countersOf(serving.server);
      const clients = Array.from({ length: CONNECTIONS }, () => makeClient(serving.url));
      await Promise.all(clients.map((client, index) => callInTurn(client, `${name}-${index}`)));
      for (const client of clients) client.close();
      const counters = countersOf(serving.server);
      assert.deepEqual([counters.started - started, counters.failed - failed], [CALLS, 0]);
    });
  }
});

const CLIENTS = 10_000;
/** Connections that are opened at once. */
const OPENED_AT_ONCE = 200;
const filesMax = Number(execFileSync('sh', ['-c', 'ulimit -Hn']).toString().replace('unlimited', 'Infinity'));

for (const [protocol, open] of Object.entries({ 'gRPC-Web': overHttp1, gRPC: overHttp2 })) {
  it(`${CLIENTS} clients, each over a connection of its own with ${protocol}, have their locks and keep them`, {
    skip: filesMax < CLIENTS + 1_000 && `a process may open ${filesMax} files here`,
  }, async () => {
    const serving = await startServe('--port', '0', '--control-port', '0', '--profile', 'upstream');
    const clients = [];
    while (clients.length < CLIENTS) {
      const wave = Array.from({ length: OPENED_AT_ONCE }, (_, index) => open(serving.url, lockFrame(`key-${clients.length + index}`, 3_600)));
      await Promise.all(wave.map((client) => client.call()));
      clients.push(...wave);
    }
    for (let first = 0; first < CLIENTS; first += OPENED_AT_ONCE) await Promise.all(clients.slice(first, first + OPENED_AT_ONCE).map((client) => client.call()));
    // So many connections may be open.
    await assert.rejects(overHttp1(serving.url, lockFrame('more', 3_600)).call(), { code: 'ECONNRESET' });
    const { answer: rows } = await control(serving.controlUrl, '/table');
    for (const client of clients) client.close();
    await serving.end();
    assert.deepEqual([rows.length, rows.every(({ path, owner, modified_index }) => path === owner && modified_index === 2)], [CLIENTS, true]);
  });
}

const HEAD = 'POST /models.Locket/Fetch HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/grpc-web+proto\r\n';
const BODY = frame(Buffer.alloc(4 * 1024 * 1024)).subarray(0, -1);
const PIECE = Buffer.from('1\r\nx\r\n'.repeat(100_000));

for (const [what, connections, pieces] of [
  ['200 bodies of 4 MiB that stay open', 200, [`${HEAD}content-length: ${BODY.length + 1}\r\n\r\n`, BODY]],
  ['3,000,000 pieces of one byte', 1, [`${HEAD}transfer-encoding: chunked\r\n\r\n`, ...Array.from({ length: 30 }, () => PIECE)]],
]) {
  it(`${what} do not fill the memory`, { skip: process.platform !== 'linux' && 'only Linux says how much a process had' }, async () => {
    const serving = await startServe('--port', '0');
    const sent = Array.from({ length: connections }, () => exchange(serving.url, pieces, { until: 'grpc-status' }));
    await Promise.race([Promise.all(sent), sleep(8_000)]);
    const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${serving.pid}/status`, 'utf8'));
    await serving.end('SIGKILL');
    assert.ok(peak < 450_000, `${peak} KB`);
  });
}

/** Half of the calls take the lock of this client, half read it back. */
async function callInTurn(client, key) {
  for (let call = 0; call < CALLS / CONNECTIONS / 2; call += 1) {
    const value = `${key} ${call}`;
    await client.lock({ key, owner: key, value, typeCode: LOCK, ttl: '60s' });
    assert.equal((await client.fetch(key)).value, value);
  }
}

function countersOf(server) {
  const { lock, fetch } = server.stats().requests;
  return { started: lock.started + fetch.started, failed: lock.failed + fetch.failed };
}
