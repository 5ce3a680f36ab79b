// The same hostile server, asked from a page in Chromium, from its workers, and from a page of another origin.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { chromium } from 'playwright-core';

import { findChromium } from '../serve/support/page.mjs';
import { startHostile } from './support/hostile.mjs';
import { CASES } from './support/wire_cases.mjs';

const ARGUMENTS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

let browser;
let here;
let strict;
let exposing;
let page;

before(async () => {
  browser = await chromium.launch({ executablePath: findChromium() ?? assert.fail('no Chromium was found; run: .ci/setup browser'), args: ARGUMENTS });
  here = await startHostile();
  strict = await startHostile({ cors: { 'access-control-allow-origin': '*' } });
  exposing = await startHostile({
    cors: { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'grpc-status,grpc-message' },
  });
  page = await browser.newPage();
  await page.goto(`${here.url}/files/page.html`);
});
after(async () => {
  await browser?.close();
  await Promise.all([here, strict, exposing].map((server) => server?.close()));
});

for (const entry of ['web.js', 'client-web.js']) {
  test(`a page with ${entry} reads every answer right (${CASES.length})`, { timeout: 120_000 }, async () => {
    const problems = await page.evaluate(async (name) => {
      const locket = await import(`/files/pkg/dist/${name}`);
      const { runCases } = await import('/files/tests/net/support/judge.mjs');
      const { CASES } = await import('/files/tests/net/support/wire_cases.mjs');
      return runCases(locket, '', CASES);
    }, entry);
    assert.deepEqual(problems, []);
  });
}

test('a page loads the module while it arrives', async () => {
  const expired = await page.evaluate(async () => {
    const { init, LocketServer } = await import('/files/pkg/dist/web.js');
    await init('/files/pkg/dist/simulator.wasm');
    const server = new LocketServer();
    await server.client().lock({ key: 'bbs', owner: 'bbs-0', ttl: '15s' });
    server.clock.advance('15s');
    return server.stats().locksExpired;
  });
  assert.equal(expired, 1);
});

test('a page loads the messages at the first request, and not before', async () => {
  const fresh = await browser.newPage();
  const asked = [];
  fresh.on('request', (request) => asked.push(request.url()));
  const loadedMessages = () => asked.some((url) => url.endsWith('/messages-module.js'));
  try {
    await fresh.goto(`${here.url}/files/page.html`);
    await fresh.evaluate(async () => {
      const { init, LocketClient, LocketServer } = await import('/files/pkg/dist/web.js');
      await init('/files/pkg/dist/simulator.wasm');
      globalThis.server = new LocketServer();
      await globalThis.server.client().lock({ key: 'bbs', owner: 'bbs-0', ttl: '15s' });
      globalThis.wire = new LocketClient({ baseUrl: 'http://locket.test', fetch: globalThis.server.fetch });
    });
    assert.equal(loadedMessages(), false);
    const told = await fresh.evaluate(async () => {
      const request = { method: 'POST', path: '/models.Locket/Fetch', headers: ['content-type', 'application/grpc'], body: new Uint8Array([0, 0, 0, 0, 3, 10, 1, 107]) };
      const { owner } = await globalThis.wire.fetch('bbs');
      return [owner, globalThis.server.handle(request).headers];
    });
    assert.deepEqual(told, ['bbs-0', ['content-type', 'application/grpc', 'grpc-status', '5', 'grpc-message', 'resource-not-found']]);
    assert.equal(loadedMessages(), true);
  } finally {
    await fresh.close();
  }
});

const POLICIES = {
  "script-src 'self' 'wasm-unsafe-eval'": 'loaded',
  "script-src 'self'": 'csp',
};
for (const [policy, expected] of Object.entries(POLICIES)) {
  test(`under ${policy} imports work, and the first use is: ${expected}`, async () => {
    const guarded = await browser.newPage();
    try {
      const answer = { contentType: 'text/html', headers: { 'content-security-policy': policy }, body: '<!doctype html>' };
      await guarded.route('**/guarded.html', (route) => route.fulfill(answer));
      await guarded.goto(`${here.url}/guarded.html`);
      const told = await guarded.evaluate(async () => {
        const tell = ({ reason, message }) => `${reason} ${message}`;
        const { init, LocketClient, LocketServer } = await import('/files/pkg/dist/web.js');
        const { explore } = await import('/files/pkg/dist/check-web.js');
        const simulator = await init().then(() => (new LocketServer().close(), 'loaded'), tell);
        const checker = await explore({ ttl: '3s', retryInterval: '1s' }).then(() => 'loaded', tell);
        const messages = await new LocketClient({ baseUrl: '/good' }).fetch('k').then(() => 'loaded', tell);
        return [simulator, checker, messages];
      });
      for (const what of told) assert.ok(what.startsWith(expected), what);
      if (expected === 'csp') for (const what of told) assert.match(what, /'wasm-unsafe-eval'/);
    } finally {
      await guarded.close();
    }
  });
}

