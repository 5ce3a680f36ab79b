// Locket's own port speaks HTTP/2 with mutual TLS and nothing else: every command reaches it by its URL, and a client that is
// refused there learns why, at once.

import assert from 'node:assert/strict';
import { createServer as createHttps } from 'node:https';
import { createServer as createTls } from 'node:tls';
import { after, before, describe, test } from 'node:test';

import { Code, LocketClient, LocketError } from 'locket-wasm';
import { GrpcChannel, GrpcWebChannel } from 'locket-wasm/grpc';
import { serve } from 'locket-wasm/serve';

import { listen } from '../net/support/listen.mjs';
import { failureOf } from '../node/support/helpers.mjs';
import { makeCertificates } from './support/certificates.mjs';
import { startRealPort } from './support/real-port.mjs';
import { runCli } from './support/serve-process.mjs';

const certificates = makeCertificates();
const { files, pem, issue } = certificates;
const others = makeCertificates('other authority');
const TRUSTED = ['--ca-file', files.ca, '--cert-file', files.client, '--key-file', files.clientKey];
const ours = { ca: pem.ca, cert: pem.client, key: pem.clientKey };
const atServer = { ca: pem.ca, cert: pem.server, key: pem.serverKey };
const closers = [];
const closing = (one) => (closers.push(() => one.close()), one);
let real;

before(async () => (real = closing(await startRealPort(atServer))));
after(async () => {
  await Promise.all(closers.reverse().map((close) => close()));
  certificates.remove();
  others.remove();
});

describe('by a URL with https:// and its port', { concurrency: 2 }, () => {
  const COMMANDS = [
    ['locks', [], /no locks/],
    ['presences', [], /no presences/],
    ['claim-lock', ['--key', 'claimed', '--owner', 'a', '--ttl', '15s'], /a holds claimed/],
    ['claim-presence', ['--key', 'present', '--owner', 'a', '--ttl', '15s'], /a holds present/],
    ['release-lock', ['--key', 'free', '--owner', 'a'], /a released free/],
    ['watch', ['--for', '1s', '--key', 'none', '--json'], /"type":"snapshot"/],
    ['doctor', [], /Locket answers over gRPC$/m],
  ];
  for (const [command, args, expected] of COMMANDS) {
    test(`${command} reaches Locket itself`, async () => {
      const own = await startRealPort(atServer);
      const { code, stdout, stderr } = await runCli(command, '--url', `https://${own.host}`, ...TRUSTED, ...args);
      await own.close();
      assert.match(stdout, expected, stderr);
      assert.equal(code, 0);
    });

    test(`${command} reaches a gRPC-Web proxy without HTTP/2`, async () => {
      const proxy = await startProxy();
      const { code, stdout, stderr } = await runCli(command, '--url', proxy.url, ...TRUSTED, ...args);
      await proxy.close();
      assert.match(stdout, command === 'doctor' ? /Locket answers over gRPC-Web$/m : expected, stderr);
      assert.equal(code, 0);
    });
  }

  test('a watch of a port on which nobody listens tells why', async () => {
    const { port, close } = await startRealPort(atServer);
    await close();
    const { stdout } = await runCli('watch', '--url', `https://127.0.0.1:${port}`, ...TRUSTED, '--for', '1s', '--interval', '100ms', '--json');
    assert.match(stdout, /"type":"error".*ECONNREFUSED/);
  });
});

