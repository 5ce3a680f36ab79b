// What a server says to HTTP/2 clients beside its answers, as the real Locket's grpc-go says it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, constants } from 'node:http2';
import { after, before, it } from 'node:test';

import { serve } from 'locket-wasm/serve';

import { frame } from '../wire/grpc-web.mjs';
import { answered, answerOf, FETCH, FETCH_LOCKS, open } from './support/raw.mjs';

let serving;
before(async () => (serving = await serve({ port: 0, profile: 'upstream', closeTimeout: '500ms' })));
after(() => serving?.close());

async function session() {
  const connected = connect(serving.url);
  connected.on('error', () => {});
  await once(connected, 'connect');
  return connected;
}

const ping = (connected) => new Promise((resolve) => connected.ping(resolve));

const statusOf = ({ headers }) => [headers['grpc-status'], headers['grpc-message']];

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
    assert.deepEqual(statusOf(await answerOf(open(connected).end(FETCH))), ['5', 'resource-not-found']);
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
    const { headers: told } = await answered(serving.url, send ?? (() => {}), headers, { endStream: send === undefined });
    const [status, code, message] = expected;
    assert.deepEqual([told[':status'], told['grpc-status']], [status, code]);
    if (message instanceof RegExp) assert.match(told['grpc-message'], message);
    else assert.equal(told['grpc-message'], message);
  });
}

it('a list of more than 4 MiB is sent whole', async () => {
  const value = 'v'.repeat(4096);
  for (let i = 0; i < 1100; i += 1) serving.server.putRow({ path: `key ${i}`, owner: 'o', value, type: 'lock', ttl: 60 });
  const { trailers, size } = await answered(serving.url, withBody(FETCH_LOCKS), { ':path': '/models.Locket/FetchAll' });
  assert.equal(trailers['grpc-status'], '0');
  assert.ok(size > 4 * 1024 * 1024, `${size} bytes`);
});

it('a server that cannot answer any more says so, over HTTP/1.1 too, and the process goes on', async () => {
  const broken = await serve({ port: 0, closeTimeout: '500ms' });
  broken.server.close();
  const said = 'the server cannot answer: the server is closed (Unavailable)';
  assert.deepEqual(statusOf(await answered(broken.url)), ['13', said]);
  const headers = { 'content-type': 'application/grpc-web+proto' };
  const answer = await fetch(`${broken.url}/models.Locket/Fetch`, { method: 'POST', headers, body: FETCH });
  assert.deepEqual([answer.headers.get('grpc-status'), answer.headers.get('grpc-message')], ['13', said]);
  await broken.close();
});
