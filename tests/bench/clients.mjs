// Lock to one `locket-wasm serve` process: LocketClient by gRPC beside grpc-js, and by gRPC-Web, over Node's own HTTP client
// and over fetch, beside other gRPC-Web clients. They use fetch; but Google's grpc-web has only XMLHttpRequest, which here
// stands on Node's http.
// The clients take turns in short rounds, and are compared round by round, so that whatever else the machine does slows
// all of them.

import { LocketClient } from 'locket-wasm';
import { GrpcChannel, GrpcWebChannel } from 'locket-wasm/grpc';

import { connectWeb, grpcJs, grpcWeb, protobufTs } from '../serve/support/clients.mjs';
import { startServe } from '../serve/support/serve-process.mjs';
import { median } from './figures.mjs';

const ROUNDS = 20;
const ROUND_MS = 250;
const LOCK = { owner: 'o', value: '', typeCode: 1, ttl: '15s' };

/** Reports calls per second and latencies, with 1 and with 50 calls at once. */
export async function measureClients(report) {
  report.heading('lock over HTTP to one serve process, clients in turn');
  const serving = await startServe('--port', '0', '--profile', 'upstream');
  const clients = {
    'locket-wasm': new LocketClient(new GrpcWebChannel({ url: serving.url }).clientOptions),
    'locket-wasm-grpc': new LocketClient(new GrpcChannel({ url: serving.url }).clientOptions),
    'locket-wasm-fetch': new LocketClient({ baseUrl: serving.url }),
    'grpc-js': grpcJs(serving.url),
    'connect-web': connectWeb(serving.url),
    'protobuf-ts': protobufTs(serving.url),
    'grpc-web': grpcWeb(serving.url),
  };
  for (const atOnce of [1, 50]) await compare(report, Object.entries(clients), atOnce);
  await serving.end();
}

async function compare(report, clients, atOnce) {
  const measured = clients.map(([name, client]) => ({ name, client, times: [], rates: [] }));
  for (const { client } of measured) await round(client, atOnce, []);
  for (let rounds = 0; rounds < ROUNDS; rounds += 1) {
    for (const { client, times, rates } of measured) {
      const before = times.length;
      const ms = await round(client, atOnce, times);
      rates.push((times.length - before) / (ms / 1000));
    }
    // Nobody is always the one behind another.
    measured.push(measured.shift());
  }
  const rates = {};
  for (const { name, times, rates: own } of measured) {
    rates[name] = own;
    times.sort((a, b) => a - b);
    report.figure(`http-${atOnce}-${name}`, median(own), 'calls/s');
    for (const [label, part] of [['p50', 0.5], ['p99', 0.99]]) {
      report.figure(`http-${atOnce}-${name}-${label}`, times[Math.floor(times.length * part)], 'ms');
    }
  }
  const ratio = (own, peer) => median(rates[own].map((rate, index) => rate / rates[peer][index]));
  report.bounded(`http-${atOnce}-to-connect-web`, ratio('locket-wasm', 'connect-web'), 'x', 'at least', 1);
  report.bounded(`http-${atOnce}-fetch-to-connect-web`, ratio('locket-wasm-fetch', 'connect-web'), 'x', 'at least', 0.9);
  for (const peer of ['protobuf-ts', 'grpc-web']) report.figure(`http-${atOnce}-to-${peer}`, ratio('locket-wasm', peer), 'x');
  const byGrpc = { 'connect-web': 2, 'grpc-js': 1 };
  for (const [peer, least] of Object.entries(byGrpc)) {
    const name = `grpc-${atOnce}-to-${peer}`;
    const value = ratio('locket-wasm-grpc', peer);
    // One call after another waits more for the server than for the client.
    if (atOnce === 1) report.figure(name, value, 'x');
    else report.bounded(name, value, 'x', 'at least', least);
  }
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
