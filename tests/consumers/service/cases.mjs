// What the service's tests try, for each runner.

import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { serve } from 'locket-wasm/serve';
import { withLocket } from 'locket-wasm/testing';
import { makeCertificates } from './certificates.mjs';
import { startTls } from './raw-http2.mjs';
import { connect, createService } from './service.mjs';

const health = async ({ url }) => (await fetch(`${url}/health`)).text();

/** Each: what happens to a leader, and whether another one may lead after 20 s. */
const LOSSES = [
  ['calls that hang for 20 s, as in a pause', ({ network }) => (network.hangs = true), true],
  ['calls that never end, as after a crash of its machine', ({ network }) => (network.hangs = network.isGone = true), true],
  ['Locket down for 20 s', ({ server }) => server.stop(), false],
].map(([name, happens, isRivalLeader]) => [
  `${name}: the service leads, and does no work after the loss`,
  withLocket({ onUnawaited: 'ignore' }, async ({ server, clock, client }) => {
    const network = { hangs: false, isGone: false };
    const call = (...args) => (network.hangs ? new Promise(() => {}) : server.fetch(...args));
    const worked = [];
    const work = () => {
      worked.push(clock.now);
      client('work of the service').fetch('leader').catch(() => {});
    };
    const service = await createService({
      locket: { baseUrl: 'http://locket', fetch: call, clock: server.clock }, work,
      sleep: (ms) => new Promise((done) => clock.setTimeout(done, ms)),
    });
    try {
      await clock.advanceAsync('1m');
      assert.equal(await health(service), 'leader');
      assert.ok(worked.length > 50, `worked ${worked.length} times`);
      const rival = client('rival').acquire({ key: 'leader', ttl: '5s' });
      const lostBy = clock.now + 5000;
      happens({ server, network });
      await clock.advanceAsync('20s');
      assert.equal(await health(service), 'follower');
      assert.deepEqual(worked.filter((at) => at > lostBy), [], 'work after the loss');
      if (!isRivalLeader) server.start();
      await clock.advanceAsync('20s');
      if (!network.isGone) network.hangs = false;
      if (isRivalLeader) await (await rival).release();
      await clock.advanceAsync('20s');
    } finally {
      network.hangs = false;
      const stopped = service.stop();
      await clock.advanceAsync('1m');
      await stopped;
    }
    assert.equal(server.table().some(({ owner }) => owner === 'service'), false);
  }),
]);

/** In real time: TLS has no other. */
async function changeCertificates() {
  const [old, renewed] = ['old', 'new'].map(makeCertificates);
  const identityOf = ({ pem: { server: cert, serverKey: key, ca } }) => ({ cert, key, ca });
  let { pem } = old;
  const locket = await serve({ port: 0, closeTimeout: '100ms' });
  const front = await startTls(identityOf(old), Number(new URL(locket.url).port));
  const channel = connect(front.url, () => ({ ca: pem.ca, cert: pem.client, key: pem.clientKey }));
  const service = await createService({ locket: channel.clientOptions, work() {}, ttl: '3s' });
  const look = async () => ({ health: await health(service), rows: locket.server.table().map(({ owner, modified_id: id }) => ({ owner, id })) });
  try {
    while ((await health(service)) !== 'leader') await wait(20);
    const before = await look();
    assert.deepEqual(before.rows.map(({ owner }) => owner), ['service']);
    ({ pem } = renewed);
    front.renew(identityOf(renewed));
    for (const end = Date.now() + 5000; Date.now() < end; await wait(20)) {
      assert.deepEqual(await look(), before, 'the lead was lost after the certificate change');
    }
  } finally {
    await service.stop();
    for (const one of [channel, front, locket]) await one.close();
    for (const { remove } of [old, renewed]) remove();
  }
}

export const CASES = [...LOSSES, ['authority and certificates change: the service keeps its lead', changeCertificates]];
