// HTTP answers of every kind against the client: right and wrong content types, statuses, frames, trailers, base64, and bodies
// that break off. Each becomes a value or a LocketError, also of a runner.

import assert from 'node:assert/strict';

import fc from 'fast-check';
import { LocketClient, LocketError } from 'locket-wasm';
import * as alone from 'locket-wasm/client';

import { frame, GOOD, join, RESOURCE, trailers, utf8 } from '../net/support/frames.mjs';
import { assertWorks } from './oracle.mjs';
import { fuzz } from './round.mjs';

const TYPES = [
  'application/grpc-web', 'application/grpc-web+proto', 'application/grpc-web-text', 'application/grpc-web-text+proto; charset=utf-8',
  'application/grpc-web+json', 'application/grpc', 'application/grpc+proto', 'application/json', 'text/html', 'application/x+y+z', '', 'é',
];
const NAMES = ['grpc-status', 'grpc-message', 'content-length', 'content-encoding', 'retry-after', 'x', 'grpc-status-details-bin', 'x-bin'];
const VALUES = ['0', '1', '5', '16', '17', '-1', '00', '1e1', '99999999999999999999', 'lock-collision', '%', '%zz', '%E2%82', 'a b', 'AA==', '%00', ''];

const line = fc.oneof(
  fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES)).map(([name, value]) => `${name}: ${value}`),
  fc.constantFrom('grpc-status: 0', 'grpc-status:0', 'Grpc-Status: 5', ':', ': x', 'no colon', '\r', ' grpc-status: 0'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const part = fc.oneof(
  { arbitrary: fc.constantFrom(GOOD, frame(0, RESOURCE), trailers('grpc-status: 0\r\n'), trailers('grpc-status: 6\r\ngrpc-message: lock-collision\r\n')), weight: 4 },
  { arbitrary: fc.array(line, { maxLength: 4 }).map((lines) => trailers(lines.join('\r\n'))), weight: 3 },
  { arbitrary: fc.tuple(fc.nat(255), fc.uint8Array({ maxLength: 24 })).map(([flags, payload]) => frame(flags, payload)), weight: 2 },
  { arbitrary: fc.tuple(fc.constantFrom(0, 0x80), fc.integer({ min: 0, max: 2 ** 32 - 1 })).map(([flags, size]) => frame(flags, RESOURCE, size)), weight: 1 },
  { arbitrary: fc.uint8Array({ maxLength: 12 }), weight: 1 },
  { arbitrary: fc.constantFrom('<html>', '{"code":5}', '\r\n', '====', '\0').map(utf8), weight: 1 },
  { arbitrary: fc.nat(60_000).map((length) => frame(0, new Uint8Array(length))), weight: 1 },
);
const body = fc.tuple(fc.array(part, { maxLength: 4 }), fc.constantFrom('plain', 'one text', 'a text each'), fc.option(fc.nat(), { freq: 5 })).map(
  ([parts, form, cut]) => {
    const whole = form === 'a text each' ? join(...parts.map(asText)) : form === 'one text' ? asText(join(...parts)) : join(...parts);
    return cut === null ? whole : whole.slice(0, cut % (whole.length + 1));
  },
);
const CALLS = {
  lock: (client) => client.lock({ key: 'k', owner: 'o', ttl: '15s' }),
  release: (client) => client.release({ key: 'k', owner: 'o' }),
  fetch: (client) => client.fetch('k'),
  fetchAll: (client) => client.fetchAll({ kind: 'lock' }),
};
const answer = fc.record({
  status: fc.oneof({ arbitrary: fc.constant(200), weight: 6 }, { arbitrary: fc.constantFrom(204, 301, 304, 400, 401, 404, 429, 500, 502, 503, 504, 599), weight: 1 }),
  type: fc.constantFrom(...TYPES),
  headers: fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES)), { maxLength: 2 }),
  body,
  /** After how many bytes the stream breaks, if it does. */
  breaksAt: fc.option(fc.nat(200), { freq: 5 }),
  pieces: fc.integer({ min: 1, max: 7 }),
  call: fc.constantFrom(...Object.keys(CALLS)),
  maxMessageBytes: fc.option(fc.constantFrom(1, 10, 1_000), { nil: undefined, freq: 4 }),
  isAlone: fc.boolean(),
});

fuzz('HTTP answers', 250, answer, async ({ call, maxMessageBytes, isAlone, ...answer }) => {
  const Client = isAlone ? alone.LocketClient : LocketClient;
  const client = new Client({ baseUrl: 'http://locket.test', timeout: '5s', maxMessageBytes, fetch: async () => responseOf(answer) });
  const error = await CALLS[call](client).then(() => undefined, (thrown) => thrown);
  if (error !== undefined) assertIsOurs(error);
  await assertWorks();
});

fuzz('HTTP answers to a runner', 25, answer, async ({ call: _, maxMessageBytes: __, isAlone, ...answer }) => {
  const Client = isAlone ? alone.LocketClient : LocketClient;
  const client = new Client({ baseUrl: 'http://locket.test', timeout: '5s', fetch: async () => responseOf(answer) });
  const runner = client.lockRunner({ key: 'k', owner: 'o', ttl: '15s', retryInterval: '1s' });
  await new Promise((resolve) => setTimeout(resolve, 5));
  await runner.stop();
  if (runner.lastError !== undefined) assertIsOurs(runner.lastError);
});

function responseOf({ status, type, headers, body, breaksAt, pieces }) {
  const all = new Headers(headers.filter(([, value]) => value !== ''));
  if (type !== '' && type !== 'é') all.set('content-type', type);
  const isEmpty = [204, 304].includes(status);
  return new Response(isEmpty ? null : streamOf(body, breaksAt ?? Infinity, pieces), { status, headers: all });
}

function streamOf(body, breaksAt, pieces) {
  const size = Math.ceil(body.length / pieces) || 1;
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= breaksAt) return controller.error(new TypeError('terminated'));
      if (at >= body.length) return controller.close();
      controller.enqueue(body.slice(at, Math.min(at + size, breaksAt)));
      at += size;
    },
  });
}

function assertIsOurs(error) {
  assert.ok(error instanceof LocketError && ['refused', 'no-effect', 'unknown'].includes(error.outcome), error?.stack ?? String(error));
  assert.ok(!/bug in locket-wasm/.test(error.message), error.stack);
}

function asText(bytes) {
  return utf8(Buffer.from(bytes).toString('base64'));
}
