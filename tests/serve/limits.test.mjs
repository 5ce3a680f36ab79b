// What a server does to clients that send too much, too slowly, or no HTTP at all; others are served meanwhile.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, constants } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { serve } from 'locket-wasm/serve';

import { frame } from '../wire/grpc-web.mjs';
import { makeCertificates } from './support/certificates.mjs';
import { grpcJs, LOCK } from './support/clients.mjs';
import { answered, answerOf, exchange, FETCH, FETCH_LOCKS, open } from './support/raw.mjs';

const MIB = 1024 * 1024;
const RECEIVE_TIMEOUT_MS = 400;
const POST = 'POST /models.Locket/Fetch HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/grpc-web+proto\r\n';
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** Type, flags and stream of the frame with which an HTTP/2 server ends a connection. */
const GOAWAY = '\x07\x00\x00\x00\x00\x00';
const SETTINGS = Buffer.from('000000040000000000', 'hex');
const SETTINGS_SEEN = Buffer.from('000000040100000000', 'hex');
/** The begin of a request's headers, of which 100 bytes are to come. */
const HEADERS_BEGIN = Buffer.from('000064010400000001', 'hex');

let serving, impatient;
before(async () => {
  const options = { port: 0, profile: 'upstream', closeTimeout: '500ms' };
  serving = await serve(options);
  impatient = await serve({ ...options, receiveTimeout: `${RECEIVE_TIMEOUT_MS}ms` });
});
after(() => Promise.all([serving?.close(), impatient?.close()]));

/** Nothing that one client does may keep another from its answer. */
async function stillServes({ url } = serving) {
  const client = grpcJs(url);
  await assert.rejects(client.fetch('nobody', { timeout: '5s' }), ({ code }) => code === 5);
  client.close();
}

describe('a client that sends too slowly', () => {
  for (const [what, pieces] of [
    ['nothing', []],
    ['a part of a method', ['PO']],
    ['a part of the HTTP/2 preface', ['PR']],
    ['a header letter by letter', [POST, ...'x-slow: '.padEnd(200, 'x')]],
    ['a body that never ends', [`${POST}content-length: 100\r\n\r\n`, FETCH]],
    ['the HTTP/2 preface and no settings', [PREFACE]],
    ['HTTP/2 settings byte by byte', [PREFACE, ...bytesOf(Buffer.concat([SETTINGS.subarray(0, 8), Buffer.alloc(200)]))]],
    ['HTTP/2 headers byte by byte', [PREFACE, SETTINGS, SETTINGS_SEEN, HEADERS_BEGIN, ...bytesOf(Buffer.alloc(99, 0x88))]],
    ['HTTP/2 headers that stop', [PREFACE, SETTINGS, SETTINGS_SEEN, HEADERS_BEGIN]],
  ]) {
    it(`is cut off: ${what}`, async () => {
      const { ms, isClosed } = await exchange(impatient.url, pieces, { everyMs: pieces.length > 10 ? 50 : 0 });
      assert.ok(isClosed && ms >= RECEIVE_TIMEOUT_MS - 50, `after ${ms} ms`);
      await stillServes(impatient);
    });
  }

  it('gets an error over HTTP/2', async () => {
    const { headers } = await answered(impatient.url, (stream) => stream.write(frame(Buffer.alloc(100)).subarray(0, 50)));
    assert.deepEqual([headers['grpc-status'], headers['grpc-message']], ['4', 'the request took too long to arrive']);
    await stillServes(impatient);
  });
});

describe('a client that goes away', () => {
  for (const [what, pieces] of [
    ['over HTTP/1.1', [POST]],
    ['over HTTP/2', [PREFACE, SETTINGS]],
  ]) {
    it(`leaves no connection open, ${what}`, async () => {
      const { isClosed, ms } = await exchange(serving.url, pieces, { ends: true });
      assert.ok(isClosed, `after ${ms} ms`);
    });
  }
});

it('an HTTP/2 client that has nothing to ask stays connected, and one that waits for its answer', async () => {
  const session = connect(impatient.url);
  let isClosed = false;
  session.once('close', () => (isClosed = true));
  await answerOf(open(session).end(FETCH));
  // As often as slow senders are looked for, and longer than they have time.
  await sleep(3 * RECEIVE_TIMEOUT_MS + 1500);
  assert.equal(isClosed, false);
  const { headers } = await answerOf(open(session).end(FETCH));
  assert.equal(headers['grpc-message'], 'resource-not-found');
  session.destroy();
});