/** A gRPC-Web endpoint over TLS and HTTP/1.1, in front of a Locket of its own. */
async function startProxy() {
  const { server, close } = await serve({ port: 0, profile: 'upstream', closeTimeout: '0s' });
  const proxy = createHttps(atServer, async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = ['content-type', 'accept', 'uuid'].flatMap((name) => (request.headers[name] === undefined ? [] : [name, request.headers[name]]));
    const answer = await server.handle({ method: request.method, path: request.url, headers, body: Buffer.concat(chunks) });
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
  const front = await listen(proxy, 'https');
  return { url: front.url, close: () => Promise.all([front.close(), close()]) };
}

const LOCK = { key: 'bbs', owner: 'bbs-0', ttl: '15s', retryInterval: '50ms' };
const issued = (kind) => issue(`issued-${(issuedCount += 1)}`, kind).pem;
let issuedCount = 0;

// What the client shows and trusts, and what the error says.
const REFUSED = [
  ['no certificate', () => ({ ca: pem.ca }), /the server requires a client certificate/],
  ['an expired certificate', () => ({ ca: pem.ca, ...issued({ usage: 'clientAuth', from: -9, until: -2 }) }), /the server refuses the client's certificate: it has expired on/],
  ['a certificate that is not valid yet', () => ({ ca: pem.ca, ...issued({ usage: 'clientAuth', from: 2, until: 9 }) }), /the server refuses the client's certificate: it is not yet valid/],
  ["a server's certificate", () => ({ ca: pem.ca, ...issued({ usage: 'serverAuth' }) }), /the server refuses the client's certificate: its extended key usage is serverAuth, without clientAuth/],
  ["another authority's certificate", () => ({ ca: pem.ca, cert: others.pem.client, key: others.pem.clientKey }), /the server refuses the client's certificate: .*CN=other authority/],
  ['the trust in another authority', () => ({ ...ours, ca: others.pem.ca }), /this client refuses the server's certificate: self-signed certificate/],
  ['another name of the server', () => ({ ...ours, serverName: 'locket.example.org' }), /this client refuses the server's certificate: .*locket\.example\.org/],
];

for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
  describe(`over ${maxVersion} an acquire ends at once, without an effect, with`, () => {
    let port;
    before(async () => (port = closing(await startRealPort(atServer, { maxVersion })).port));
    for (const [what, tls, expected] of REFUSED) {
      for (const waitForReady of [false, true]) {
        test(`${what}${waitForReady ? ', though its channel waits for a connection' : ''}`, { timeout: 10_000 }, async () => {
          const channel = closing(new GrpcChannel({ url: `https://127.0.0.1:${port}`, tls: tls(), waitForReady }));
          const error = await failureOf(new LocketClient(channel.clientOptions).acquire(LOCK));
          assert.ok(error instanceof LocketError);
          assert.deepEqual([error.code, error.outcome], [Code.Unauthenticated, 'no-effect']);
          assert.match(error.message, expected);
        });
      }
    }
  });
}

for (const [what, tls, expected] of REFUSED) {
  test(`over gRPC-Web, too, an acquire ends with ${what}`, { timeout: 10_000 }, async () => {
    const proxy = await serve({ port: 0, tls: atServer, closeTimeout: '0s' });
    const channel = closing(new GrpcWebChannel({ url: proxy.url, tls: tls() }));
    const error = await failureOf(new LocketClient(channel.clientOptions).acquire(LOCK));
    await proxy.close();
    assert.deepEqual([error.code, error.outcome], [Code.Unauthenticated, 'no-effect']);
    assert.match(error.message, expected);
  });
}

test('an acquire goes on while a server closes its connections for another reason', async () => {
  let connections = 0;
  const listener = createTls({ ...atServer, requestCert: true, ALPNProtocols: ['h2'] }, (socket) => {
    connections += 1;
    socket.on('error', () => {}).destroy();
  });
  const { url } = closing(await listen(listener, 'https'));
  const channel = closing(new GrpcChannel({ url, tls: ours, maxBackoff: '50ms' }));
  const error = await failureOf(new LocketClient(channel.clientOptions).acquire(LOCK, { maxWait: '1s' }));
  assert.equal(error.name, 'LockTimeoutError');
  assert.equal(error.lastAttempt.code, Code.Unavailable);
  assert.ok(connections > 2, `${connections} connections`);
});

test('of two servers of which one accepts the certificate, that one is used', async () => {
  const strict = closing(await startRealPort({ ...atServer, ca: others.pem.ca }));
  const channel = closing(new GrpcChannel({ url: [`https://${strict.host}`, `https://${real.host}`], tls: ours }));
  const lock = await new LocketClient(channel.clientOptions).acquire({ ...LOCK, key: 'second' });
  assert.equal(lock.held, true);
  await lock.release();
});
