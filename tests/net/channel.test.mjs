// The connection below calls over gRPC: which address it goes to, what happens when it breaks, and servers that do all that
// HTTP/2 allows and does not allow.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { connect as connectHttp2, createServer as createHttp2 } from 'node:http2';
import { readFileSync } from 'node:fs';
import { createServer as createHttps } from 'node:https';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { Code, LocketClient } from 'locket-wasm';
import { GrpcChannel, GrpcWebChannel } from 'locket-wasm/grpc';
import { serve } from 'locket-wasm/serve';

import { failureOf } from '../node/support/helpers.mjs';
import { makeCertificates } from '../serve/support/certificates.mjs';
import { listen } from './support/listen.mjs';
import { frameOf, goaway, onceCalled, SETTINGS, startRaw, startTls } from './support/raw-http2.mjs';

const LOCK = { key: 'bbs', owner: 'bbs-0', ttl: '15s' };
const NO_ERROR = 0;
const INTERNAL_ERROR = 2;

const opened = [];
const open = (one) => (opened.push(one), one);
afterEach(async () => {
  // Clients first: servers wait for them.
  await Promise.all(opened.splice(0).reverse().map((one) => one.close()));
});

const clientOf = (options, clientOptions) => {
  const channel = open(new GrpcChannel(options));
  return new LocketClient({ ...channel.clientOptions, ...clientOptions });
};
const served = async (options) => open(await serve({ port: 0, profile: 'upstream', closeTimeout: '100ms', ...options }));
const portOf = ({ url }) => Number(new URL(url).port);

/** A port on which nobody listens. */
async function closedPort() {
  const serving = await serve({ port: 0 });
  await serving.close();
  return serving.url;
}

describe('addresses', () => {
  test('the first address that accepts is used, and the next one when its connection breaks', async () => {
    const [first, second] = [await served(), await served()];
    const client = clientOf({ url: [await closedPort(), first.url, second.url] });
    await client.lock(LOCK);
    assert.deepEqual([first.server.table().length, second.server.table().length], [1, 0]);
    await first.close();
    await client.lock(LOCK);
    assert.equal(second.server.table().length, 1);
  });

  test('a client stays with its server as long as the connection lives', async () => {
    const counted = [await served(), await served()];
    const client = clientOf({ url: counted.map(({ url }) => url) });
    for (let i = 0; i < 5; i += 1) await client.lock({ ...LOCK, key: `k${i}` });
    assert.deepEqual(counted.map(({ server }) => server.table().length), [5, 0]);
  });

  test('where no address accepts, certainly nothing was done, and the error names the addresses and a reason', async () => {
    const urls = [await closedPort(), await closedPort()];
    const { code, outcome, message } = await failureOf(clientOf({ url: urls }).lock(LOCK));
    assert.deepEqual([code, outcome], [Code.Unavailable, 'no-effect']);
    assert.match(message, new RegExp(`no connection to ${urls.map((url) => new URL(url).host).join(', ')}.*ECONNREFUSED`));
  });

  test('a name without an address is no connection', async () => {
    const { code, outcome, message } = await failureOf(clientOf({ url: 'http://locket.invalid' }).lock(LOCK));
    assert.deepEqual([code, outcome, /locket\.invalid:8891/.test(message)], [Code.Unavailable, 'no-effect', true]);
  });

  test('after a round that failed the next one waits, and calls fail at once meanwhile', async () => {
    const raw = open(await startRaw((socket) => void socket.destroy()));
    const client = clientOf({ url: raw.url });
    for (let i = 0; i < 5; i += 1) assert.equal((await failureOf(client.lock(LOCK))).outcome, 'no-effect');
    assert.equal(raw.connections(), 1);
  });

  test('attempts that are a second apart each connect, however long the wait happens to be', async (t) => {
    t.mock.method(Math, 'random', () => 1);
    const raw = open(await startRaw((socket) => void socket.destroy()));
    const client = clientOf({ url: raw.url });
    for (let i = 0; i < 3; i += 1) {
      await failureOf(client.lock(LOCK));
      assert.equal(raw.connections(), i + 1);
      if (i < 2) await sleep(1_000);
    }
  });

  test('a call that may wait for a connection is made when there is one', async () => {
    const locket = await served();
    const raw = open(await startRaw((socket, index) => (index < 3 ? void socket.destroy() : portOf(locket))));
    await clientOf({ url: raw.url, waitForReady: true, maxBackoff: '1ms' }).lock(LOCK);
    assert.equal(raw.connections(), 4);
  });

  test('a call that may wait ends with its deadline', async () => {
    const client = clientOf({ url: await closedPort(), waitForReady: true });
    const { code, outcome } = await failureOf(client.lock(LOCK, { timeout: '50ms' }));
    assert.deepEqual([code, outcome], [Code.DeadlineExceeded, 'no-effect']);
  });
});