test('a module worker reads answers right', async () => {
  assert.deepEqual(await page.evaluate(inWorker, 'worker'), []);
});

test('a service worker reads answers right', async () => {
  assert.deepEqual(await page.evaluate(inWorker, 'service'), []);
});

const COLLISION = 'content-type-html-with-status';

test('a page of another origin sees a refusal if the proxy exposes its headers', async () => {
  const error = await fetchFrom(exposing.url, COLLISION);
  assert.equal(error.reason, 'lock-collision');
});

test('the error in a page of another origin without a status names the headers to expose', async () => {
  const error = await fetchFrom(strict.url, 'status-in-headers');
  assert.deepEqual([error.code, error.outcome], [2, 'no-effect']);
  assert.match(error.message, /access-control-expose-headers lacks grpc-status, grpc-message; a native gRPC port/);
});

test('a page of another origin succeeds with a status in the trailers, exposed headers or not', async () => {
  assert.equal((await fetchFrom(strict.url, 'good')).key, 'k');
});

test('the error in a page that may not call mentions CORS', async () => {
  const error = await fetchFrom(here.url.replace('127.0.0.1', 'localhost'), 'good');
  assert.deepEqual([error.code, error.outcome, error.causeName], [14, 'no-effect', 'TypeError']);
  assert.match(error.message, /CORS/);
});

test('a page that gives a call up closes its connection', async () => {
  const called = here.called('never-ending');
  await page.evaluate(async () => {
    const { LocketClient } = await import('/files/pkg/dist/web.js');
    const controller = new AbortController();
    const call = new LocketClient({ baseUrl: '/never-ending' }).fetch('k', { signal: controller.signal });
    globalThis.givenUp = () => (controller.abort(), call.catch((error) => error.codeName));
  });
  await called;
  const code = await page.evaluate(() => globalThis.givenUp());
  assert.equal(code, 'Canceled');
  const isClosed = () => here.closed.some(({ url, whole }) => url.startsWith('/never-ending/') && !whole);
  for (let waits = 0; !isClosed() && waits < 100; waits += 1) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(isClosed());
});

test('a page keeps a lock on its own timers, and another gets it when it is given up', async () => {
  const told = await page.evaluate(async () => {
    const { init, LocketClient, LocketServer } = await import('/files/pkg/dist/web.js');
    await init();
    const server = new LocketServer({ clock: 'ambient' });
    const client = new LocketClient({ baseUrl: '/locket', fetch: (input, init) => server.fetch(new URL(input, location.href), init) });
    const options = { key: 'bbs', ttl: '3600s', retryInterval: '3s' };
    const lock = await client.acquire({ ...options, owner: 'bbs-0' });
    await new Promise((resolve) => lock.runner.addEventListener('renewed', resolve, { once: true }));
    const next = client.acquire({ ...options, owner: 'bbs-1' });
    const exit = await lock.release();
    const other = await next;
    await other.release();
    return { exit, reason: lock.signal.reason.name, held: lock.held, owner: other.owner, table: server.table() };
  });
  const exit = { reason: 'stopped', released: true, error: undefined };
  assert.deepEqual(told, { exit, reason: 'AbortError', held: false, owner: 'bbs-1', table: [] });
});

async function fetchFrom(base, name) {
  return page.evaluate(async ([baseUrl]) => {
    const { LocketClient } = await import('/files/pkg/dist/web.js');
    const plain = ({ code, outcome, reason, message, cause }) => ({ code, outcome, reason, message, causeName: cause?.name });
    return new LocketClient({ baseUrl }).fetch('k').catch(plain);
  }, [`${base}/${name}`]);
}

/** In the page: runs the odd cases in a worker of that kind. */
async function inWorker(kind) {
  const url = '/files/tests/net/support/worker.mjs';
  const channel = new MessageChannel();
  const answer = new Promise((resolve) => (channel.port1.onmessage = ({ data }) => resolve(data)));
  let worker;
  if (kind === 'worker') worker = new Worker(url, { type: 'module' });
  else {
    const registration = await navigator.serviceWorker.register(url, { type: 'module', scope: '/nowhere' });
    worker = registration.installing ?? registration.active;
  }
  worker.postMessage('run', [channel.port2]);
  return answer;
}
