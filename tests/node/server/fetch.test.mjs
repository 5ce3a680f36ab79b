// server.fetch: raw gRPC-Web, by hand and by another client.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';

import { frame, readAnswer, webRequest } from '../../wire/grpc-web.mjs';
import { encode, Locket, methodOf } from '../../wire/locket.mjs';
import { failureOf, isSettled, start } from '../support/helpers.mjs';

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

  test('a base path before the service is a matter for proxies', async () => {
    const { server } = start();
    const bytes = frame(encode(methodOf('Lock').input, LOCK));
    const { code } = await readAnswer(await server.fetch(webRequest('/locket/v1/models.Locket/Lock', bytes)));
    assert.equal(code, 'OK');
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
});

test('connect-web makes its calls over server.fetch', async () => {
  const { server } = start();
  const locket = createClient(Locket, createGrpcWebTransport({ baseUrl: 'http://locket.test', fetch: server.fetch }));
  const resource = { key: 'bbs', owner: 'bbs-0', value: 'v', typeCode: 1 };
  await locket.lock({ resource, ttlInSeconds: 15n });
  const seen = { $typeName: 'models.Resource', ...resource, type: 'lock' };
  assert.deepEqual({ ...(await locket.fetch({ key: 'bbs' })).resource }, seen);
  assert.deepEqual((await locket.fetchAll({ typeCode: 1 })).resources.map((one) => ({ ...one })), [seen]);
  await locket.release({ resource });
  assert.deepEqual(server.table(), []);
});
