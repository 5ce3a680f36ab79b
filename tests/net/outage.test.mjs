// Clients of the package over gRPC at 20 phases of their retry interval, and a Locket that is killed and started again: the TTL that
// survive() names against the field. ROUNDS=3 is the long version, which also has an outage of a minute.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { LocketClient } from 'locket-wasm';
import { survive } from 'locket-wasm/check';
import { GrpcChannel } from 'locket-wasm/grpc';

const WORKER = fileURLToPath(new URL('support/outage.worker.mjs', import.meta.url));
const PHASES = 20;
const ROUNDS = Number(process.env.ROUNDS ?? 1);
/** With these retry intervals some phases need one attempt more than others, whatever little the outage is shorter than it may be. */
const OUTAGES = [{ seconds: 6, retry: 1, latency: '100ms' }, ...(ROUNDS > 1 ? [{ seconds: 60, retry: 7, latency: '500ms' }] : [])];

for (const { seconds, retry, latency } of OUTAGES) {
  test(`a client keeps its lock through ${seconds} s with the TTL of survive(), and with 2 s less some do not`, { timeout: 600_000 }, async () => {
    const { settings } = await survive({ profile: 'upstream', runner: 'safe', retryInterval: `${retry}s`, latency, faults: { locketCrash: `${seconds}s` } });
    const ttl = settings[0].settings.ttlMs / 1000;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [lost, lostWithLess] = await lostIn(seconds, retry, [ttl, ttl - 2]);
      console.log(`${seconds} s down, retry ${retry} s: TTL ${ttl} s lost ${lost}, ${ttl - 2} s lost ${lostWithLess} of ${PHASES}`);
      assert.equal(lost, 0);
      assert.ok(lostWithLess > 0);
    }
  });
}

/** How many clients with each TTL lose their lock in an outage. */
async function lostIn(seconds, retry, ttls) {
  const [first, second] = await Promise.all([prepared(), prepared()]);
  const port = await first.listen(0);
  const locks = ttls.map((ttl) => Array.from({ length: PHASES }, async (_, phase) => {
    await sleep((phase * retry * 1000) / PHASES);
    const client = new LocketClient(new GrpcChannel({ url: `http://127.0.0.1:${port}` }).clientOptions);
    return client.acquire({ key: `${ttl}-${phase}`, ttl: `${ttl}s`, retryInterval: `${retry}s` });
  }));
  await Promise.all(locks.flat());
  await sleep(retry * 1000);
  const began = performance.now();
  first.child.kill('SIGKILL');
  // Less than the bound, whatever the machine does meanwhile.
  await sleep(seconds * 1000 - 200);
  await second.listen(port);
  assert.ok(performance.now() - began <= seconds * 1000, 'the outage was longer than it may be');
  await sleep(2 * retry * 1000);
  const counts = await Promise.all(locks.map(async (of) => (await Promise.all(of)).filter(({ held }) => !held).length));
  for (const lock of await Promise.all(locks.flat())) await lock.release();
  second.child.kill();
  return counts;
}

/** A process that listens when it is told to. */
async function prepared() {
  const child = fork(WORKER);
  await once(child, 'spawn');
  return { child, listen: async (port) => (child.send(port), (await once(child, 'message'))[0]) };
}
