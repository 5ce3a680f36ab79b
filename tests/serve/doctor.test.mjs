// `doctor` names what is wrong with an endpoint.

import assert from 'node:assert/strict';
import { createServer as createHttp1 } from 'node:http';
import { createSecureServer as createHttp2Secure, createServer as createHttp2 } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';

import { serve } from 'locket-wasm/serve';

import { makeCertificates } from './support/certificates.mjs';
import { runCli } from './support/serve-process.mjs';

const { files, pem, remove } = makeCertificates();
const others = makeCertificates();
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
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections?.();
    server.close();
  });
  return `127.0.0.1:${server.address().port}`;
}

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

// What is called, the arguments, and what is said.
const CASES = [
  ['a Locket in clear text', () => [plain], [/✓ .* accepts connections/, /✓ it speaks HTTP\/2/, /✓ Locket answers/], 0],
  ['a Locket with mutual TLS', () => [secure, ...TRUSTED], [/✓ it speaks TLSv1\.3/, /✓ its certificate is for .*, and is trusted/, /✓ Locket answers/], 0],
  ['a gRPC-Web endpoint', () => [`http://${plain}`], [/✓ Locket answers/], 0],
  ['of several addresses one that answers', () => [`127.0.0.1:1,${plain}`], [/! 127\.0\.0\.1:1 refuses/, /✓ Locket answers/], 0],
  ['a name without an address', () => ['locket.invalid:8891'], [/✗ locket\.invalid has no address/], 1],
  ['a port on which nobody listens', () => ['127.0.0.1:1'], [/✗ 127\.0\.0\.1:1 refuses connections\n {2}check that Locket runs/], 1],
  ['a server that says nothing', async () => [await listening(createServer(() => {})), '--timeout', '300ms'], [/✗ it does not answer HTTP\/2/], 1],
  ['clear text where TLS is spoken', () => [secure], [/✗ it speaks TLS\n {2}pass --ca-file/], 1],
  ['TLS where clear text is spoken', () => [plain, ...TRUSTED], [/✗ (?:it does not speak TLS|the TLS handshake fails)/], 1],
  ['an unknown authority', () => [secure, '--ca-file', others.files.ca, ...CLIENT], [/✗ its certificate is signed by 'test authority', which is not trusted/], 1],
  ['an unknown authority that does not matter', () => [secure, '--skip-cert-verify', ...CLIENT], [/! its certificate is signed .* not trusted/, /✓ Locket answers/], 0],
  ['another name', () => [secure.replace('127.0.0.1', '127.0.0.2'), ...TRUSTED], [/✗ (?:its certificate is for .*, not for 127\.0\.0\.2|127\.0\.0\.2:\d+ refuses)/], 1],
  ['no client certificate', () => [secure, '--ca-file', files.ca], [/✗ it requires a client certificate\n {2}pass --cert-file/], 1],
  ["another authority's client certificate", () => [secure, '--ca-file', files.ca, '--cert-file', others.files.client, '--key-file', others.files.clientKey], [/✗ it rejects the client's certificate/], 1],
  ['HTTP/1.1 only', async () => [await listening(createHttp1((_, answer) => answer.end('hello')))], [/✗ it speaks HTTP\/1\.1 only/], 1],
  ['HTTP/1.1 only over TLS', async () => [await listening(createHttps({ cert: pem.server, key: pem.serverKey }, (_, answer) => answer.end())), ...TRUSTED], [/✗ it offers no HTTP\/2 over TLS/], 1],
  ['Locket itself where a gRPC-Web proxy is meant', async () => [`http://${await grpcServer({ 'grpc-status': '5', 'grpc-message': 'resource-not-found' })}`], [/✗ it speaks no HTTP\/1\.1.*\n {2}for the port of Locket itself, pass --protocol grpc/], 1],
  ['the same over TLS', async () => [`https://${await listening(createHttp2Secure({ cert: pem.server, key: pem.serverKey }))}`, ...TRUSTED], [/✗ it speaks no HTTP\/1\.1.*\n {2}for the port of Locket itself, pass --protocol grpc/], 1],
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

test('it says so as JSON, too', async () => {
  const { stdout } = await runCli('doctor', '--url', '127.0.0.1:1', '--json');
  const { urls, protocol, findings } = JSON.parse(stdout);
  assert.deepEqual([urls, protocol, findings[0].verdict], [['http://127.0.0.1:1'], 'grpc', 'bad']);
});