describe('a client that sends too much', () => {
  it('is refused over HTTP/1.1, and reads it', async () => {
    const body = frame(Buffer.alloc(5 * MIB));
    const { answer } = await exchange(serving.url, [`${POST}connection: close\r\ncontent-length: ${body.length}\r\n\r\n`, body]);
    assert.match(answer, /grpc-status: 8\r\ngrpc-message: grpc: received message larger than max \(5242880 vs\. 4194304\)/);
  });

  it('is refused as base64', async () => {
    const text = frame(Buffer.alloc(5 * MIB)).toString('base64');
    const head = POST.replace('grpc-web+proto', 'grpc-web-text');
    const { answer } = await exchange(serving.url, [`${head}connection: close\r\ncontent-length: ${text.length}\r\n\r\n`, text]);
    assert.match(answer, /grpc-status: 8\r\n/);
  });

  it('may send a message of exactly 4 MiB', async () => {
    // A string field that no message has.
    const field = Buffer.concat([Buffer.from([0xfa, 0x01, 0xfa, 0xff, 0xff, 0x01]), Buffer.alloc(4 * MIB - 6)]);
    const { headers } = await answered(serving.url, (stream) => stream.end(frame(field)));
    assert.equal(headers['grpc-message'], 'resource-not-found');
  });

  it('is answered and cut off if it never ends, over HTTP/1.1', async () => {
    const endless = function* () {
      yield `${POST}transfer-encoding: chunked\r\n\r\n`;
      for (;;) yield Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')]);
    };
    const { answer, isClosed } = await exchange(serving.url, endless());
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    assert.ok(isClosed);
    await stillServes();
  });

  it('is answered and cut off if it never ends, over HTTP/2', async () => {
    const { headers, code } = await answered(serving.url, (stream) => {
      stream.write(FETCH);
      const more = () => {
        while (!stream.destroyed && stream.writable && stream.write(Buffer.alloc(65_536)));
      };
      stream.on('drain', more);
      more();
    });
    assert.deepEqual([headers['grpc-message'], code], ['resource-not-found', 0]);
    await stillServes();
  });

  it('is refused with too many headers', async () => {
    const { answer } = await exchange(serving.url, [`${POST}x-large: ${'x'.repeat(20_000)}\r\n\r\n`]);
    assert.match(answer, /^HTTP\/1\.1 431 /);
    await assert.rejects(answered(serving.url, (stream) => stream.end(FETCH), { 'x-large': 'x'.repeat(100_000) }));
    await stillServes();
  });
});

describe('a connection without HTTP', () => {
  for (const [what, pieces] of [
    ['bytes', [Buffer.from('00ff00ff', 'hex'), '\r\n\r\n']],
    ['words', ['hello locket\r\n\r\n']],
    ['a TLS client', [Buffer.from('16030100050100000100', 'hex')]],
    ['a malformed preface', [PREFACE.replace('SM', 'XX'), SETTINGS]],
    ['a preface and no settings', [PREFACE, Buffer.alloc(100, 0xff)]],
    ['a frame that is too large', [PREFACE, SETTINGS, Buffer.from('ffffff000000000001', 'hex')]],
    ['a stream with an even number', [PREFACE, SETTINGS, Buffer.from('000001010500000002', 'hex'), Buffer.from([0x82])]],
    ['headers that are not HPACK', [PREFACE, SETTINGS, Buffer.from('000004010500000001ffffffff', 'hex')]],
    ['data before headers', [PREFACE, SETTINGS, Buffer.from('00000000010000000100', 'hex')]],
    ['a continuation of nothing', [PREFACE, SETTINGS, Buffer.from('000000090400000001', 'hex')]],
  ]) {
    it(`gets a GOAWAY: ${what}`, async () => {
      const { answer, isClosed } = await exchange(serving.url, pieces, { until: GOAWAY });
      assert.ok(isClosed || answer.includes(GOAWAY));
      await stillServes();
    });
  }

  it('the error of plain gRPC over HTTP/1.1 has the remedy', async () => {
    const { answer } = await exchange(serving.url, [POST.replace('-web+proto', ''), 'connection: close\r\ncontent-length: 0\r\n\r\n']);
    assert.match(answer, /^HTTP\/1\.1 505 [^]*gRPC requires HTTP\/2/);
  });
});

it('a preface that comes in pieces is HTTP/2', async () => {
  const close = Buffer.from('00000807000000000000000000' + '00000000', 'hex');
  const { answer } = await exchange(serving.url, [...PREFACE, SETTINGS, close], { everyMs: 2 });
  // The server's first frame: settings.
  assert.equal(answer.charCodeAt(3), 4);
});