describe('a call that is given up before there is a connection', () => {
  for (const [Channel, scheme] of [[GrpcChannel, 'http'], [GrpcChannel, 'https'], [GrpcWebChannel, 'https']]) {
    test(`by its deadline or its signal certainly did nothing: ${Channel.name} to an ${scheme} server that says nothing`, async () => {
      const { url } = open(await startRaw(() => {}, scheme));
      const client = new LocketClient(open(new Channel({ url })).clientOptions);
      const controller = new AbortController();
      const calls = [{ timeout: '50ms' }, { signal: controller.signal }].map((options) => failureOf(client.lock(LOCK, options)));
      setImmediate(() => controller.abort());
      const ends = (await Promise.all(calls)).map(({ code, outcome }) => [code, outcome]);
      assert.deepEqual(ends, [[Code.DeadlineExceeded, 'no-effect'], [Code.Canceled, 'no-effect']]);
    });
  }

  test('is not sent, however little there is between its end and the connection', async () => {
    const locket = await served();
    const client = clientOf({ url: locket.url });
    const controller = new AbortController();
    const [first, second] = [client.lock(LOCK), failureOf(client.lock({ ...LOCK, key: 'other' }, { signal: controller.signal }))];
    const prototype = await sessionPrototype(locket.url);
    const { request } = prototype;
    // The first call is sent, and the second one is about to be.
    prototype.request = function requestAndAbort(...given) {
      controller.abort();
      return request.apply(this, given);
    };
    try {
      await Promise.all([first, second]);
      assert.deepEqual(locket.server.table().map(({ path }) => path), ['bbs']);
    } finally {
      prototype.request = request;
    }
  });

  /** What the sessions of Node's clients have their methods from. */
  async function sessionPrototype(url) {
    const session = connectHttp2(url);
    session.destroy();
    return Object.getPrototypeOf(session);
  }
});

describe('GOAWAY', () => {
  test('a call that the server did not look at goes to the next connection', async () => {
    const locket = await served();
    const raw = open(await startRaw((socket, index) => (index === 0 ? endsUnread(socket) : portOf(locket))));
    await clientOf({ url: raw.url }).lock(LOCK);
    assert.deepEqual([raw.connections(), locket.server.table().length], [2, 1]);
  });

  test('if that does not look at it either, certainly nothing was done', async () => {
    const raw = open(await startRaw(endsUnread));
    const { code, outcome } = await failureOf(clientOf({ url: raw.url }).lock(LOCK));
    assert.deepEqual([code, outcome, raw.connections()], [Code.Unavailable, 'no-effect', 2]);
  });

  test('a call that the server may have looked at is not repeated, and its outcome is unknown', async () => {
    const raw = open(await startRaw((socket) => {
      socket.write(SETTINGS);
      onceCalled(socket, () => socket.end(goaway(1, INTERNAL_ERROR)));
    }));
    const { code, outcome } = await failureOf(clientOf({ url: raw.url }).lock(LOCK));
    assert.deepEqual([code, outcome, raw.connections()], [Code.Unavailable, 'unknown', 1]);
  });

  test('calls in flight get their answers, and later ones another connection', async () => {
    const locket = await served({ clock: 'virtual', latency: '1s' });
    const client = clientOf({ url: locket.url });
    const call = client.lock(LOCK);
    while (locket.server.clock.pending === 0) await new Promise(setImmediate);
    const closing = locket.close();
    locket.server.clock.advance('1s');
    await call;
    await closing;
    assert.equal((await failureOf(client.lock(LOCK))).outcome, 'no-effect');
  });

  function endsUnread(socket) {
    socket.write(SETTINGS);
    onceCalled(socket, () => socket.end(goaway(0, NO_ERROR)));
  }
});

