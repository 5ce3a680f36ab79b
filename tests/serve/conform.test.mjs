// `conform` against the reference server, and against copies of it with a fault each.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { durationMs } from 'locket-wasm';
import { serve } from 'locket-wasm/serve';

import { startFaulty } from './support/faulty.mjs';
import { startServe } from './support/serve-process.mjs';

const CLI = fileURLToPath(new URL('../../pkg/dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'locket-conform-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs it to its end: `{code, stdout, stderr}`. */
async function conform(address, ...args) {
  const child = spawn(process.execPath, [CLI, 'conform', '--url', address, ...args]);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

const refusal = (code, rawMessage) => Object.assign(new Error(rawMessage), { code, rawMessage });
const changed = (call, change) => call.catch((error) => Promise.reject(change(error) ?? error));
/** Unless the server has ended by then. */
function deleteLater(server, key, ms) {
  setTimeout(() => {
    try {
      server.deleteRow(key);
    } catch {}
  }, ms);
}

const isLease = (ttl) => !/^(?:0|-\d+)s$/.test(ttl);

/** By what is wrong. */
const FAULTS = {
  'a collision has another code': ({ lock }) => ({
    lock: (request) => changed(lock(request), ({ code, rawMessage }) => (code === 6 ? refusal(9, rawMessage) : undefined)),
  }),
  'a refusal has another text': ({ fetch }) => ({
    fetch: (key) => changed(fetch(key), ({ code }) => (code === 5 ? refusal(5, 'not found') : undefined)),
  }),
  'a lock that another owner holds is granted': ({ lock }, server) => ({
    lock: (request) => lock(request).catch((error) => {
      if (error.reason !== 'lock-collision') throw error;
      server.deleteRow(request.key);
      return lock(request);
    }),
  }),
  'a release is confirmed and not done': () => ({ release: async () => {} }),
  'a release of a missing key is refused': ({ fetch, release }) => ({
    release: async (request) => {
      await fetch(request.key);
      await release(request);
    },
  }),
  "another owner's lock is released": (_, server) => ({ release: async ({ key }) => void server.deleteRow(key) }),
  'a lease ends early': ({ lock }, server) => ({
    lock: async (request) => {
      await lock(request);
      if (request.ttl === '1s') deleteLater(server, request.key, 300);
    },
  }),
  'a lease ends late': ({ lock }) => ({ lock: (request) => lock({ ...request, ttl: isLease(request.ttl) ? `${durationMs(request.ttl) + 2_000}ms` : request.ttl }) }),
  'a renewal does not extend the lease': ({ fetch, lock }) => ({
    lock: async (request) => {
      const held = await fetch(request.key).catch(() => undefined);
      const isRenewal = held?.owner === request.owner && held.value === request.value && isLease(request.ttl);
      if (!isRenewal) await lock(request);
    },
  }),
  'a value is cut': ({ fetch }) => ({ fetch: async (key) => ({ ...(await fetch(key)), value: '' }) }),
  'a renewal keeps the old value': ({ fetch, lock }) => ({
    lock: async (request) => {
      const held = await fetch(request.key).catch(() => undefined);
      await lock(held?.owner === request.owner ? { ...request, value: held.value } : request);
    },
  }),
  'a list has presences among locks': ({ fetchAll }) => ({
    fetchAll: async (request) => [...(await fetchAll(request)), ...(request.typeCode === 1 ? await fetchAll({ typeCode: 2 }) : [])],
  }),
  'a list leaves out what has no value': ({ fetchAll }) => ({ fetchAll: async (request) => (await fetchAll(request)).filter(({ value }) => value !== '') }),
  'a TTL of 0 is taken': ({ lock }) => ({ lock: (request) => lock({ ...request, ttl: request.ttl === '0s' ? '60s' : request.ttl }) }),
};

test('the reference server passes, and keeps nothing of it', { timeout: 120_000 }, async () => {
  const locket = await serve({ port: 0, profile: 'upstream' });
  const { host } = new URL(locket.url);
  const { code, stdout } = await conform(host);
  const rows = locket.server.table();
  await locket.close();
  assert.deepEqual([code, rows], [0, []], stdout);
  assert.match(stdout, /^\d+ recorded cases, 100 sequences \(seed 0\), [\d,]+ calls\. No difference from upstream\.\n$/);
});

test('an endpoint that reads slowly differs in nothing: leases of a second end while it reads', { timeout: 120_000 }, async () => {
  const slowly = (call) => async (request) => (await sleep(300), call(request));
  const slow = await startFaulty(({ fetch, fetchAll }) => ({ fetch: slowly(fetch), fetchAll: slowly(fetchAll) }));
  const { code, stdout } = await conform(slow.address, '--sequences', '30');
  await slow.close();
  assert.equal(code, 0, stdout);
});

test('the same over gRPC-Web', { timeout: 120_000 }, async () => {
  const locket = await serve({ port: 0, profile: 'upstream' });
  const { code, stdout } = await conform(locket.url, '--sequences', '10');
  await locket.close();
  assert.equal(code, 0, stdout);
});

for (const profile of ['documented', 'upstream']) {
  test(`serve with the profile ${profile} and conform agree by default`, { timeout: 120_000 }, async () => {
    const locket = await serve({ port: 0, profile });
    const { code, stdout, stderr } = await conform(new URL(locket.url).host, '--sequences', '10');
    await locket.close();
    assert.equal(code, 0, stdout);
    assert.match(stdout, new RegExp(`No difference from ${profile}\\.\n$`));
    // On a busy machine its progress follows.
    assert.equal(stderr.split('\n')[0], `locket-wasm: the endpoint imitates ${profile}`);
  });
}

test('serve without options and conform without options agree', { timeout: 120_000 }, async () => {
  const locket = await startServe('--port', '0');
  const { code, stdout } = await conform(locket.url, '--sequences', '10');
  await locket.end();
  assert.equal(code, 0, stdout);
});

test('another profile than that of the endpoint is said at once', async () => {
  const locket = await serve({ port: 0 });
  const { code, stdout, stderr } = await conform(locket.url, '--profile', 'upstream');
  const { lock } = locket.server.stats().requests;
  await locket.close();
  assert.deepEqual([code, stdout, lock.started], [1, '', 0]);
  assert.match(stderr, /the endpoint imitates documented, not upstream; pass the --profile/);
});

test('a virtual clock is said at once', async () => {
  const locket = await serve({ port: 0, clock: 'virtual' });
  const { code, stdout, stderr } = await conform(locket.url);
  const { lock } = locket.server.stats().requests;
  await locket.close();
  assert.deepEqual([code, stdout, lock.started], [2, '', 0]);
  assert.match(stderr, /the endpoint has a virtual clock.*--clock real/);
});

test('an endpoint that does not name its profile is known by a call, before the comparison', { timeout: 120_000 }, async () => {
  const copy = await startFaulty(FAULTS['a release of a missing key is refused']);
  const { code, stderr } = await conform(copy.address, '--sequences', '0');
  await copy.close();
  assert.equal(code, 1);
  assert.match(stderr, /^locket-wasm: a Release of a missing key is refused here, as in the profile documented; this compares with upstream\n/);
});

test('a profile with switches of its own is compared with the shipped Locket', { timeout: 120_000 }, async () => {
  const locket = await serve({ port: 0, profile: { extends: 'upstream', releaseMissing: 'not-found' } });
  const { code, stdout, stderr } = await conform(locket.url, '--sequences', '5');
  await locket.close();
  assert.equal(code, 1, stdout);
  assert.match(stderr, /^locket-wasm: the endpoint imitates a profile of its own\n/);
});

test('each database is what it says', { timeout: 120_000 }, async () => {
  const locket = await serve({ port: 0, profile: { extends: 'upstream', database: 'mysql' } });
  const { host } = new URL(locket.url);
  const right = await conform(host, '--sequences', '30');
  const wrong = await conform(host, '--sequences', '10', '--database', 'postgres');
  await locket.close();
  assert.deepEqual([right.code, wrong.code], [0, 1], right.stdout);
  assert.match(right.stdout, /No difference from upstream on mysql\.\n$/);
  assert.match(wrong.stderr, /imitates upstream on mysql, not upstream;/);
});

test('a copy without a fault passes', { timeout: 120_000 }, async () => {
  const copy = await startFaulty();
  const { code, stdout } = await conform(copy.address, '--sequences', '20');
  await copy.close();
  assert.equal(code, 0, stdout);
});

describe('it finds that', { concurrency: 4 }, () => {
  for (const [what, fault] of Object.entries(FAULTS)) {
    test(what, { timeout: 240_000 }, async () => {
      const copy = await startFaulty(fault);
      let found = await conform(copy.address, '--sequences', '10');
      // On a busy machine, what is wrong for some 100 ms may be over when the next call comes.
      for (let run = 1; run < 5 && found.code === 0; run += 1) found = await conform(copy.address, '--sequences', '10');
      await copy.close();
      const { code, stdout, stderr } = found;
      assert.equal(code, 1, `${stdout}${stderr}`);
      assert.match(stdout, /expected .*\n +got .*/);
      assert.match(stderr, /differences? from upstream$/m);
    });
  }
});

test('differences are in the JUnit report, with both answers', { timeout: 120_000 }, async () => {
  const file = join(folder, 'report.xml');
  const copy = await startFaulty(FAULTS['a collision has another code']);
  await conform(copy.address, '--sequences', '0', '--junit', file);
  await copy.close();
  const report = readFileSync(file, 'utf8');
  assert.match(report, /<testsuite name="conform upstream" tests="\d+" failures="[1-9]\d*" errors="0">/);
  assert.match(report, /expected AlreadyExists lock-collision\n +got +FailedPrecondition lock-collision/);
});

test('an endpoint that is not there is no endpoint with differences', async () => {
  const { code, stdout, stderr } = await conform('127.0.0.1:1');
  assert.deepEqual([code, stdout, /ECONNREFUSED/.test(stderr)], [4, '', true]);
});
