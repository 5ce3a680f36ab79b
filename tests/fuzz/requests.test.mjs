// Requests to a port: HTTP/1.1 by hand with anything in it, plain gRPC over HTTP/2, and the control endpoint. Each connection
// ends, and the server serves the next one.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import { after } from 'node:test';

import fc from 'fast-check';
import { serve } from 'locket-wasm/serve';

import { frame, join, utf8 } from '../net/support/frames.mjs';
import { fuzz } from './round.mjs';

const LOCK = Uint8Array.of(10, 8, 10, 1, 107, 18, 1, 111, 40, 1, 16, 15);
/** Started when it is first asked, since a list of targets needs no server. */
let served;
const serving = () => (served ??= serve({ port: 0, clock: 'virtual', profile: 'upstream', receiveTimeout: '1s', closeTimeout: '100ms' }));
after(async () => (await served)?.close());

const method = fc.constantFrom('POST', 'POST', 'POST', 'GET', 'OPTIONS', 'PUT', 'HEAD', 'TRACE', 'M-SEARCH');
const path = fc.oneof(
  fc.constantFrom('/models.Locket/Lock', '/models.Locket/Fetch', '/models.Locket/FetchAll', '/models.Locket/Nope', '/', '*', '/clock', '/table', '//', '/?x', '/%00'),
  fc.webPath({ size: 'small' }).map((path) => `/${path}`),
);
const header = fc.tuple(
  fc.constantFrom('content-type', 'grpc-timeout', 'grpc-encoding', 'accept', 'origin', 'host', 'te', 'x-grpc-web', 'access-control-request-method', 'uuid'),
  fc.constantFrom('application/grpc-web', 'application/grpc-web-text', 'application/grpc', 'application/json', '1S', '0n', '5x', 'gzip', 'null', 'http://a.test', 'trailers', 'POST', '*'),
);
const body = fc.oneof(
  fc.constant(frame(0, LOCK)),
  fc.tuple(fc.nat(255), fc.uint8Array({ maxLength: 30 }), fc.option(fc.nat(2 ** 31), { nil: undefined })).map((args) => frame(...args)),
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom('{}', '{"advance":"1s"}', '{"advance":5}', '[', 'AAAAAA==').map(utf8),
);

const byHand = fc.record({ method, path, headers: fc.array(header, { maxLength: 4 }), body, length: fc.oneof(fc.constant(undefined), fc.constantFrom('-1', '5', '1e3', '99999999999', '0')), slip: fc.option(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 3 })), { freq: 4 }), isControl: fc.boolean() });

fuzz('HTTP/1.1 requests', 25, byHand, async ({ isControl, ...request }) => {
  const { controlUrl, port: dataPort } = await serving();
  const port = isControl ? Number(new URL(controlUrl).port) : dataPort;
  await conversation(port, bytesOf(request, port));
  await assertServes();
});

fuzz('HTTP/2 requests', 25, fc.record({ method, path, headers: fc.uniqueArray(header, { maxLength: 4, selector: ([name]) => name }), body }), async (request) => {
  const session = http2.connect((await serving()).url);
  session.on('error', () => {});
  await new Promise((resolve) => {
    const headers = Object.fromEntries(request.headers.filter(([name]) => name !== 'host' && name !== 'te'));
    const stream = session.request({ ':method': request.method, ':path': request.path, ...headers }, { endStream: false });
    stream.on('error', resolve).on('close', resolve).resume();
    stream.end(request.body);
  });
  session.destroy();
  await assertServes();
});

function bytesOf({ method, path, headers, body, length, slip }, port) {
  const named = headers.some(([name]) => name === 'host') ? headers : [['host', `127.0.0.1:${port}`], ...headers];
  const lines = [...named, ['content-length', length ?? body.length], ['connection', 'close']].map((header) => header.join(': '));
  const whole = join(utf8(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), body);
  if (slip === null) return whole;
  const at = slip[0] % whole.length;
  return join(whole.slice(0, at), slip[1], whole.slice(at + 1));
}

/** Sends, ends, and waits until the other side has ended, too. */
async function conversation(port, bytes) {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.end(bytes);
  await once(socket, 'close');
}

async function assertServes() {
  const { url } = await serving();
  const answer = await fetch(`${url}/models.Locket/Lock`, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto' },
    body: frame(0, LOCK),
  });
  const text = Buffer.from(await answer.arrayBuffer()).toString();
  assert.match(text, /grpc-status: ?0/, `${answer.status} ${JSON.stringify([...answer.headers])} ${text}`);
}
