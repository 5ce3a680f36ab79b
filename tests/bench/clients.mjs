// Lock over HTTP/1.1 to one `locket-wasm serve` process: LocketClient beside other gRPC-Web clients over the same fetch.
// The clients take turns in short rounds, so that whatever else the machine does slows all of them.

import { LocketClient } from 'locket-wasm';

import { connectWeb, protobufTs } from '../serve/support/clients.mjs';
import { startServe } from '../serve/support/serve-process.mjs';

const ROUNDS = 16;
const ROUND_MS = 250;
const LOCK = { owner: 'o', value: '', typeCode: 1, ttlSeconds: 15 };

/** Reports calls per second and latencies, with 1 and with 50 calls at once. */
export async function measureClients(report) {
  report.heading('lock over HTTP to one serve process, clients in turn');
  const serving = await startServe('--port', '0', '--profile', 'upstream');
  const clients = {
    'locket-wasm': new LocketClient({ baseUrl: serving.url }),
    'connect-web': connectWeb(serving.url),
    'protobuf-ts': protobufTs(serving.url),
  };
  for (const atOnce of [1, 50]) await compare(report, Object.entries(clients), atOnce);
  await serving.end();
}

async function compare(report, clients, atOnce) {
  const measured = clients.map(([name, client]) => ({ name, client, times: [], ms: 0 }));
  for (const { client } of measured) await round(client, atOnce, []);
  for (let rounds = 0; rounds < ROUNDS; rounds += 1) {
    for (const each of measured) each.ms += await round(each.client, atOnce, each.times);
  }
  const rates = {};
  for (const { name, times, ms } of measured) {
    times.sort((a, b) => a - b);
    rates[name] = times.length / (ms / 1000);
    report.figure(`http-${atOnce}-${name}`, rates[name], 'calls/s');
    for (const [label, part] of [['p50', 0.5], ['p99', 0.99]]) {
      report.figure(`http-${atOnce}-${name}-${label}`, times[Math.floor(times.length * part)], 'ms');
    }
  }
  const { 'locket-wasm': own, 'connect-web': peer, 'protobuf-ts': other } = rates;
  report.bounded(`http-${atOnce}-to-connect-web`, own / peer, 'x', 'at least', 0.9);
  report.figure(`http-${atOnce}-to-protobuf-ts`, own / other, 'x');
}

/** Calls for a while, so many at once; notes what each call took, and says how long it was at it. */
async function round(client, atOnce, times) {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async (_, index) => {
      while (performance.now() < started + ROUND_MS) {
        const begun = performance.now();
        await client.lock({ ...LOCK, key: `key-${index}` });
        times.push(performance.now() - begun);
      }
    }),
  );
  return performance.now() - started;
}