describe('servers that speak something else, or nothing', () => {
  for (const [name, connected] of Object.entries({
    'closes at once': (socket) => void socket.end(),
    'resets at once': (socket) => void socket.resetAndDestroy(),
    'says nothing': () => {},
    'speaks HTTP/1.1': (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    'sends what is no frame': (socket) => void socket.write(Buffer.alloc(100, 0xff)),
    'begins with another frame': (socket) => void socket.write(frameOf('ping', { payload: Buffer.alloc(8) })),
    'ends before it has begun': (socket) => void socket.end(goaway(0, NO_ERROR)),
  })) {
    test(`of a server that ${name} it is certain that nothing was done`, async () => {
      const raw = open(await startRaw(connected));
      const { code, outcome, message } = await failureOf(clientOf({ url: raw.url, connectTimeout: '200ms' }).lock(LOCK));
      assert.deepEqual([code, outcome], [Code.Unavailable, 'no-effect'], message);
    });
  }
});

describe('servers that keep a call waiting', () => {
  /** A server that has begun HTTP/2 and takes the call, and then does this. */
  const afterCall = (act) => (socket) => {
    socket.write(SETTINGS);
    onceCalled(socket, () => act(socket));
  };
  const late = (error) => assert.deepEqual([error.code, error.outcome], [Code.DeadlineExceeded, 'unknown']);
  const begunHeaders = frameOf('headers', { stream: 1, size: 100 });

  for (const [name, connected] of Object.entries({
    'sends its headers too slowly': afterCall((socket) => void socket.write(begunHeaders)),
    'never ends its headers': afterCall((socket) => void socket.write(frameOf('headers', { stream: 1 }))),
    'says nothing more': afterCall(() => {}),
  })) {
    test(`a call to a server that ${name} ends with its deadline`, async () => {
      const raw = open(await startRaw(connected));
      late(await failureOf(clientOf({ url: raw.url }).lock(LOCK, { timeout: '100ms' })));
    });
  }

  test('a call to a server that takes no bytes ends with its deadline, and so does a long one', async () => {
    const starving = createHttp2({ settings: { initialWindowSize: 0 } });
    const client = clientOf({ url: open(await listen(starving)).url }, { timeout: '100ms' });
    late(await failureOf(client.lock(LOCK)));
    late(await failureOf(client.lock({ ...LOCK, value: 'v'.repeat(1_000_000) })));
  });

  test('a server that goes on with its headers for ever does not keep a call', async () => {
    const raw = open(await startRaw(afterCall((socket) => {
      socket.write(frameOf('headers', { stream: 1 }));
      const more = frameOf('continuation', { stream: 1, payload: Buffer.alloc(1_000) });
      const write = () => void (socket.destroyed || socket.write(more, write));
      write();
    })));
    assert.equal((await failureOf(clientOf({ url: raw.url }).lock(LOCK, { timeout: '10s' }))).code, Code.Unavailable);
  });

  test('a server that takes one call at a time gets them one after another', async () => {
    const one = createHttp2({ settings: { maxConcurrentStreams: 1 } });
    let most = 0;
    let now = 0;
    one.on('stream', (stream) => {
      most = Math.max(most, (now += 1));
      stream.once('close', () => (now -= 1));
      stream.resume().once('end', () => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
        stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
        setImmediate(() => stream.end(Buffer.alloc(5)));
      });
    });
    const client = clientOf({ url: open(await listen(one)).url });
    await Promise.all(Array.from({ length: 20 }, () => client.lock(LOCK)));
    assert.equal(most, 1);
  });

  test('answers that arrive together leave everything else its turn between them', async () => {
    const answering = createHttp2();
    const streams = [];
    answering.on('stream', (stream) => {
      stream.resume();
      if (streams.push(stream) < 80) return;
      for (const one of streams) one.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '5' }, { endStream: true });
    });
    const client = clientOf({ url: open(await listen(answering)).url });
    let answered = 0;
    const calls = Promise.all(Array.from({ length: 80 }, () => failureOf(client.lock(LOCK)).then(() => (answered += 1))));
    let most = 0;
    for (let before = 0; answered < 80; before = answered) {
      await new Promise(setImmediate);
      most = Math.max(most, answered - before);
    }
    await calls;
    assert.ok(most <= 16, `${most} answers without a turn`);
  });
});

