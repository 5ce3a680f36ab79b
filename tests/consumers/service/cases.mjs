// What the service's tests try, for each runner.

import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { serve } from 'locket-wasm/serve';
import { assertHoldsLock, everyFault, withLocket } from 'locket-wasm/testing';
import { makeCertificates } from './certificates.mjs';
import { startTls } from './raw-http2.mjs';
import { connect, createService, startElection } from './service.mjs';

/**
 * Two services, `a` first, each on a machine of its own: their clients, timers and work stand still and end with it. The HTTP
 * endpoint is real I/O, which no machine holds up, so only the test of the certificates has one.
 */
function startServices({ host, oneAtATime }) {
  const leading = oneAtATime('leading');
  const services = ['a', 'b'].map((owner) =>
    host(owner, ({ fetch }) => {
      let leave;
      startElection({
        locket: { baseUrl: 'http://locket', fetch, owner },
        work: () => leading.act('works'),
        onState: (state) => (leave = state === 'leader' ? leading.enter() : leave()),
      });
    }),
  );
  return { leading, services };
}

/** Each: what happens to the leader, and who leads a minute later. */
const LOSSES = [
  ['it is paused for 20 s', ({ leader }) => leader.client.pause('20s'), 'b'],
  ['it crashes, and starts again after 20 s', ({ leader }) => leader.restart('20s'), 'b'],
  ['Locket is down for 20 s', ({ server, clock }) => {
    server.stop();
    clock.setTimeout(() => server.start(), 20_000);
  }, 'b'],
].map(([name, happens, next]) => [
  `${name}: the service leads, and does no work after the loss`,
  withLocket(async (test) => {
    const { server, clock } = test;
    const { services: [leader] } = startServices(test);
    await clock.advanceAsync('1m');
    assertHoldsLock(server, 'leader', 'a');
    happens({ server, clock, leader });
    await clock.advanceAsync('1m');
    assertHoldsLock(server, 'leader', next);
  }),
]);

const SEARCH = everyFault({ budget: 160 }, async (test) => {
  const { clock, healed, fail } = test;
  const { leading } = startServices(test);
  await clock.advanceAsync('20s');
  healed();
  await clock.advanceAsync('30s');
  if (leading.emptyMs > 20_000) fail('nobody leads');
});

/** In real time: TLS has no other. */
async function changeCertificates() {
  const [old, renewed] = ['old', 'new'].map(makeCertificates);
  const identityOf = ({ pem: { server: cert, serverKey: key, ca } }) => ({ cert, key, ca });
  let { pem } = old;
  const locket = await serve({ port: 0, closeTimeout: '100ms' });
  const front = await startTls(identityOf(old), Number(new URL(locket.url).port));
  const channel = connect(front.url, () => ({ ca: pem.ca, cert: pem.client, key: pem.clientKey }));
  const service = await createService({ locket: { ...channel.clientOptions, owner: 'service' }, work() {}, ttl: '3s' });
  const health = async () => (await fetch(`${service.url}/health`)).text();
  const look = async () => ({ health: await health(), rows: locket.server.table().map(({ owner, modified_id: id }) => ({ owner, id })) });
  try {
    while ((await health()) !== 'leader') await wait(20);
    const before = await look();
    assert.deepEqual(before.rows.map(({ owner }) => owner), ['service']);
    ({ pem } = renewed);
    front.renew(identityOf(renewed));
    for (const end = Date.now() + 5000; Date.now() < end; await wait(20)) {
      assert.deepEqual(await look(), before, 'the lead was lost after the certificate change');
    }
    await service.stop();
    assert.deepEqual(locket.server.table(), [], 'a service that stops leaves its lock to others');
  } finally {
    await service.stop();
    for (const one of [channel, front, locket]) await one.close();
    for (const { remove } of [old, renewed]) remove();
  }
}

export const CASES = [
  ...LOSSES,
  ['whatever fails at whatever moment, one service works at a time, and one leads afterwards', SEARCH],
  ['authority and certificates change: the service keeps its lead', changeCertificates],
];
