// The commands that call a Locket, as processes of their own against one on a port.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { serve } from 'locket-wasm/serve';

import { listen } from '../net/support/listen.mjs';
import { makeCertificates } from './support/certificates.mjs';

const CLI = fileURLToPath(new URL('../../pkg/dist/cli.js', import.meta.url));

/** Runs the command line to its end, without the environment's own Locket. */
function cli(args, env = {}) {
  const cfdots = ['LOCKET_API_LOCATION', 'CA_CERT_FILE', 'CLIENT_CERT_FILE', 'CLIENT_KEY_FILE', 'SKIP_CERT_VERIFY'];
  const own = { ...Object.fromEntries(cfdots.map((name) => [name, undefined])), ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], { env: { ...process.env, ...own } }, (error, stdout, stderr) => {
      resolve({ status: error?.code ?? 0, stdout, stderr });
    });
  });
}

describe('the commands of cfdot', () => {
  let locket;
  before(async () => {
    locket = await serve({ port: 0, clock: 'virtual', profile: 'upstream' });
  });
  after(() => locket.close());
  beforeEach(() => locket.server.table().forEach(({ path }) => locket.server.deleteRow(path)));

  const call = (...args) => cli([...args, '--url', locket.url]);
  const rows = () => locket.server.table().map(({ path, owner, value, type, ttl }) => ({ path, owner, value, type, ttl }));
  const claim = (kind, key, owner) => call(`claim-${kind}`, '-k', key, '-o', owner, '-t', '15');

  test('claim-lock takes a lock for its TTL, and says so', async () => {
    const taken = await call('claim-lock', '--key', 'bbs', '--owner', 'me', '--value', 'text', '--ttl', '15s');
    assert.deepEqual(taken, { status: 0, stdout: 'me holds bbs for 15 s\n', stderr: '' });
    assert.deepEqual(rows(), [{ path: 'bbs', owner: 'me', value: 'text', type: 'lock', ttl: 15 }]);
    locket.server.clock.advance('14s');
    assert.equal(rows().length, 1);
    locket.server.clock.advance('1s');
    assert.deepEqual(rows(), []);
  });

  test('claim-presence takes a presence; --json says it for programs', async () => {
    const { status, stdout } = await call('claim-presence', '-k', 'cell', '-o', 'me', '-t', '15', '--json');
    const resource = { key: 'cell', owner: 'me', type: 'presence', type_code: 2 };
    assert.deepEqual([status, JSON.parse(stdout)], [0, { resource, ttl_in_seconds: 15 }]);
    assert.equal(rows()[0].type, 'presence');
  });

  test('a lock of another owner is refused with exit code 3', async () => {
    await claim('lock', 'bbs', 'you');
    const { status, stdout, stderr } = await claim('lock', 'bbs', 'me');
    assert.deepEqual([status, stdout], [3, '']);
    assert.equal(stderr, 'locket-wasm: lock-collision (AlreadyExists): another owner holds the key\n');
  });

  test('a TTL of 0 is for Locket to refuse', async () => {
    const { status, stderr } = await call('claim-lock', '-k', 'bbs', '-o', 'me', '-t', '0');
    assert.equal(status, 3);
    assert.match(stderr, /invalid-ttl/);
  });

  test('locks and presences list their kind, as a table for people', async () => {
    for (const [kind, key] of [['lock', 'bbs'], ['lock', 'auctioneer'], ['presence', 'cell']]) await claim(kind, key, `${key}-0`);
    assert.equal((await call('locks')).stdout, 'key         owner         value\nbbs         bbs-0\nauctioneer  auctioneer-0\n');
    assert.equal((await call('presences')).stdout, 'key   owner   value\ncell  cell-0\n');
  });

  test('where there is none, they say so, and programs get nothing', async () => {
    assert.deepEqual(await call('locks'), { status: 0, stdout: 'no locks\n', stderr: '' });
    assert.deepEqual(await call('presences', '--json'), { status: 0, stdout: '', stderr: '' });
  });

  test('--json prints the lines that cfdot prints', async () => {
    await claim('lock', 'bbs', 'me');
    await call('claim-lock', '-k', 'tps', '-o', 'you', '-v', 'text', '-t', '15');
    assert.equal(
      (await call('locks', '--json')).stdout,
      '{"key":"bbs","owner":"me","type":"lock","type_code":1}\n{"key":"tps","owner":"you","value":"text","type":"lock","type_code":1}\n',
    );
  });

  test('release-lock gives up locks and presences of their owner only', async () => {
    await claim('lock', 'bbs', 'me');
    await claim('presence', 'cell', 'me');
    const refused = await call('release-lock', '-k', 'bbs', '-o', 'you');
    assert.deepEqual([refused.status, /lock-collision/.test(refused.stderr)], [3, true]);
    assert.deepEqual(await call('release-lock', '-k', 'bbs', '-o', 'me'), { status: 0, stdout: 'me released bbs\n', stderr: '' });
    assert.equal((await call('release-lock', '-k', 'cell', '-o', 'me', '--json')).stdout, '{"resource":{"key":"cell","owner":"me"}}\n');
    assert.deepEqual(rows(), []);
  });

  test('the address may come from where cfdot has it', async () => {
    await claim('lock', 'bbs', 'me');
    const { stdout } = await cli(['locks', '--json'], { LOCKET_API_LOCATION: new URL(locket.url).host });
    assert.equal(JSON.parse(stdout).owner, 'me');
  });

  test('a TTL may be a number of seconds, as cfdot has it, or have its unit', async () => {
    for (const ttl of ['3600', '1h']) assert.equal((await call('claim-lock', '-k', 'bbs', '-o', 'me', '--ttl', ttl)).stdout, 'me holds bbs for 3600 s\n');
    assert.equal((await call('claim-lock', '-k', 'bbs', '-o', 'me', '-t', '1.5s')).status, 2);
  });

  for (const [how, location, contentType] of [
    ['an address is called by gRPC', (url) => [new URL(url).host], 'application/grpc+proto'],
    ['a URL is called by gRPC if that is said', (url) => [url, '--protocol', 'grpc'], 'application/grpc+proto'],
    ['of several addresses the first that accepts is called', (url) => [`127.0.0.1:1,${new URL(url).host}`], 'application/grpc+proto'],
    ['a URL is called by gRPC-Web', (url) => [url], 'application/grpc-web+proto'],
    ['an address is called by gRPC-Web if that is said', (url) => [new URL(url).host, '--protocol', 'grpc-web'], 'application/grpc-web+proto'],
  ]) {
    test(how, async (t) => {
      const handle = t.mock.method(locket.server, 'handle');
      const { status, stderr } = await cli(['locks', '--json', '--url', ...location(locket.url)]);
      const seen = handle.mock.calls.map(({ arguments: [{ headers }] }) => headers[headers.indexOf('content-type') + 1]);
      assert.deepEqual([status, stderr, seen], [0, '', [contentType]]);
    });
  }

  test('of gRPC-Web proxies one is called', async () => {
    const { status, stderr } = await cli(['locks', '--url', 'http://a.test,http://b.test']);
    assert.deepEqual([status, /--protocol grpc/.test(stderr)], [2, true]);
  });

  test('an answer that comes too late ends it with exit code 4, since it may have been done', async () => {
    locket.server.setLatency('1h');
    const { status, stderr } = await call('claim-lock', '-k', 'bbs', '-o', 'me', '-t', '15', '--timeout', '200ms');
    locket.server.setLatency('0s');
    assert.equal(status, 4);
    assert.match(stderr, /context deadline exceeded.*; the call may have had its effect\n$/);
  });
});