describe('TLS', () => {
  let certificates, locket;
  before(async () => {
    certificates = makeCertificates();
    const { server: cert, serverKey: key, ca } = certificates.pem;
    locket = await serve({ port: 0, tls: { cert, key, ca }, closeTimeout: '100ms' });
  });
  after(async () => {
    await locket.close();
    certificates.remove();
  });

  const tls = () => ({ ca: certificates.pem.ca, cert: certificates.pem.client, key: certificates.pem.clientKey });
  const refused = async (options, expected) => {
    const { code, outcome, message } = await failureOf(clientOf(options).lock(LOCK));
    assert.deepEqual([code, outcome], [Code.Unavailable, 'no-effect'], message);
    assert.match(message, expected);
  };

  test('unless any certificate is trusted', async () => {
    const { cert, key } = tls();
    await clientOf({ url: locket.url, tls: { cert, key, rejectUnauthorized: false } }).fetchAll({ kind: 'lock' });
  });

  test('an error of TLS is a sentence, and not a line of a log', async () => {
    const plain = await served();
    for (const Channel of [GrpcChannel, GrpcWebChannel]) {
      const channel = open(new Channel({ url: plain.url.replace('http:', 'https:') }));
      const { outcome, message } = await failureOf(new LocketClient(channel.clientOptions).lock(LOCK));
      assert.equal(outcome, 'no-effect');
      assert.match(message, /no connection.*: TLS: [a-z0-9 ]+ \(Unavailable\)$/);
    }
  });

  test('the name in the certificate may be said', async () => {
    await clientOf({ url: locket.url, tls: { ...tls(), serverName: 'localhost' } }).fetchAll({ kind: 'lock' });
  });

  test('a server without HTTP/2 says so', async () => {
    const { server: cert, serverKey: key } = certificates.pem;
    const http1 = createHttps({ cert, key }, (_, response) => response.end());
    await refused({ url: open(await listen(http1, 'https')).url, tls: tls() }, /HTTP\/2/);
  });

  test('clear text where TLS is spoken is no connection', () => refused({ url: locket.url.replace('https:', 'http:') }, /no connection/));
});

describe('TLS that is renewed', () => {
  const authorities = ['old', 'new'].map(makeCertificates);
  after(() => authorities.forEach(({ remove }) => remove()));
  const [old, renewed] = authorities;
  const identityOf = ({ pem: { server: cert, serverKey: key, ca } }) => ({ cert, key, ca });
  const read = ({ files: { ca, client, clientKey } }) => ({ ca: readFileSync(ca), cert: readFileSync(client), key: readFileSync(clientKey) });
  const until = async (isSo) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  for (const [Channel, options] of [[GrpcChannel, { maxBackoff: '20ms' }], [GrpcWebChannel, {}]]) {
    test(`keeps lock and runner over ${Channel.name}, while waits go on, if a function reads it`, { timeout: 20_000 }, async () => {
      const locket = await served();
      const front = open(await startTls(identityOf(old), portOf(locket)));
      let files = old;
      const channel = open(new Channel({ url: front.url, tls: () => read(files), ...options }));
      const client = new LocketClient({ ...channel.clientOptions, timeout: '1s' });
      const [types, errors] = [[], []];
      const lock = await client.acquire({ key: 'bbs', owner: 'bbs-0', retryInterval: '50ms' }, { onEvent: ({ type, error }) => types.push(type) && error && errors.push(error) });

      front.renew(identityOf(renewed));
      await until(() => errors.some(({ cause }) => /refuses the/.test(cause?.cause?.message)));
      const wait = client.acquire({ key: 'other', owner: 'bbs-0', retryInterval: '50ms' });
      await new Promise((resolve) => setTimeout(resolve, 100));
      files = renewed;
      const before = locket.server.table()[0].modified_index;
      await until(() => locket.server.table()[0].modified_index > before + 1);
      assert.deepEqual([lock.held, types.includes('lost'), (await wait).held], [true, false, true]);
      assert.equal(errors.some(({ code }) => code === Code.Unauthenticated), false);
      for (const one of [lock, await wait]) await one.release();
    });

    test(`a function that fails is no connection over ${Channel.name}, and is asked again`, async () => {
      const locket = await served();
      const front = open(await startTls(identityOf(old), portOf(locket)));
      let fault;
      const channel = open(new Channel({ url: front.url, tls: () => ({ ...read(old), ...fault?.() }), ...options }));
      const client = new LocketClient(channel.clientOptions);
      const { key } = read(renewed);
      for (const [given, expected] of [[() => { throw new Error('no such file'); }, /no such file/], [() => ({ key }), /the ca, the certificate or its key cannot be used/]]) {
        fault = given;
        const { code, outcome, message } = await failureOf(client.lock(LOCK));
        assert.deepEqual([code, outcome], [Code.Unavailable, 'no-effect']);
        assert.match(message, expected);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      fault = undefined;
      await client.lock(LOCK);
    });

    for (const [what, tls, problem] of [
      ['throws', () => { throw new Error('no such file'); }, /no such file/],
      ['gives a promise', async () => read(old), /: tls: expected an object, not a promise; await it$/],
      ['gives a key without its certificate', () => ({ key: 'x' }), /: tls.cert: /],
    ]) {
      test(`a function that ${what} is found when a ${Channel.name} is made`, () => {
        assert.throws(() => new Channel({ url: 'https://a.test', tls }), problem);
      });
    }
  }
});

describe('the end of a channel', () => {
  test('a program can end without closing it', async () => {
    const locket = await served();
    const program = `
      import { LocketClient } from 'locket-wasm/client';
      import { GrpcChannel } from 'locket-wasm/grpc';
      const { clientOptions } = new GrpcChannel({ url: ${JSON.stringify(locket.url)} });
      await new LocketClient(clientOptions).lock(${JSON.stringify(LOCK)});
      console.log('locked');`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { timeout: 20_000, cwd: import.meta.dirname });
    assert.equal(stdout, 'locked\n');
  });

  test('calls in flight are finished, and later ones are not made', async () => {
    const locket = await served({ clock: 'virtual', latency: '1s' });
    const channel = new GrpcChannel({ url: locket.url });
    const client = new LocketClient(channel.clientOptions);
    const call = client.lock(LOCK);
    while (locket.server.clock.pending === 0) await new Promise(setImmediate);
    const closed = channel.close();
    locket.server.clock.advance('1s');
    await call;
    await closed;
    const { code, outcome, message } = await failureOf(client.lock(LOCK));
    assert.deepEqual([code, outcome, /the channel is closed/.test(message)], [Code.Unavailable, 'no-effect', true]);
  });

  test('a connection that is not there yet is given up', async () => {
    const raw = open(await startRaw(() => {}));
    const channel = new GrpcChannel({ url: raw.url });
    const call = failureOf(new LocketClient(channel.clientOptions).lock(LOCK));
    while (raw.connections() === 0) await new Promise(setImmediate);
    await channel.close();
    assert.equal((await call).outcome, 'no-effect');
  });

  test('a connection without calls is closed after a while', async () => {
    const server = createHttp2();
    const ended = new Promise((resolve) => server.on('session', (session) => session.once('close', resolve)));
    const client = clientOf({ url: open(await listen(server)).url, idleTimeout: '1ms' }, { timeout: '50ms' });
    await client.lock(LOCK).catch(() => {});
    await ended;
  });
});

