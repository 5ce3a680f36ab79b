// 10,000 clients of one `locket-wasm serve` process, each with a connection of its own, on which it renews its lock as a runner
// does: a renewal every 5 s under a TTL of 15 s. Each renewal has its time, whatever became of the one before: the latency
// counts from then, so that a slow server cannot hide behind clients that wait for it.

import { setTimeout as sleep } from 'node:timers/promises';

import { control, startServe } from '../serve/support/serve-process.mjs';
import { lockFrame, overHttp1, overHttp2 } from '../serve/support/thin-clients.mjs';

const CLIENTS = 10_000;
const TTL_S = 15;
const RENEW_MS = 5_000;
const RENEWALS = 4;
/** Connections that are opened at once. */
const OPENED_AT_ONCE = 200;
const PROTOCOLS = { grpc: overHttp2, 'grpc-web': overHttp1 };

/** Reports latencies, and what was lost: a call without an answer, a lock that no longer has its row. */
export async function measureManyClients(report) {
  report.heading(`${CLIENTS.toLocaleString('en')} clients of serve, each renewing its lock every ${RENEW_MS / 1_000} s over a connection of its own`);
  for (const [name, open] of Object.entries(PROTOCOLS)) {
    const serving = await startServe('--port', '0', '--control-port', '0', '--profile', 'upstream');
    const clients = await opened(open, serving.url);
    const { times, lost } = await renewals(clients);
    const { answer } = await control(serving.controlUrl, '/table');
    for (const client of clients) client.close();
    await serving.end();
    times.sort((a, b) => a - b);
    for (const [label, part] of [['p50', 0.5], ['p99', 0.99]]) report.figure(`serve-10000-${name}-${label}`, times[Math.floor(times.length * part)], 'ms');
    report.bounded(`serve-10000-${name}-lost`, lost + CLIENTS - answer.length, 'calls', 'at most', 0);
  }
}

async function opened(open, url) {
  const clients = [];
  while (clients.length < CLIENTS) {
    const wave = Array.from({ length: OPENED_AT_ONCE }, (_, index) => open(url, lockFrame(`key-${clients.length + index}`, TTL_S)));
    await Promise.all(wave.map((client) => client.call()));
    clients.push(...wave);
  }
  return clients;
}

/** All clients', evenly over the interval. */
async function renewals(clients) {
  const times = [];
  let lost = 0;
  const begun = performance.now();
  await Promise.all(clients.map(async (client, index) => {
    for (let renewal = 0; renewal < RENEWALS; renewal += 1) {
      const dueMs = begun + (index / clients.length + renewal) * RENEW_MS;
      await sleep(Math.max(0, dueMs - performance.now()));
      await client.call().then(() => times.push(performance.now() - dueMs), () => (lost += 1));
    }
  }));
  return { times, lost };
}
