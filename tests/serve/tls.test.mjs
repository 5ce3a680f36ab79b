// TLS and mutual TLS, as a real Locket has it; HTTP/2 and HTTP/1.1 by ALPN on one port.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { request } from 'node:https';

import { credentials } from '@grpc/grpc-js';
import { LocketClient } from 'locket-wasm';
import { serve } from 'locket-wasm/serve';

import { makeCertificates } from './support/certificates.mjs';
import { grpcJs } from './support/clients.mjs';
import { everyClient } from './support/every-client.mjs';
import { locketWasmGrpc } from './support/locket-wasm.mjs';
import { FETCH } from './support/raw.mjs';

const { pem, remove } = makeCertificates();
const servings = [];
const serveTls = async (options) => {
  const tls = { cert: pem.server, key: pem.serverKey, ...options };
  const serving = await serve({ port: 0, clock: 'virtual', profile: 'upstream', closeTimeout: '1s', tls });
  servings.push(serving);
  return serving;
};
after(async () => {
  await Promise.all(servings.map((serving) => serving.close()));
  remove();
});

everyClient('grpc-js over mutual TLS', async () => {
  const { url, server } = await serveTls({ ca: pem.ca });
  return { client: grpcJs(url, credentials.createSsl(pem.ca, pem.clientKey, pem.client)), server };
});

everyClient('LocketClient over mutual TLS', async () => {
  const { url, server } = await serveTls({ ca: pem.ca });
  return { client: locketWasmGrpc(url, { ca: pem.ca, cert: pem.client, key: pem.clientKey }), server };
}, { cannot: 'no resource' });

describe('mutual TLS', () => {
  let url;
  before(async () => ({ url } = await serveTls({ ca: pem.ca })));

  it('refuses a client without a certificate', async () => {
    const client = grpcJs(url, credentials.createSsl(pem.ca));
    await assert.rejects(client.fetch('k', { timeout: '2s' }), ({ code }) => code === 14);
    client.close();
  });

  it('speaks gRPC-Web over HTTP/1.1 on the same port', async () => {
    const answer = await fetchOverHttp1(url, { cert: pem.client, key: pem.clientKey });
    assert.deepEqual([answer.httpVersion, answer.statusCode, answer.headers['grpc-message']], ['1.1', 200, 'resource-not-found']);
  });

  it('refuses gRPC-Web without a certificate too', async () => {
    await assert.rejects(fetchOverHttp1(url, {}));
  });
});

it("a refused certificate ends acquire with Node's own fetch, too", async () => {
  const { url } = await serveTls({});
  const client = new LocketClient({ baseUrl: url });
  await assert.rejects(client.acquire({ key: 'k', owner: 'o' }, { maxWait: '3s' }), ({ name, codeName, outcome }) => {
    assert.deepEqual([name, codeName, outcome], ['LocketError', 'Unauthenticated', 'no-effect']);
    return true;
  });
});

it('a key that is not the certificate\'s is a mistake in the options', async () => {
  const mistaken = serve({ port: 0, tls: { cert: pem.server, key: pem.clientKey } });
  await assert.rejects(mistaken, { name: 'LocketArgumentError', field: 'tls' });
});

function fetchOverHttp1(url, identity) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/grpc-web+proto' };
    const sent = request(`${url}/models.Locket/Fetch`, { method: 'POST', headers, ca: pem.ca, agent: false, ...identity });
    sent.once('response', (response) => response.resume().once('end', () => resolve(response)));
    sent.once('error', reject);
    sent.end(FETCH);
  });
}
