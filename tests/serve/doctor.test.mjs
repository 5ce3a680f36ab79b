// `doctor` names what is wrong with an endpoint.

import assert from 'node:assert/strict';
import { createServer as createHttp1 } from 'node:http';
import { createSecureServer as createHttp2Secure, createServer as createHttp2 } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { createServer } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { after, before, test } from 'node:test';

import { serve } from 'locket-wasm/serve';

import { listen } from '../net/support/listen.mjs';
import { makeCertificates } from './support/certificates.mjs';
import { startRealPort } from './support/real-port.mjs';
import { runCli } from './support/serve-process.mjs';

const { files, pem, issue, remove } = makeCertificates();
const others = makeCertificates('other authority');
const closers = [];
let plain, secure;

before(async () => {
  plain = await opened(serve({ port: 0, profile: 'upstream', closeTimeout: '0s' }));
  secure = await opened(serve({ port: 0, tls: { cert: pem.server, key: pem.serverKey, ca: pem.ca }, closeTimeout: '0s' }));
});
after(async () => {
  await Promise.all(closers.map((close) => close()));
  remove();
  others.remove();
});

async function opened(serving) {
  const { url, close } = await serving;
  closers.push(close);
  return new URL(url).host;
}

/** The address of a server of Node's. */
async function listening(server) {
  const { host, close } = await listen(server);
  closers.push(close);
  return host;
}

/** A port with mutual TLS and nothing but HTTP/2. */
async function realPort(options, server = { cert: pem.server, key: pem.serverKey }) {
  const real = await startRealPort({ ca: pem.ca, ...server }, options);
  closers.push(real.close);
  return real.host;
}

/** The options for a client's certificate. */
const as = (made) => ['--cert-file', made.files.cert, '--key-file', made.files.key];
const issued = (kind) => issue(`issued-${(issuedCount += 1)}`, kind);
let issuedCount = 0;

const CLIENT = ['--cert-file', files.client, '--key-file', files.clientKey];
const TRUSTED = ['--ca-file', files.ca, ...CLIENT];
const date = new Date(Date.now() - 3_600_000).toUTCString();

const grpcServer = (trailers, headers = {}) => {
  const server = createHttp2();
  server.on('stream', (stream) => {
    stream.resume();
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...headers, ...trailers }, { endStream: true });
  });
  return listening(server);
};

/** Answers everything with a text, by HTTP/2 over TLS. */
function textOverHttp2() {
  const server = createHttp2Secure({ cert: pem.server, key: pem.serverKey });
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/plain' });
    stream.end('hello');
  });
  return server;
}