for (const [field, options] of [
  ...['', 'locket:8891', 'ftp://a.test', 'https://a:b@a.test', 'https://a.test/path', 'https://a.test?x', undefined].map((url) => ['url', { url }]),
  ...[[5], [, 'http://a.test']].map((url) => ['url[0]', { url }]),
  ...Object.entries({
    'url[1]': { url: ['https://a.test', 'http://b.test'] },
    tls: { url: 'http://a.test', tls: {} },
    'tls.cert': { url: 'https://a.test', tls: { key: 'x' } },
    'tls.key': { url: 'https://a.test', tls: { cert: 'x' } },
    'tls.ca': { url: 'https://a.test', tls: { ca: 5 } },
    'tls.caa': { url: 'https://a.test', tls: { caa: 'x' } },
    'tls.serverName': { url: 'https://a.test', tls: { serverName: 5 } },
    'tls.rejectUnauthorized': { url: 'https://a.test', tls: { rejectUnauthorized: 'no' } },
    'keepalive.time': { url: 'http://a.test', keepalive: { time: '9999ms' } },
    'keepalive.timeout': { url: 'http://a.test', keepalive: { timeout: 22_000 } },
    'keepalive.timeMs': { url: 'http://a.test', keepalive: { timeMs: 10_000 } },
    connectTimeout: { url: 'http://a.test', connectTimeout: '0ms' },
    connectTimeoutMs: { url: 'http://a.test', connectTimeoutMs: 10_000 },
    idleTimeout: { url: 'http://a.test', idleTimeout: `${2 ** 31}ms` },
    maxBackoff: { url: 'http://a.test', maxBackoff: 1_000 },
    waitForReady: { url: 'http://a.test', waitForReady: 1 },
    urls: { urls: [] },
  }),
]) {
  test(`a channel's wrong ${field} is named: ${JSON.stringify(options)}`, () => {
    assert.throws(() => new GrpcChannel(options), { field, name: 'LocketArgumentError' });
  });
}
