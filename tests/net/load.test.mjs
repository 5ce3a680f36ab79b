// Many calls at once: none lost, none mixed up, and the memory comes back.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { LocketClient, LocketServer } from 'locket-wasm';
import { GrpcChannel } from 'locket-wasm/grpc';
import { serve } from 'locket-wasm/serve';

import { startHostile } from './support/hostile.mjs';
import { listen } from './support/listen.mjs';

const LOCK = { key: 'k', owner: 'o', ttl: '15s' };

/** Ways to a Locket: its server, what a client is made with, and what ends it. */
const WAYS = {
  async 'a fetch'() {
    const server = new LocketServer();
    // Out of order.
    const fetch = async (url, init) => (await sleep(Math.random() * 50), server.fetch(url, init));
    return { server, options: { baseUrl: 'http://locket.test', fetch }, close: () => server.close() };
  },
  async '500 sockets'() {
    const server = new LocketServer();
    const front = http.createServer(async (request, response) => {
      const init = { method: 'POST', headers: request.headers, body: await whole(request) };
      const answer = await server.fetch(`http://locket.test${request.url}`, init);
      await sleep(Math.random() * 50);
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
    });
    // Never: a server that closes an idle connection may meet the next call on it.
    front.keepAliveTimeout = 0;
    const { url, close } = await listen(front);
    // Node's own fetch opens a socket for each call, and more than a process may have.
    const agent = new http.Agent({ keepAlive: true, maxSockets: 500 });
    return { server, options: { baseUrl: url, fetch: fetchOver(agent) }, close: () => (agent.destroy(), close()) };
  },
  async 'one connection of gRPC'() {
    const { server, url, close } = await serve({ port: 0, profile: 'upstream', closeTimeout: '0s' });
    const channel = new GrpcChannel({ url });
    return { server, options: channel.clientOptions, close: async () => (await channel.close(), await close()) };
  },
};

for (const [way, open] of Object.entries(WAYS)) {
  test(`10,000 calls at once over ${way} each get their own answer, and the memory comes back`, { timeout: 300_000 }, async () => {
    const { server, options, close } = await open();
    const client = new LocketClient({ ...options, timeout: '600s' });
    await askAll(server, client, 10_000);
    const before = await used();
    await askAll(server, client, 10_000);
    const grown = (await used()) - before;
    await close();
    assert.ok(grown < 10_000_000, `${grown} bytes more after 10,000 more calls`);
  });

  test(`memory does not grow with the number of calls over ${way}, whether they succeed, fail or are given up`, { timeout: 120_000 }, async () => {
    const { options, close } = await open();
    const client = new LocketClient({ ...options, timeout: '3600s' });
    const long = new AbortController();
    const round = async () => {
      const calls = Array.from({ length: 200 }, async (_, i) => {
        if (i % 2 === 0) return client.lock(LOCK, { signal: long.signal });
        if (i % 10 !== 1) return client.fetch('nobody').catch(() => {});
        const controller = new AbortController();
        setImmediate(() => controller.abort());
        return client.lock(LOCK, { signal: controller.signal }).catch(() => {});
      });
      await Promise.all(calls);
    };
    for (let i = 0; i < 10; i += 1) await round();
    const before = await used();
    for (let i = 0; i < 20; i += 1) await round();
    const grown = (await used()) - before;
    await close();
    assert.ok(grown < 2_000_000, `${grown} bytes more after 4,000 calls`);
  });
}

function fetchOver(agent) {
  return async (url, { method, headers, body, signal }) => {
    const request = http.request(url, { agent, method, headers: { ...headers, 'content-length': body.length }, signal });
    request.end(body);
    const [answer] = await once(request, 'response');
    return new Response(await whole(answer), { status: answer.statusCode, headers: answer.headers });
  };
}

async function whole(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Every other key is held, so half of the answers are errors. */
async function askAll(locket, client, count) {
  const own = locket.client();
  for (let i = 0; i < count; i += 2) await own.lock({ key: `k${i}`, owner: `o${i}`, ttl: '3600s' });
  const answers = await Promise.all(
    Array.from({ length: count }, (_, i) => client.fetch(`k${i}`).then(({ owner }) => owner, ({ reason }) => reason)),
  );
  const wrong = answers.filter((answer, i) => answer !== (i % 2 === 0 ? `o${i}` : 'resource-not-found'));
  assert.deepEqual(wrong, []);
}

test('10,000 calls over sockets leave less than 60 bytes each', { timeout: 600_000 }, async () => {
  const hostile = await startHostile();
  try {
    const program = fileURLToPath(new URL('support/count-memory.mjs', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, hostile.url]);
    assert.ok(Number(stdout) < 60, `${stdout.trim()} bytes a call`);
  } finally {
    await hostile.close();
  }
});

/** Bytes that are in use and cannot be collected. */
async function used() {
  for (let round = 0; round < 2; round += 1) {
    await sleep(20);
    globalThis.gc();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
