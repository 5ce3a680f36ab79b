// Answers made to keep a client busy: long texts which a reader that looks back would read for minutes. While it reads,
// no timer of the program fires, so neither a deadline nor the end of a lease is noticed.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

import { LocketClient } from 'locket-wasm';

const TEXT = 'application/grpc-web-text';
const BINARY = 'application/grpc-web';
const LENGTH = 100_000;
const status = (text) => ({ contentType: BINARY, trailers: `grpc-status: 5\r\n${text}` });

/** By name: an answer, and the code of the error that it has to become. */
const ANSWERS = {
  'base64 that ends in something else': [{ contentType: TEXT, body: `${'A'.repeat(43)} trailing` }, 13],
  'much base64 that ends in something else': [{ contentType: TEXT, body: `${'A'.repeat(LENGTH)}\0` }, 13],
  'base64, each byte padded, that ends in something else': [{ contentType: TEXT, body: `${'AA=='.repeat(LENGTH / 4)}\0` }, 13],
  'nothing but padding': [{ contentType: TEXT, body: '='.repeat(LENGTH) }, 13],
  'nothing but line ends': [{ contentType: TEXT, body: `${'\r\n'.repeat(LENGTH / 2)}!` }, 13],
  'a million empty messages': [{ contentType: BINARY, body: '\0'.repeat(5_000_000) }, 2],
  'a status message of percent signs': [status(`grpc-message: ${'%'.repeat(50_000)}`), 5],
  'a status message of half encoded bytes': [status(`grpc-message: ${'%4'.repeat(25_000)}`), 5],
  'trailers without a colon': [status('a'.repeat(50_000)), 5],
  'trailers of nothing but colons': [status(':'.repeat(50_000)), 5],
  'trailers of nothing but line ends': [status('\r'.repeat(50_000)), 5],
  'trailers of blanks': [status(`${' '.repeat(50_000)}x`), 5],
  'trailers larger than any server sends': [status(`x: ${'%41'.repeat(LENGTH)}`), 8],
};

/** Each takes some milliseconds; what looks back takes minutes for one. */
const LIMIT_MS = 60_000;

test('no answer keeps the client busy longer than in proportion to its length', { timeout: 300_000 }, async () => {
  const worker = new Worker(new URL('support/adversarial.worker.mjs', import.meta.url));
  try {
    for (const [name, [answer, code]] of Object.entries(ANSWERS)) {
      worker.postMessage(answer);
      const told = await once(worker, 'message', { signal: AbortSignal.timeout(LIMIT_MS) }).catch((error) => [error.name]);
      assert.deepEqual([name, ...told], [name, code]);
    }
  } finally {
    await worker.terminate();
  }
});

// Counted in turns and not in time, which a busy machine stretches.
test('while a long answer in text mode is read, everything else has its turn', async () => {
  const body = new Uint8Array(5 << 20).fill('A'.charCodeAt(0));
  const fetch = async () => ({ status: 200, headers: new Headers({ 'content-type': TEXT }), arrayBuffer: async () => body.buffer });
  let turns = 0;
  const turn = () => {
    turns += 1;
    timer = setImmediate(turn);
  };
  let timer = setImmediate(turn);
  await assert.rejects(new LocketClient({ baseUrl: 'http://locket.test', fetch }).fetch('bbs'));
  clearImmediate(timer);
  assert.ok(turns > 20, `${turns} turns`);
});
