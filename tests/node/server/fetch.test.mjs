// server.fetch: raw gRPC-Web, by hand and by another client.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Code as ConnectCode, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';

import { frame, readAnswer, webRequest } from '../../wire/grpc-web.mjs';
import { encode, Locket, methodOf } from '../../wire/locket.mjs';
import { failureOf, isSettled, lockOf, start } from '../support/helpers.mjs';

const LOCK = { resource: { key: 'bbs', owner: 'bbs-0', type_code: 1 }, ttl_in_seconds: 15 };

function post(server, name, fields, headers) {
  const { input } = methodOf(name);
  return server.fetch(webRequest(`/models.Locket/${name}`, frame(encode(input, fields)), headers));
}

describe('raw gRPC-Web', () => {
  test('a success is a message frame and a trailer frame, byte by byte', async () => {
    const { server } = start();
    const body = Buffer.from(await (await post(server, 'Lock', LOCK)).arrayBuffer());
    assert.equal(body.toString('latin1'), '\0\0\0\0\0\x80\0\0\0\x1egrpc-status:0\r\ngrpc-message:\r\n');
  });

  test('a text answer is its frames in base64, each with padding of its own', async () => {
    const { server } = start();
    const response = await post(server, 'Lock', LOCK, { accept: 'application/grpc-web-text' });
    assert.equal(response.headers.get('content-type'), 'application/grpc-web-text+proto');
    assert.equal(await response.text(), 'AAAAAAA=gAAAAB5ncnBjLXN0YXR1czowDQpncnBjLW1lc3NhZ2U6DQo=');
  });

  test('a refusal has no body and its status in headers', async () => {
    const { server } = start();
    const response = await post(server, 'Fetch', { key: 'nobody' });
    assert.deepEqual([response.status, await response.text()], [200, '']);
    const { code, message } = await readAnswer(await post(server, 'Fetch', { key: 'nobody' }));
    assert.deepEqual([code, message], ['NotFound', 'resource-not-found']);
  });

  test('a request over 4 MiB is refused with its size', async () => {
    const { server } = start();
    const value = 'v'.repeat((5 << 20) - 7);
    const request = webRequest('/models.Locket/Fetch', frame(encode(methodOf('Fetch').input, { key: value })));
    const { code, message } = await readAnswer(await server.fetch(request));
    assert.equal(code, 'ResourceExhausted');
    assert.match(message, /^grpc: received message larger than max \(52428\d\d vs\. 4194304\)$/);
  });

  test('fetchAll lists the rows of every client', async () => {
    const { server, client } = start();
    await client.lock(lockOf('auctioneer', 'auctioneer-0'));
    await post(server, 'Lock', LOCK);
    assert.deepEqual((await client.fetchAll({ kind: 'lock' })).map(({ key }) => key), ['auctioneer', 'bbs']);
  });

  test('a base path before the service is a matter for proxies', async () => {
    const { server } = start();
    const bytes = frame(encode(methodOf('Lock').input, LOCK));
    const { code } = await readAnswer(await server.fetch(webRequest('/locket/v1/models.Locket/Lock', bytes)));
    assert.equal(code, 'OK');
  });

  test("a query is a part of the method's name, and nothing is done", async () => {
    const { server } = start();
    const bytes = frame(encode(methodOf('Lock').input, LOCK));
    for (const path of ['/models.Locket/Lock?x=1', '/locket/v1/models.Locket/Lock?x=1']) {
      const { code, message } = await readAnswer(await server.fetch(webRequest(path, bytes)));
      assert.deepEqual([code, message], ['Unimplemented', 'unknown method Lock?x=1 for service models.Locket']);
    }
    assert.deepEqual(server.table(), []);
  });

  test('a path without a service has no method', async () => {
    const { server } = start();
    for (const path of ['/', '/models.Locket']) {
      const { code, message } = await readAnswer(await server.fetch(webRequest(path, frame(new Uint8Array()))));
      assert.deepEqual([code, message], ['Unimplemented', `malformed method name: ${JSON.stringify(path)}`]);
    }
  });

  test('it has the shape of the global fetch', async () => {
    const { server } = start();
    const { fetch } = server;
    const init = { method: 'POST', headers: { 'content-type': 'application/grpc-web+proto' } };
    init.body = frame(encode(methodOf('Lock').input, LOCK));
    for (const input of ['http://locket.test/models.Locket/Lock', new URL('http://locket.test/models.Locket/Lock')]) {
      assert.equal((await readAnswer(await fetch(input, init))).code, 'OK');
    }
  });

  test('a latency holds for it too, and a signal ends the wait with its own reason', async () => {
    const { server, clock } = start({ latency: '1s' });
    const controller = new AbortController();
    const request = () => webRequest('/models.Locket/Lock', frame(encode(methodOf('Lock').input, LOCK)));
    const answered = server.fetch(request());
    const aborted = failureOf(server.fetch(new Request(request(), { signal: controller.signal })));
    assert.equal(await isSettled(answered), false);

    controller.abort(new Error('enough'));
    assert.equal((await aborted).message, 'enough');

    clock.advance('1s');
    assert.equal((await readAnswer(await answered)).code, 'OK');
  });

  test('a deadline that passes first is DeadlineExceeded, and the lock is taken', async () => {
    const { server, clock } = start({ latency: '1s' });
    const answered = post(server, 'Lock', LOCK, { 'grpc-timeout': '250m' });
    assert.equal(await isSettled(answered), false);
    clock.advance('250ms');
    assert.equal((await readAnswer(await answered)).code, 'DeadlineExceeded');
    assert.equal(server.table().length, 1);
  });

  test('a deadline of nothing is over before anything is done', async () => {
    const { server } = start();
    assert.equal((await readAnswer(await post(server, 'Lock', LOCK, { 'grpc-timeout': '0S' }))).code, 'DeadlineExceeded');
    assert.deepEqual(server.table(), []);
  });

  test('a malformed deadline is refused in the words of grpc-go', async () => {
    const { server } = start();
    const response = await post(server, 'Lock', LOCK, { 'grpc-timeout': '+5S' });
    assert.equal(response.status, 400);
    assert.equal(response.headers.get('grpc-status'), '13');
    const problem = decodeURIComponent(response.headers.get('grpc-message'));
    assert.equal(problem, 'malformed grpc-timeout: strconv.ParseUint: parsing "+5": invalid syntax');
    assert.deepEqual(server.table(), []);
  });

  test('a stopped process is Unavailable', async () => {
    const { server } = start();
    server.stop();
    assert.equal((await readAnswer(await post(server, 'Lock', LOCK))).code, 'Unavailable');
  });
});

