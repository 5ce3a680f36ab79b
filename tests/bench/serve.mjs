// Calls per second of `locket-wasm serve` for 1, 10 and 50 clients, each renewing its own lock over its own connection.
//
//   node tests/bench/serve.mjs [SECONDS]
//
// The clients are as thin as Node allows, and run in this process; the server has its own.

import { Agent, request } from 'node:http';
import { connect } from 'node:http2';

import { frame } from '../serve/support/raw.mjs';
import { startServe } from '../serve/support/serve-process.mjs';

const SECONDS = Number(process.argv[2] ?? 3);
const PATH = '/models.Locket/Lock';
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
      const client = await open(serving.url, lockFrame(`key-${index}`));
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

function overHttp2(url, body) {
  const session = connect(url);
  const headers = { ':method': 'POST', ':path': PATH, 'content-type': 'application/grpc', te: 'trailers' };
  const call = () =>
    new Promise((resolve, reject) => {
      const stream = session.request(headers);
      let status;
      stream.on('trailers', (trailers) => (status = trailers['grpc-status']));
      stream.on('error', reject);
      stream.on('close', () => (status === '0' ? resolve() : reject(new Error(`grpc-status ${status}`))));
      stream.resume();
      stream.end(body);
    });
  return { call, close: () => session.close() };
}

function overHttp1(url, body) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'content-type': 'application/grpc-web+proto', 'content-length': body.length };
  const call = () =>
    new Promise((resolve, reject) => {
      const sent = request(url + PATH, { method: 'POST', agent, headers }, (response) => {
        if (response.headers['grpc-status'] !== undefined) reject(new Error(response.headers['grpc-message']));
        response.on('end', resolve).resume();
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return { call, close: () => agent.destroy() };
}

/** Lock of a key by an owner of the same name, for an hour. */
function lockFrame(key) {
  const text = (field, value) => Buffer.concat([Buffer.from([(field << 3) | 2, value.length]), Buffer.from(value)]);
  const resource = Buffer.concat([text(1, key), text(2, key), Buffer.from([5 << 3, 1])]);
  return frame(Buffer.concat([Buffer.from([0x0a, resource.length]), resource, Buffer.from([2 << 3, 0x90, 0x1c])]));
}
