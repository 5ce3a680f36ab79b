// Who may call: pages of this machine and of origins that are allowed, by names that the server has.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { serve } from 'locket-wasm/serve';

import { makeCertificates } from './support/certificates.mjs';
import { answered, exchange, FETCH } from './support/raw.mjs';
import { startServe } from './support/serve-process.mjs';

const FOREIGN = 'https://example.org';
const PREFLIGHT_HEADERS = 'access-control-request-method: POST\r\naccess-control-request-headers: content-type,x-grpc-web,uuid\r\n';

let serving, open;
before(async () => {
  serving = await serve({ port: 0, profile: 'upstream' });
  open = await serve({ port: 0, profile: 'upstream', allowedOrigins: [FOREIGN], allowedHosts: ['Locket'] });
});
after(() => Promise.all([serving?.close(), open?.close()]));

/** A gRPC-Web call over HTTP/1.1: its status line and headers. */
async function called({ url }, { host = 'localhost', origin }) {
  const from = origin === undefined ? '' : `origin: ${origin}\r\n`;
  const head = `POST /models.Locket/Fetch HTTP/1.1\r\nhost: ${host}\r\n${from}content-type: application/grpc-web+proto\r\n`;
  const { answer } = await exchange(url, [`${head}connection: close\r\ncontent-length: ${FETCH.length}\r\n\r\n`, FETCH]);
  return answer;
}

/** The same over HTTP/2, as gRPC. */
const streamed = async ({ url }, headers) => (await answered(url, undefined, headers)).headers;

async function preflight({ url }, origin) {
  const head = `OPTIONS /models.Locket/Fetch HTTP/1.1\r\nhost: localhost\r\norigin: ${origin}\r\n`;
  return (await exchange(url, [`${head}${PREFLIGHT_HEADERS}connection: close\r\n\r\n`])).answer;
}

const DONE = /grpc-message: resource-not-found\r\n/;

describe('a page', () => {
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8080', 'https://app.localhost', 'http://[::1]:3000']) {
    it(`of this machine may call, and sees refusals: ${origin}`, async () => {
      const answer = await called(serving, { origin });
      assert.match(answer, DONE);
      assert.ok(answer.includes(`access-control-allow-origin: ${origin}\r\n`));
      assert.match(answer, /access-control-expose-headers: grpc-status,grpc-message\r\n/);
      assert.match(await preflight(serving, origin), /^HTTP\/1\.1 200 OK\r\n/);
    });
  }

  for (const origin of [FOREIGN, 'null', 'http://localhost.example.org', 'http://127.0.0.1.example.org', 'https://localhost:1@example.org']) {
    it(`of another origin may not call: ${origin}`, async () => {
      const answer = await called(serving, { origin });
      assert.match(answer, /grpc-status: 7\r\n[^]*--allow-origin/);
      assert.doesNotMatch(answer, /access-control/);
      const refused = await preflight(serving, origin);
      assert.match(refused, /^HTTP\/1\.1 403 /);
      assert.doesNotMatch(refused, /access-control/);
    });
  }

  it('of another origin may not call over HTTP/2', async () => {
    const headers = await streamed(serving, { origin: FOREIGN });
    assert.deepEqual([headers['grpc-status'], headers['access-control-allow-origin']], ['7', undefined]);
  });

  it('of an origin that is allowed may call', async () => {
    assert.ok((await called(open, { origin: FOREIGN })).includes(`access-control-allow-origin: ${FOREIGN}\r\n`));
    const allowed = /access-control-allow-headers: (.*)\r\n/.exec(await preflight(open, FOREIGN))[1].split(',');
    for (const header of ['content-type', 'grpc-timeout', 'uuid', 'x-grpc-web', 'x-user-agent']) {
      assert.ok(allowed.includes(header), header);
    }
    assert.match(await called(open, { origin: 'https://other.example.org' }), /grpc-status: 7\r\n/);
  });
});

describe('a name', () => {
  for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:8891', '127.1.2.3', '[::1]:8891', 'locket.localhost', '192.0.2.1']) {
    it(`of this machine, or an address, is right: ${host}`, async () => assert.match(await called(serving, { host }), DONE));
  }

  for (const host of ['rebound.example.org', 'rebound.example.org:8891', 'localhost.example.org', 'locket', '127.0.0.1.example.org']) {
    it(`that the server does not have is refused: ${host}`, async () => {
      assert.match(await called(serving, { host }), /grpc-status: 7\r\n[^]*--allow-host/);
      assert.equal((await streamed(serving, { ':authority': host }))['grpc-status'], '7');
    });
  }

  it('that is allowed is right', async () => {
    assert.match(await called(open, { host: 'locket:8891' }), DONE);
    assert.equal((await streamed(open, { ':authority': 'locket:8891' }))['grpc-message'], 'resource-not-found');
    assert.match(await called(open, { host: 'locket.example.org' }), /grpc-status: 7\r\n/);
  });

  it('is not looked at over TLS, where the certificate has it', async () => {
    const { pem, remove } = makeCertificates();
    const secured = await serve({ port: 0, profile: 'upstream', tls: { cert: pem.server, key: pem.serverKey } });
    assert.equal((await streamed(secured, { ':authority': 'rebound.example.org' }))['grpc-message'], 'resource-not-found');
    assert.equal((await streamed(secured, { origin: FOREIGN }))['grpc-status'], '7');
    await secured.close();
    remove();
  });

  it('may be anything where anything is allowed', async () => {
    const any = await serve({ port: 0, profile: 'upstream', allowedOrigins: ['*'], allowedHosts: ['*'] });
    assert.match(await called(any, { host: 'rebound.example.org', origin: 'null' }), DONE);
    await any.close();
  });
});

it('the command line allows origins and names', async () => {
  const both = ['--allow-origin', 'https://one.example.org', '--allow-origin', FOREIGN, '--allow-host', 'locket'];
  const running = await startServe('--port', '0', '--profile', 'upstream', ...both);
  assert.match(await called(running, { origin: FOREIGN, host: 'locket' }), DONE);
  assert.equal(await running.end(), 0);
});