test('a Locket that is not there ends it with exit code 1, since certainly nothing was done, and says what happened', async () => {
  const gone = await serve({ port: 0 });
  await gone.close();
  for (const command of [['locks'], ['claim-lock', '-k', 'bbs', '-o', 'me', '-t', '15'], ['release-lock', '-k', 'bbs', '-o', 'me']]) {
    const { status, stderr } = await cli([...command, '--url', gone.url]);
    assert.equal(status, 1);
    assert.match(stderr, /^locket-wasm: .*ECONNREFUSED.*Unavailable/);
    assert.doesNotMatch(stderr, /may have been done/);
  }
});

test('a list that does not come in time is not something that may have been done', async () => {
  const slow = await serve({ port: 0, latency: '1h' });
  const { status, stderr } = await cli(['locks', '--url', slow.url, '--timeout', '200ms']);
  await slow.close();
  assert.equal(status, 1);
  assert.match(stderr, /context deadline exceeded/);
  assert.doesNotMatch(stderr, /may have been done/);
});

test('a TTL that Locket would let end at once is not claimed', async () => {
  const { status, stdout, stderr } = await cli(['claim-lock', '--url', 'http://127.0.0.1:9', '-k', 'bbs', '-o', 'me', '-t', '9223372037']);
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /--ttl: expected at most 9223372036/);
});

test('headers of the user go along', async () => {
  const seen = [];
  const proxy = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(401).end();
  });
  const { url, close } = await listen(proxy);
  const { status } = await cli(['locks', '--url', url, '--header', 'authorization: Bearer abc']);
  await close();
  assert.deepEqual([status, seen], [3, ['Bearer abc']]);
});

describe('over mutual TLS', () => {
  const { files, pem, remove } = makeCertificates();
  let locket;
  before(async () => {
    locket = await serve({ port: 0, tls: { cert: pem.server, key: pem.serverKey, ca: pem.ca } });
  });
  after(async () => {
    await locket.close();
    remove();
  });

  test('with the files of cfdot it takes and lists a lock', async () => {
    const { host } = new URL(locket.url);
    const env = { LOCKET_API_LOCATION: host, CA_CERT_FILE: files.ca, CLIENT_CERT_FILE: files.client, CLIENT_KEY_FILE: files.clientKey };
    assert.equal((await cli(['claim-lock', '-k', 'bbs', '-o', 'me', '-t', '15'], env)).stdout, 'me holds bbs for 15 s\n');
    const flags = ['--ca-file', files.ca, '--cert-file', files.client, '--key-file', files.clientKey];
    assert.equal(JSON.parse((await cli(['locks', '--json', '--url', locket.url, ...flags])).stdout).key, 'bbs');
  });

  test("cfdot's flags are taken, those of today and those of before", async () => {
    const { host } = new URL(locket.url);
    for (const [ca, cert, key] of [['caCertFile', 'clientCertFile', 'clientKeyFile'], ['locketCACertFile', 'locketCertFile', 'locketKeyFile']]) {
      const flags = [`--${ca}`, files.ca, `--${cert}`, files.client, `--${key}`, files.clientKey];
      assert.equal((await cli(['locks', '--json', '--locketAPILocation', host, ...flags])).status, 0);
    }
  });

  test('SKIP_CERT_VERIFY is true or false, and nothing else', async () => {
    const own = ['--url', new URL(locket.url).host, '--cert-file', files.client, '--key-file', files.clientKey];
    const status = async (value) => (await cli(['locks', ...own], { SKIP_CERT_VERIFY: value })).status;
    assert.deepEqual([await status('true'), await status('1'), await status('false'), await status('0'), await status('')], [0, 0, 1, 1, 1]);
    assert.equal(await status('no'), 2);
    assert.equal((await cli(['locks', ...own, '--skipCertVerify=false'], { SKIP_CERT_VERIFY: 'true' })).status, 1);
  });
});