describe('connect-web over server.fetch', () => {
  function connected() {
    const { server, clock } = start();
    const transport = createGrpcWebTransport({ baseUrl: 'http://locket.test', fetch: server.fetch });
    return { server, clock, locket: createClient(Locket, transport) };
  }
  const resource = { key: 'bbs', owner: 'bbs-0', value: 'v', typeCode: 1 };
  const lock = { resource, ttlInSeconds: 15n };

  test('all four calls go through', async () => {
    const { locket, server } = connected();
    await locket.lock(lock);
    const { resource: fetched } = await locket.fetch({ key: 'bbs' });
    const { resources } = await locket.fetchAll({ typeCode: 1 });
    await locket.release({ resource });

    const seen = { $typeName: 'models.Resource', ...resource, type: 'lock' };
    assert.deepEqual([{ ...fetched }, resources.map((one) => ({ ...one }))], [seen, [seen]]);
    assert.deepEqual(server.table(), []);
  });

  const refusals = [
    ['a collision', ConnectCode.AlreadyExists, 'lock-collision', (l) => l.lock({ ...lock, resource: { ...resource, owner: 'bbs-1' } })],
    ['a wrong TTL', ConnectCode.InvalidArgument, 'invalid-ttl', (l) => l.lock({ ...lock, ttlInSeconds: 0n })],
    ['a missing key', ConnectCode.NotFound, 'resource-not-found', (l) => l.fetch({ key: 'nobody' })],
    ['a wrong type', ConnectCode.NotFound, 'invalid-type', (l) => l.fetchAll({})],
    ['a text that is too long', ConnectCode.Unknown, 'sql-bad-request', (l) => l.lock({ ...lock, resource: { ...resource, value: 'v'.repeat(4097) } })],
  ];
  for (const [what, code, message, call] of refusals) {
    test(`${what} is an error with code and message`, async () => {
      const { locket } = connected();
      await locket.lock(lock);
      const error = ConnectError.from(await failureOf(call(locket)));
      assert.deepEqual([error.code, error.rawMessage], [code, message]);
    });
  }

  test('a lock expires between two calls', async () => {
    const { locket, clock } = connected();
    await locket.lock(lock);
    clock.advance('15s');
    assert.equal(ConnectError.from(await failureOf(locket.fetch({ key: 'bbs' }))).rawMessage, 'resource-not-found');
  });
});