// What is called, the arguments, and what is said.
const CASES = [
  ['a Locket in clear text', () => [plain], [/✓ .* accepts connections/, /✓ it speaks HTTP\/2/, /✓ Locket answers/], 0],
  ['a Locket with mutual TLS', () => [secure, ...TRUSTED], [/✓ it speaks TLSv1\.3/, /✓ its certificate is for .*, and is trusted/, /✓ Locket answers/], 0],
  ['a gRPC-Web endpoint', () => [`http://${plain}`], [/✓ Locket answers/], 0],
  ['of several addresses one that answers', () => [`127.0.0.1:1,${plain}`], [/! 127\.0\.0\.1:1 refuses/, /✓ Locket answers/], 0],
  ['a name without an address', () => ['locket.invalid:8891'], [/✗ locket\.invalid has no address/], 1],
  ['a port on which nobody listens', () => ['127.0.0.1:1'], [/✗ 127\.0\.0\.1:1 refuses connections: nothing listens there\n {2}check that Locket runs/], 1],
  ['a server that says nothing', async () => [await listening(createServer(() => {})), '--timeout', '300ms'], [/✗ it does not answer HTTP\/2/], 1],
  ['clear text where TLS is spoken', () => [secure], [/✗ it speaks TLS\n {2}pass --ca-file/], 1],
  ['TLS where clear text is spoken', () => [plain, ...TRUSTED], [/✗ it does not speak TLS, but HTTP\/2 in clear text\n {2}leave out https:\/\//], 1],
  ['a URL with http:// where TLS is spoken', () => [`http://${secure}`], [/✗ it speaks TLS\n {2}pass an address that begins with https:\/\//], 1],
  ['a URL with http:// where TLS and nothing but HTTP/2 is spoken', async () => [`http://${await realPort()}`], [/✗ it speaks TLS\n {2}pass an address that begins with https:\/\//], 1],
  ['clear text where TLS and nothing but HTTP/2 is spoken', async () => [await realPort()], [/✗ it speaks TLS\n {2}pass --ca-file/], 1],
  ['a URL with https:// where clear text is spoken', async () => [`https://${await listening(createHttp1((_, answer) => answer.end()))}`], [/✗ it does not speak TLS, but HTTP\/1\.1 in clear text\n {2}pass an address that begins with http:\/\//], 1],
  ['a URL with https:// where another protocol is spoken', async () => [`https://${await listening(createServer((socket) => socket.on('error', () => {}).write('SSH-2.0-x\r\n')))}`], [/✗ it does not speak TLS, but another protocol/], 1],
  ['another protocol', async () => [await listening(createServer((socket) => socket.on('error', () => {}).write('SSH-2.0-x\r\n')))], [/✗ it speaks another protocol/], 1],
  ["the URL of Locket's own port", async () => [`https://${await realPort()}`, ...TRUSTED], [/✓ it speaks HTTP\/2\n✓ Locket answers over gRPC\n/], 0],
  ["a gRPC-Web proxy's URL with https://", () => [`https://${secure}`, ...TRUSTED, '--protocol', 'grpc-web'], [/✓ Locket answers over gRPC-Web/], 0],
  ["Locket's own port that is asked by gRPC-Web", async () => [`https://${await realPort()}`, ...TRUSTED, '--protocol', 'grpc-web'], [/✗ it speaks no HTTP\/1\.1, only HTTP\/2.*\n {2}for the port of Locket itself, pass --protocol grpc/], 1],
  ['an unknown authority', () => [secure, '--ca-file', others.files.ca, ...CLIENT], [/✗ its certificate is signed by 'test authority', which is not trusted/], 1],
  ['an unknown authority that does not matter', () => [secure, '--skip-cert-verify', ...CLIENT], [/! its certificate is signed .* not trusted/, /✓ Locket answers/], 0],
  ['another name', () => [secure.replace('127.0.0.1', '127.0.0.2'), ...TRUSTED], [/✗ (?:its certificate is for .*, not for 127\.0\.0\.2|127\.0\.0\.2:\d+ refuses)/], 1],
  ['no client certificate', () => [secure, '--ca-file', files.ca], [/✗ it requires a client certificate\n {2}pass --cert-file/], 1],
  ["another authority's client certificate", () => [secure, '--ca-file', files.ca, '--cert-file', others.files.client, '--key-file', others.files.clientKey], [/✗ it rejects the client's certificate/], 1],
  ['HTTP/1.1 only', async () => [await listening(createHttp1((_, answer) => answer.end('hello')))], [/✗ it speaks HTTP\/1\.1 only/], 1],
  ['HTTP/1.1 only over TLS', async () => [await listening(createHttps({ cert: pem.server, key: pem.serverKey }, (_, answer) => answer.end())), ...TRUSTED], [/✗ it offers no HTTP\/2 over TLS/], 1],
  ['Locket itself where a gRPC-Web proxy is meant', async () => [`http://${await grpcServer({ 'grpc-status': '5', 'grpc-message': 'resource-not-found' })}`], [/✗ it speaks no HTTP\/1\.1.*\n {2}for the port of Locket itself, pass --protocol grpc/], 1],
  ['a server of HTTP/2 over TLS that is no gRPC', async () => [`https://${await listening(textOverHttp2())}`, ...TRUSTED], [/✓ it speaks HTTP\/2/, /✗ (?:it refuses this client \(HTTP 403|it is not Locket)/], 1],
  ['another gRPC server', async () => [await grpcServer({ 'grpc-status': '12', 'grpc-message': 'unknown service models.Locket' })], [/✗ it has no service models\.Locket/], 1],
  ['a proxy without Locket', async () => [await grpcServer({ 'grpc-status': '14', 'grpc-message': 'no healthy upstream' }, { server: 'envoy' })], [/! a proxy is in between \(envoy\)/, /✗ a proxy answers, but Locket behind it does not \(no healthy upstream\)/], 1],
  ['a web server', async () => [`http://${await listening(createHttp1((_, answer) => answer.setHeader('content-type', 'text/html').end('<html>')))}`], [/✗ it is not Locket: .*text\/html/], 1],
  ['a database that is gone', async () => [await grpcServer({ 'grpc-status': '2', 'grpc-message': 'sql-unrecoverable' })], [/✗ Locket answers with an error \(sql-unrecoverable\)/], 1],
  ['a clock that is an hour behind', async () => [await grpcServer({ 'grpc-status': '5', 'grpc-message': 'resource-not-found' }, { date })], [/! its clock is 36\d\d s behind/, /✓ Locket answers/], 0],
];

for (const [what, args, expected, status] of CASES) {
  test(`it names ${what}`, async () => {
    const { code, stdout, stderr } = await runCli('doctor', '--url', ...(await args()));
    for (const line of expected) assert.match(stdout, line, stderr);
    assert.equal(code, status, stdout + stderr);
  });
}

// What is wrong with the client's certificate, and what is said.
const REFUSED_BY_SERVER = [
  ['there is none', () => [], /✗ it requires a client certificate\n {2}pass --cert-file/],
  ['it has expired', () => as(issued({ usage: 'clientAuth', from: -9, until: -2 })), /✗ it rejects the client's certificate: it has expired on .* GMT\n {2}renew/],
  ['it is not valid yet', () => as(issued({ usage: 'clientAuth', from: 3, until: 9 })), /✗ it rejects the client's certificate: it is not yet valid, only from .* GMT\n {2}check the clocks/],
  ['it is one of a server', () => as(issued({ usage: 'serverAuth' })), /✗ it rejects the client's certificate: its extended key usage is serverAuth, without clientAuth\n/],
  ['it is one for mail', () => as(issued({ usage: 'emailProtection' })), /✗ it rejects the client's certificate: its extended key usage is [\d.]+, without clientAuth\n/],
  ['its authority is unknown', () => ['--cert-file', others.files.client, '--key-file', others.files.clientKey], /✗ it rejects the client's certificate: .* authority .*CN=other authority\n {2}pass a certificate of an authority/],
];

for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
  for (const [what, cert, expected] of REFUSED_BY_SERVER) {
    test(`over ${maxVersion} it says why a server rejects the client's certificate: ${what}`, async () => {
      const host = await realPort({ maxVersion });
      const { code, stdout } = await runCli('doctor', '--url', `https://${host}`, '--ca-file', files.ca, ...cert());
      assert.match(stdout, expected);
      assert.doesNotMatch(stdout, /✗ (?:its certificate|this client)/);
      assert.equal(code, 1);
    });
  }
}

// What is wrong with the server's certificate, and what is said.
const NAMES = 'IP:127.0.0.1,DNS:localhost';
const REFUSED_BY_CLIENT = [
  ['it has expired', { usage: 'serverAuth', names: NAMES, from: -9, until: -2 }, /✗ this client refuses the server's certificate: it has expired on .* GMT\n {2}renew it/],
  ['it is not valid yet', { usage: 'serverAuth', names: NAMES, from: 3, until: 9 }, /✗ this client refuses the server's certificate: it is not yet valid, only from .* GMT\n {2}check the clock/],
  ['it is one of a client', { usage: 'clientAuth', names: NAMES }, /✗ this client refuses the server's certificate: its extended key usage is clientAuth, without serverAuth\n/],
  ['it is for another name', { usage: 'serverAuth', names: 'DNS:locket.example.org' }, /✗ its certificate is for DNS:locket\.example\.org, not for 127\.0\.0\.1\n/],
];

for (const [what, kind, expected] of REFUSED_BY_CLIENT) {
  test(`it says why this side refuses the server's certificate: ${what}`, async () => {
    const host = await realPort({}, issued(kind).pem);
    const { code, stdout } = await runCli('doctor', '--url', `https://${host}`, ...TRUSTED);
    assert.match(stdout, expected);
    assert.doesNotMatch(stdout, /which is not trusted|rejects the client's/);
    assert.equal(code, 1);
  });
}

test('a server whose certificate is accepted, and which then ends the connection for no reason, is not said to reject one', async () => {
  const server = createTls({ cert: pem.server, key: pem.serverKey, ALPNProtocols: ['h2'] }, (socket) => socket.end());
  const { stdout } = await runCli('doctor', '--url', `https://${await listening(server)}`, ...TRUSTED);
  assert.match(stdout, /✗ it closes the connection after the TLS handshake, without a reason/);
});

// What a proxy says, and what that means.
const VERIFY_FAILED = 'upstream connect error or disconnect/reset before headers. reset reason: remote connection failure, transport failure reason: TLS_error:|268435581:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED:TLS_error_end';
const UPSTREAM = [
  [VERIFY_FAILED, /does not reach Locket: the proxy rejects Locket's certificate/],
  [VERIFY_FAILED.replace('CERTIFICATE_VERIFY_FAILED', 'TLSV1_ALERT_UNKNOWN_CA'), /does not reach Locket: Locket rejects the proxy's certificate/],
  [VERIFY_FAILED.replace('CERTIFICATE_VERIFY_FAILED', 'TLSV13_ALERT_CERTIFICATE_REQUIRED'), /does not reach Locket: Locket requires a client certificate from the proxy/],
  [VERIFY_FAILED.replace('CERTIFICATE_VERIFY_FAILED', 'SSLV3_ALERT_HANDSHAKE_FAILURE'), /does not reach Locket: the TLS handshake between the proxy and Locket fails/],
  [VERIFY_FAILED.replace('CERTIFICATE_VERIFY_FAILED', 'WRONG_VERSION_NUMBER'), /does not reach Locket: the proxy speaks TLS to a port that does not/],
  ['connection error: desc = "transport: authentication handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority"', /the proxy rejects Locket's certificate/],
  ['connection error: desc = "error reading server preface: remote error: tls: bad certificate"', /Locket rejects the proxy's certificate/],
  ['upstream connect error or disconnect/reset before headers. reset reason: remote connection failure, transport failure reason: delayed connect error: Connection refused', /nothing listens where the proxy expects Locket/],
  ['upstream connect error or disconnect/reset before headers. reset reason: remote connection failure', /it gets no connection to Locket, because nothing listens there, or because TLS between them fails/],
  ['upstream connect error or disconnect/reset before headers. reset reason: connection termination', /the proxy's connection to Locket ends before an answer/],
];

for (const [said, expected] of UPSTREAM) {
  test(`of a proxy that says "${said.slice(-60)}" it tells what that means`, async () => {
    const proxy = createHttp1((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/grpc-web+proto', 'grpc-status': '14', 'grpc-message': said.replaceAll('%', '%25') });
      answer.end();
    });
    const { code, stdout } = await runCli('doctor', '--url', `http://${await listening(proxy)}`);
    assert.match(stdout, expected);
    assert.equal(code, 1);
  });
}

/** A gRPC-Web endpoint that answers a page as `headersOf` says. */
const proxyFor = (headersOf) =>
  listening(createHttp1((request, answer) => {
    const isPreflight = request.method === 'OPTIONS';
    request.resume();
    const refusal = isPreflight ? {} : { 'content-type': 'application/grpc-web+proto', 'grpc-status': '5', 'grpc-message': 'resource-not-found' };
    answer.writeHead(isPreflight ? 204 : 200, { ...refusal, ...headersOf(request, isPreflight) });
    answer.end();
  }));

const ORIGIN = 'https://app.example.org';
const allowed = { 'access-control-allow-origin': ORIGIN, 'access-control-allow-headers': 'content-type,x-grpc-web,grpc-timeout,uuid' };
const exposed = { 'access-control-expose-headers': 'grpc-status, grpc-message' };
const CORS = [
  ['a page that may call', () => ({ ...allowed, ...exposed }), /✓ pages of https:\/\/app\.example\.org may call it/, 0],
  ['a preflight request without an answer', (_, isPreflight) => (isPreflight ? {} : { ...allowed, ...exposed }), /✗ it does not answer the preflight request of a page/, 1],
  ['a header that a page may not send', (_, isPreflight) => ({ ...allowed, ...exposed, ...(isPreflight && { 'access-control-allow-headers': 'content-type,x-grpc-web' }) }), /✗ a page may not send grpc-timeout, uuid/, 1],
  ['answers that no page may read', (_, isPreflight) => (isPreflight ? allowed : {}), /✗ its answers do not allow pages of/, 1],
  ['a status that no page may read', () => allowed, /✗ a page cannot read a refusal: access-control-expose-headers lacks grpc-status, grpc-message\n/, 1],
  ['a message that no page may read', () => ({ ...allowed, 'access-control-expose-headers': 'Grpc-Status' }), /✗ a page cannot read a refusal: access-control-expose-headers lacks grpc-message\n/, 1],
];
const ANY = ({ headers: { origin } }) => ({ ...allowed, 'access-control-allow-origin': origin ?? '*' });
const CORS_UNASKED = [
  ['what a page lacks that the endpoint allows', ANY, /✗ a page cannot read a refusal: access-control-expose-headers lacks grpc-status, grpc-message\n/, 1],
  ['the pages of the one origin that it allows', () => ({ ...allowed, ...exposed }), /✓ pages of https:\/\/app\.example\.org may call it/, 0],
  ['what these lack', () => allowed, /✗ a page cannot read a refusal: /, 1],
  ['that it allows no page that was tried, as a note', () => ({}), /! CORS: it allows no page of another origin that was tried\n.*--origin/, 0],
];

for (const [who, args, cases] of [['for the page of --origin', ['--origin', ORIGIN], CORS], ['without --origin', [], CORS_UNASKED]]) {
  for (const [what, headersOf, expected, status] of cases) {
    test(`${who} it names ${what}`, async () => {
      const { code, stdout } = await runCli('doctor', '--url', `http://${await proxyFor(headersOf)}`, ...args);
      assert.match(stdout, expected);
      assert.equal(code, status, stdout);
    });
  }
}

test('the last line names the problem, and a dead port is not called something else than Locket', async () => {
  const { stderr } = await runCli('doctor', '--url', '127.0.0.1:1');
  assert.equal(stderr, 'locket-wasm: problem found: 127.0.0.1:1 refuses connections: nothing listens there\n');
});

test('it says so as JSON, too', async () => {
  const { stdout } = await runCli('doctor', '--url', '127.0.0.1:1', '--json');
  const { urls, protocol, findings } = JSON.parse(stdout);
  assert.deepEqual([urls, protocol, findings[0].verdict], [['http://127.0.0.1:1'], 'grpc', 'bad']);
});