// The bounds are those of src/js/serve/held.ts.
describe('clients that hold too much together', () => {
  let bounded, holder;
  before(async () => {
    bounded = await serve({ port: 0, profile: 'upstream', closeTimeout: '500ms', receiveTimeout: '3s', processes: 2 });
    holder = grpcJs(bounded.url);
    await holder.lock({ key: 'held', owner: 'o', typeCode: LOCK, ttl: '3600s' });
  });
  after(async () => {
    holder?.close();
    await bounded?.close();
  });
  /** Whatever the others do, a lock is kept and renewed. */
  const renews = async () => {
    await holder.lock({ key: 'held', owner: 'o', typeCode: LOCK, ttl: '3600s' });
    assert.deepEqual(bounded.server.table().filter(({ path }) => path === 'held').map(({ owner }) => owner), ['o']);
  };
  const sessionsOf = (count) => Array.from({ length: count }, (_, index) => connect(bounded.urls[index % 2]).on('error', () => {}));

  it('bodies that stay open: those above 128 MiB are refused', async () => {
    const body = frame(Buffer.alloc(4 * MIB));
    const pieces = [`${POST}connection: close\r\ncontent-length: ${body.length}\r\n\r\n`, body.subarray(0, -1)];
    const all = Array.from({ length: 40 }, (_, index) => exchange(bounded.urls[index % 2], pieces));
    const first = await Promise.race(all);
    assert.match(first.answer, /grpc-status: 8\r\ngrpc-message: this server holds as many requests and unread answers as it may; nothing was done/);
    await renews();
    const answers = (await Promise.all(all)).map(({ answer }) => /grpc-status: (\d+)/.exec(answer)?.[1]);
    const late = answers.filter((status) => status === '4').length;
    assert.ok(late >= 24 && late <= 32 && answers.every((status) => status === '4' || status === '8'), `${answers}`);
    const { headers } = await answered(bounded.url, (stream) => stream.end(body));
    assert.equal(headers['grpc-status'], '13');
  });

  it('answers that are not read: those above 128 MiB are refused, and who does not read is cut off', async () => {
    for (let i = 0; i < 2200; i += 1) bounded.server.putRow({ path: `key ${i}`, owner: 'o', value: 'v'.repeat(4096), type: 'lock', ttl: 3600 });
    const web = connectTcp(bounded.port, '127.0.0.1').on('error', () => {});
    web.write(`${POST.replace('Fetch', 'FetchAll')}content-length: ${FETCH_LOCKS.length}\r\n\r\n`);
    web.write(FETCH_LOCKS);
    while (bounded.server.stats().requests.fetchAll.started === 0) await sleep(5);
    const sessions = sessionsOf(20);
    const closed = sessions.map((session) => once(session, 'close'));
    const statuses = sessions.map(async (session) => {
      const stream = open(session, { ':path': '/models.Locket/FetchAll' });
      stream.end(FETCH_LOCKS);
      return (await once(stream, 'response'))[0]['grpc-status'];
    });
    const isRefused = (await Promise.all(statuses)).map((status) => status === '8');
    assert.equal(isRefused.filter(Boolean).length, 7);
    await renews();
    await Promise.all(closed.filter((_, index) => !isRefused[index]));
    for (const session of sessions) session.destroy();
    const { headers, size } = await answered(bounded.url, (stream) => stream.end(FETCH_LOCKS), { ':path': '/models.Locket/FetchAll' });
    assert.deepEqual([headers['grpc-status'], size > 9_000_000], [undefined, true]);
    // Node looks twice whether more was taken.
    await sleep(3500);
    let webSize = 0;
    web.on('data', (chunk) => (webSize += chunk.length));
    await once(web, 'close');
    assert.ok(webSize < 9_000_000, `${webSize} bytes came`);
  });
});

it('calls that have begun: those above 10,000 are refused', async () => {
  const sessions = Array.from({ length: 10 }, () => connect(serving.url).on('error', () => {}));
  await Promise.all(sessions.map((session) => once(session, 'remoteSettings')));
  for (const session of sessions) for (let i = 0; i < 1000; i += 1) open(session).write('x');
  // What comes after is begun after.
  await Promise.all(sessions.map((session) => new Promise((resolve) => session.ping(resolve))));
  const another = connect(serving.url);
  const stream = open(another);
  stream.end(FETCH);
  await new Promise((resolve) => stream.once('close', resolve));
  assert.equal(stream.rstCode, constants.NGHTTP2_REFUSED_STREAM);
  const { answer } = await exchange(serving.url, [`${POST}content-length: ${FETCH.length}\r\n\r\n`, FETCH]);
  assert.match(answer, /grpc-status: 8\r\n[^]*connection: close\r\n/);
  for (const session of [...sessions, another]) session.destroy();
  await stillServes();
});

describe('a TLS handshake that never ends', () => {
  const { pem, remove } = makeCertificates();
  after(remove);
  const tls = { cert: pem.server, key: pem.serverKey };
  for (const [what, pieces] of [
    ['of which nothing came', []],
    ['of which a part came', [Buffer.from('160301020001', 'hex')]],
  ]) {
    it(`is cut off: one ${what}`, async () => {
      const secured = await serve({ port: 0, tls, receiveTimeout: `${RECEIVE_TIMEOUT_MS}ms` });
      const { ms, isClosed } = await exchange(secured.url, pieces);
      await secured.close();
      assert.ok(isClosed && ms >= RECEIVE_TIMEOUT_MS - 50, `after ${ms} ms`);
    });
  }

  it('does not keep the server from closing', async () => {
    const secured = await serve({ port: 0, tls });
    const ended = exchange(secured.url, []);
    await sleep(100);
    await secured.close();
    const { ms, isClosed } = await ended;
    assert.ok(isClosed && ms < 8000, `after ${ms} ms`);
  });
});

function bytesOf(buffer) {
  return Array.from(buffer, (byte) => Buffer.of(byte));
}
