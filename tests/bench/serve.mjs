// Calls per second of `locket-wasm serve` for 1, 10 and 50 clients, each renewing its own lock over its own connection.
//
//   node tests/bench/serve.mjs [SECONDS]
//
// The clients are as thin as Node allows, and run in this process; the server has its own.

import { startServe } from '../serve/support/serve-process.mjs';
import { lockFrame, overHttp1, overHttp2 } from '../serve/support/thin-clients.mjs';

const SECONDS = Number(process.argv[2] ?? 3);
const TTL_S = 3_600;
const PROTOCOLS = { gRPC: overHttp2, 'gRPC-Web': overHttp1 };

const serving = await startServe('--port', '0', '--profile', 'upstream');
console.log('protocol   clients   calls/s   p50 ms   p99 ms');
for (const [name, open] of Object.entries(PROTOCOLS)) {
  for (const clients of [1, 10, 50]) {
    await measure(open, clients, 0.5);
    const { rate, p50, p99 } = await measure(open, clients, SECONDS);
    const columns = [rate.toFixed(0).padStart(9), p50.toFixed(2).padStart(8), p99.toFixed(2).padStart(8)];
    console.log(`${name.padEnd(10)} ${String(clients).padStart(7)} ${columns.join(' ')}`);
  }
}
await serving.end();

async function measure(open, count, seconds) {
  const times = [];
  const started = performance.now();
  const until = started + seconds * 1000;
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const client = await open(serving.url, lockFrame(`key-${index}`, TTL_S));
      while (performance.now() < until) {
        const begun = performance.now();
        await client.call();
        times.push(performance.now() - begun);
      }
      client.close();
    }),
  );
  const rate = times.length / ((performance.now() - started) / 1000);
  times.sort((a, b) => a - b);
  return { rate, p50: times[times.length >> 1], p99: times[Math.floor(times.length * 0.99)] };
}
