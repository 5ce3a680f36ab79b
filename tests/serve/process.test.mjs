// The command: what it says, what it refuses, and how it ends.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';

import { serve } from 'locket-wasm/serve';

import { connectWeb, grpcJs, LOCK } from './support/clients.mjs';
import { control, runCli, startServe } from './support/serve-process.mjs';

const lock = (client, key = 'k') => client.lock({ key, owner: 'o', typeCode: LOCK, ttl: '15s' });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the command line', () => {
  it('teaches', async () => {
    const { code, stdout } = await runCli('serve', '--help');
    assert.equal(code, 0);
    for (const taught of ['grpcurl', 'grpc.NewClient', 'curl -d', 'POST /advance', '--ca-file', 'Exit', 'SIGTERM']) {
      assert.ok(stdout.toLowerCase().includes(taught.toLowerCase()), `--help does not mention ${taught}`);
    }
  });

  it('says that a port is taken', async () => {
    const first = await startServe('--port', '0');
    const { code, stderr } = await runCli('serve', '--port', new URL(first.url).port);
    assert.deepEqual([code, /EADDRINUSE.*--port 0/.test(stderr)], [1, true]);
    assert.equal(await first.end(), 0);
  });
});

describe('the process', () => {
  it('finishes calls in flight on SIGTERM, takes no more, and exits with 0', async () => {
    const serving = await startServe('--port', '0', '--control-port', '0', '--latency', '600ms', '--profile', 'upstream');
    const clients = [grpcJs(serving.url), connectWeb(serving.url)];
    const calls = clients.map((client, index) => lock(client, `key-${index}`));
    // In flight once the server has counted them.
    while ((await control(serving.controlUrl, '/stats')).answer.requests.lock.started < calls.length) await sleep(5);
    const ended = serving.end('SIGTERM');
    await Promise.all(calls);
    assert.equal(await ended, 0);
    await assert.rejects(lock(clients[0]), ({ code }) => code === 14);
    for (const client of clients) client.close();
  });

  it('ends at once on SIGINT when nothing is in flight, though clients stay connected', async () => {
    const serving = await startServe('--port', '0');
    const clients = [grpcJs(serving.url), connectWeb(serving.url)];
    await Promise.all(clients.map((client) => lock(client, 'k').catch(() => {})));
    const started = performance.now();
    assert.equal(await serving.end('SIGINT'), 0);
    // Calls in flight would be waited for ten seconds.
    assert.ok(performance.now() - started < 8000);
    for (const client of clients) client.close();
  });

  it('with several processes, has a port for each and one table', async () => {
    const serving = await startServe('--port', '0', '--processes', '2', '--control-port', '0');
    const [one, two] = serving.urls.map((url) => grpcJs(url));
    await lock(one);
    assert.equal((await two.fetch('k')).owner, 'o');
    await control(serving.controlUrl, '/stop', { process: 0 });
    await assert.rejects(one.fetch('k'), ({ code }) => code === 14);
    assert.equal((await two.fetch('k')).owner, 'o');
    one.close();
    two.close();
    assert.equal(await serving.end(), 0);
  });
});

describe('serve()', () => {
  it('waits for stuck calls only so long', async () => {
    const serving = await serve({ port: 0, clock: 'virtual', latency: '1h', closeTimeout: '200ms' });
    const client = grpcJs(serving.url);
    const stuck = lock(client);
    stuck.catch(() => {});
    while (serving.server.clock.pending === 0) await sleep(5);
    const started = performance.now();
    await Promise.all([serving.close(), serving.close()]);
    assert.ok(performance.now() - started < 8000);
    await assert.rejects(stuck, ({ code }) => code === 14);
    client.close();
  });

  it('has no timer left of a client that went away', async () => {
    const serving = await serve({ port: 0, clock: 'virtual', latency: '1h' });
    const client = grpcJs(serving.url);
    const abort = new AbortController();
    const web = fetch(`${serving.url}/models.Locket/FetchAll`, {
      method: 'POST',
      headers: { 'content-type': 'application/grpc-web' },
      body: Uint8Array.of(0, 0, 0, 0, 0),
      signal: abort.signal,
    });
    web.catch(() => {});
    const piped = connect(serving.port, '127.0.0.1');
    const head = 'POST /models.Locket/FetchAll HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/grpc-web\r\ncontent-length: 5\r\n\r\n';
    for (let i = 0; i < 12; i += 1) piped.write(`${head}\0\0\0\0\0`);
    let isLate = false;
    const late = assert.rejects(client.fetch('k', { timeout: '300ms' }), ({ code }) => code === 4).then(() => (isLate = true));
    while (serving.server.clock.pending < 14 && !isLate) await sleep(5);
    abort.abort();
    piped.destroy();
    await late;
    const until = performance.now() + 5000;
    while (serving.server.clock.pending > 0 && performance.now() < until) await sleep(5);
    assert.equal(serving.server.clock.pending, 0);
    client.close();
    await serving.close();
  });

  it('with a real clock, lets leases end by themselves', async () => {
    const serving = await serve({ port: 0, profile: 'upstream' });
    const client = grpcJs(serving.url);
    const started = performance.now();
    await client.lock({ key: 'k', owner: 'o', typeCode: LOCK, ttl: '1s' });
    while (serving.server.table().length > 0) await sleep(5);
    // Clocks are read in whole milliseconds.
    const tookMs = performance.now() - started;
    assert.ok(tookMs >= 998, `after ${tookMs} ms`);
    await assert.rejects(client.fetch('k'), ({ code }) => code === 5);
    client.close();
    await serving.close();
  });

  const cert = '-----BEGIN CERTIFICATE-----';
  for (const [options, field] of [
    [null, 'options'],
    ['http://127.0.0.1', 'options'],
    [{ prot: 0 }, 'prot'],
    [{ allowRemote: 'yes' }, 'allowRemote'],
    [{ host: 1 }, 'host'],
    [{ clock: 'manual' }, 'clock'],
    [{ latency: 5 }, 'latency'],
    [{ latencyMs: 5 }, 'latencyMs'],
    [{ closeTimeout: 500 }, 'closeTimeout'],
    [{ receiveTimeout: 'soon' }, 'receiveTimeout'],
    [{ receiveTimeout: '600h' }, 'receiveTimeout'],
    [{ allowedOrigins: 'https://example.org' }, 'allowedOrigins'],
    [{ allowedOrigins: [7] }, 'allowedOrigins'],
    [{ allowedHosts: { 0: 'locket' } }, 'allowedHosts'],
    [{ tls: null }, 'tls'],
    [{ tls: { cert, key: cert, caa: cert } }, 'tls.caa'],
    // With these, what should be mutual TLS would take any client.
    [{ tls: { cert, key: cert, ca: undefined } }, 'tls.ca'],
    [{ tls: { cert, key: cert, ca: '' } }, 'tls.ca'],
    [{ tls: { cert, key: cert, ca: [cert] } }, 'tls.ca'],
    [{ tls: { cert } }, 'tls.key'],
    [{ tls: { cert: 'cert.pem', key: cert } }, 'tls.cert'],
  ]) {
    it(`refuses by name ${JSON.stringify(options)}`, async () => {
      await assert.rejects(
        serve(options).then((serving) => serving.close()),
        { name: 'LocketArgumentError', field },
      );
    });
  }
});
