// What a server says to HTTP/2 clients beside its answers, as the real Locket's grpc-go says it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, constants } from 'node:http2';
import { after, before, it } from 'node:test';

import { serve } from 'locket-wasm/serve';

import { FETCH, frame } from './support/raw.mjs';

let serving;
before(async () => (serving = await serve({ port: 0, profile: 'upstream', closeTimeout: '500ms' })));
after(() => serving?.close());

const REQUEST = { ':method': 'POST', ':path': '/models.Locket/Fetch', 'content-type': 'application/grpc' };

async function session() {
  const connected = connect(serving.url);
  connected.on('error', () => {});
  await once(connected, 'connect');
  return connected;
}

const ping = (connected) => new Promise((resolve) => connected.ping(resolve));

/** The status of an answer. */
async function statusOf(stream) {
  // An answer without a body may be over as soon as it is there.
  const closed = once(stream, 'close');
  const [headers] = await once(stream, 'response');
  stream.resume();
  await closed;
  return [headers['grpc-status'], headers['grpc-message']];
}

it('a client that pings more often than grpc-go allows gets a GOAWAY', async () => {
  const connected = await session();
  const ended = new Promise((resolve) => connected.once('close', resolve));
  let told;
  connected.once('goaway', (code, _, why) => (told = [code, String(why)]));
  for (let i = 0; i < 3; i += 1) assert.equal(await ping(connected), null);
  assert.equal(told, undefined);
  for (let i = 0; i < 5 && !connected.destroyed; i += 1) await ping(connected);
  assert.deepEqual(told, [constants.NGHTTP2_ENHANCE_YOUR_CALM, 'too_many_pings']);
  await ended;
});

it('an answer makes up for the pings before it', async () => {
  const connected = await session();
  connected.on('goaway', () => assert.fail('sent away'));
  for (let i = 0; i < 5; i += 1) {
    const stream = connected.request(REQUEST);
    stream.end(FETCH);
    assert.deepEqual(await statusOf(stream), ['5', 'resource-not-found']);
    for (let more = 0; more < 2; more += 1) assert.equal(await ping(connected), null);
  }
  connected.close();
});

const withBody = (body) => (stream) => stream.end(body);
for (const [what, headers, send, expected] of [
  ...[2, 3, 64, 128, 255].map((format) => [`a message in format ${format} is refused in the words of grpc-go`, {}, withBody(frame(FETCH.subarray(5), format)), [200, '13', `grpc: received unexpected payload format ${format}`]]),
  ['a malformed header in binary is refused before the message is read, with HTTP 400', { 'trace-bin': 'a%b' }, withBody(FETCH), [400, '13', 'malformed binary metadata "a%25b" in header "trace-bin": illegal base64 data at input byte 1']],
  ['headers in binary are taken, padded or not, and several of one name', { 'trace-bin': ['aGk=', 'aGk'], 'other-bin': 'aA' }, withBody(FETCH), [200, '5', 'resource-not-found']],
  ['an empty body is the end of what was to be a message', {}, (stream) => stream.end(), [200, '2', 'EOF']],
  ['the error of a request that ends with its headers says that Locket never answers it', {}, undefined, [200, '13', /never answered by the real Locket/]],
]) {
  it(what, async () => {
    const connected = await session();
    const stream = connected.request({ ...REQUEST, ...headers }, { endStream: send === undefined });
    let head;
    stream.once('response', (received) => (head = received));
    send?.(stream);
    const [code, message] = await statusOf(stream);
    const [status, expectedCode, expectedMessage] = expected;
    assert.deepEqual([head[':status'], code], [status, expectedCode]);
    if (expectedMessage instanceof RegExp) assert.match(message, expectedMessage);
    else assert.equal(message, expectedMessage);
    connected.close();
  });
}

it('a list of more than 4 MiB is sent whole', async () => {
  const value = 'v'.repeat(4096);
  for (let i = 0; i < 1100; i += 1) serving.server.putRow({ path: `key ${i}`, owner: 'o', value, type: 'lock', ttl: 60 });
  const connected = await session();
  const stream = connected.request({ ...REQUEST, ':path': '/models.Locket/FetchAll' });
  stream.end(Buffer.from('0000000002' + '1001', 'hex'));
  let size = 0;
  let trailers;
  stream.on('trailers', (told) => (trailers = told));
  stream.on('data', (chunk) => (size += chunk.length));
  await once(stream, 'close');
  assert.equal(trailers['grpc-status'], '0');
  assert.ok(size > 4 * 1024 * 1024, `${size} bytes`);
  connected.close();
});

it('a server that cannot answer any more says so, over HTTP/1.1 too, and the process goes on', async () => {
  const broken = await serve({ port: 0, closeTimeout: '500ms' });
  broken.server.close();
  const connected = connect(broken.url);
  const stream = connected.request(REQUEST);
  stream.end(FETCH);
  const said = 'the server cannot answer: the server is closed (Unavailable)';
  assert.deepEqual(await statusOf(stream), ['13', said]);
  const headers = { 'content-type': 'application/grpc-web+proto' };
  const answer = await fetch(`${broken.url}/models.Locket/Fetch`, { method: 'POST', headers, body: FETCH });
  assert.deepEqual([answer.headers.get('grpc-status'), answer.headers.get('grpc-message')], ['13', said]);
  connected.close();
  await broken.close();
});
