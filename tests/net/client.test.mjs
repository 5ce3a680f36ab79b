// LocketClient over the network: options, headers, interceptors, errors, giving up. Where the carrier makes no
// difference, the same test runs against the in-process client.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import http from 'node:http';
import { after, afterEach, before, test } from 'node:test';

import { Code, LocketArgumentError, LocketClient, LocketError, LocketServer } from 'locket-wasm';

import { assertWrongArgument, failureOf } from '../node/support/helpers.mjs';
import { BASE, CARRIERS, closeCarriers, endCarriers } from './support/carriers.mjs';
import { startHostile } from './support/hostile.mjs';

const LOCK = { key: 'bbs', owner: 'bbs-0', ttl: '15s' };

let hostile;
before(async () => (hostile = await startHostile()));
after(async () => {
  await Promise.all([hostile.close(), endCarriers()]);
});
afterEach(closeCarriers);

for (const [name, { server: open, client: clientOf }] of Object.entries(CARRIERS)) {
  test(`${name}: all four calls work`, async () => {
    const client = clientOf(await open({ profile: 'upstream' }));
    await client.lock({ ...LOCK, value: 'ü' });
    const resource = { key: 'bbs', owner: 'bbs-0', value: 'ü', kind: 'lock', type: 'lock', typeCode: 1 };
    assert.deepEqual(await client.fetch('bbs'), resource);
    assert.deepEqual(await client.fetchAll({ kind: 'lock' }), [resource]);
    await client.release({ key: 'bbs', owner: 'bbs-0' });
    assert.deepEqual(await client.fetchAll({ kind: 'lock' }), []);
  });

  test(`${name}: an answer over 4 MiB is refused with what to raise, and taken if that is raised`, async () => {
    const server = await open({ profile: 'upstream' });
    const value = 'v'.repeat(4096);
    for (let i = 0; i < 1020; i += 1) server.putRow({ path: `key ${i}`, owner: 'o', value, type: 'lock', ttl: 60 });
    const all = (options) => clientOf(server, options).fetchAll({ kind: 'lock' });
    const error = await failureOf(all());
    assert.deepEqual([error.codeName, error.field], ['ResourceExhausted', undefined]);
    const text = /^grpc: received message larger than max \((\d+) vs\. 4194304\); raise the client's maxMessageBytes$/;
    const [, size] = text.exec(error.rawMessage);
    assert.equal((await all({ maxMessageBytes: Number(size) })).length, 1020);
    await assert.rejects(all({ maxMessageBytes: Number(size) - 1 }), { code: Code.ResourceExhausted });
  });

  test(`${name}: interceptors see and change plain calls, outermost first`, async () => {
    const seen = [];
    const watch = (label) => (next) => async (call) => {
      seen.push(`${label} ${call.method} ${JSON.stringify(call.request)} ${call.headers['x-a']} ${call.timeoutMs}`);
      const reply = await next({ ...call, headers: { ...call.headers, 'x-a': `${call.headers['x-a']}${label}` } });
      seen.push(`${label} ${reply.resource?.owner}`);
      return reply;
    };
    const server = await open();
    await server.client().lock(LOCK);
    const options = { interceptors: [watch('1'), watch('2')], headers: { 'X-A': 'a' }, timeout: '9s' };
    const resource = await clientOf(server, options).fetch('bbs', { timeout: '8s' });
    assert.equal(resource.owner, 'bbs-0');
    assert.deepEqual(seen, ['1 fetch {"key":"bbs"} a 8000', '2 fetch {"key":"bbs"} a1 8000', '2 bbs-0', '1 bbs-0']);
  });

  test(`${name}: an interceptor may answer itself, repeat, or see the error`, async () => {
    const server = await open();
    await server.client().lock(LOCK);
    const again = (next) => async (call) => {
      try {
        return await next(call);
      } catch (error) {
        assert.ok(error instanceof LocketError && error.reason === 'lock-collision');
        return next({ ...call, request: { ...call.request, owner: 'bbs-0' } });
      }
    };
    await clientOf(server, { interceptors: [again] }).lock({ ...LOCK, owner: 'x' });
    const canned = () => async () => ({ resources: [], headers: {}, trailers: {} });
    assert.deepEqual(await clientOf(server, { interceptors: [canned] }).fetchAll({ kind: 'lock' }), []);
    const breaking = (next) => (call) => next({ ...call, request: { key: 5 } });
    await assert.rejects(clientOf(server, { interceptors: [breaking] }).fetch('bbs'), LocketArgumentError);
  });

  test(`${name}: a signal that is aborted already sends nothing`, async () => {
    const server = await open();
    const call = clientOf(server).lock(LOCK, { signal: AbortSignal.abort() });
    await assert.rejects(call, { code: Code.Canceled, outcome: 'no-effect' });
    assert.deepEqual(server.table(), []);
  });

  test(`${name}: a read is never done or not, whatever became of it`, async () => {
    const late = clientOf(await open({ latency: '1h' }));
    const timeout = AbortSignal.timeout(20);
    for (const read of [(options) => late.fetch('k', options), (options) => late.fetchAll({ kind: 'lock' }, options)]) {
      await assert.rejects(read({ signal: timeout }), { code: Code.DeadlineExceeded, outcome: 'no-effect' });
    }
    const throwing = () => async () => { throw new LocketError({ code: Code.Unavailable, rawMessage: 'gone' }); };
    const server = await open();
    server.stop();
    await assert.rejects(clientOf(server).fetch('k'), { code: Code.Unavailable, outcome: 'no-effect' });
    await assert.rejects(clientOf(server).lock(LOCK), { code: Code.Unavailable, outcome: 'unknown' });
    await assert.rejects(clientOf(server, { interceptors: [throwing] }).fetch('k'), { code: Code.Unavailable, rawMessage: 'gone' });
  });

  test(`${name}: half of a surrogate pair is refused by the field it is in, so no two keys become one`, async () => {
    const server = await open();
    const client = clientOf(server);
    const calls = {
      key: [() => client.lock({ ...LOCK, key: 'a\ud800' }), () => client.fetch('\udc00b'), () => client.release({ key: '\ud800', owner: 'o' }), () => client.acquire({ key: '\ud83d', owner: 'o' })],
      owner: [() => client.lock({ ...LOCK, owner: '\ude00\ud83d' }), () => client.presence({ key: 'k', owner: '\ud800' })],
      value: [() => client.lock({ ...LOCK, value: `${'v'.repeat(1_000)}\ud800` })],
      type: [() => client.fetchAll({ type: '\ud800' })],
      'locks[0].key': [() => client.withLock([{ key: '\ud800', owner: 'o' }], () => {})],
    };
    for (const [field, all] of Object.entries(calls)) {
      for (const call of all) await assertWrongArgument(field, call);
    }
    await client.lock({ ...LOCK, key: '😀' });
    assert.deepEqual(server.table().map(({ path }) => path), ['😀']);
  });

  test(`${name}: an interceptor without an answer is an error with its index`, async () => {
    const server = await open();
    const fine = (next) => next;
    const forgetful = (next) => async (call) => { await next(call); };
    for (const [interceptors, field] of [[[forgetful], 'interceptors[0]'], [[fine, forgetful, fine], 'interceptors[1]'], [[forgetful, forgetful], 'interceptors[1]']]) {
      const client = clientOf(server, { interceptors });
      for (const call of [() => client.lock(LOCK), () => client.fetch('bbs'), () => client.fetchAll({ kind: 'lock' }), () => client.acquire({ key: 'k', owner: 'bbs-0' })]) {
        const error = await failureOf(call());
        assert.ok(error instanceof LocketArgumentError, String(error));
        assert.deepEqual([error.field, /return the result of next\(call\)/.test(error.message)], [field, true]);
      }
    }
    const halfway = () => async () => ({ headers: {}, trailers: {} });
    await assert.rejects(clientOf(server, { interceptors: [halfway] }).fetch('k'), { field: 'interceptors[0]', message: /fetch with no resource;/ });
    const loose = { interceptors: [() => undefined] };
    assert.throws(() => clientOf(server, loose), { field: 'interceptors[0]', name: 'LocketArgumentError' });
  });

  test(`${name}: a timeout of any length can be asked for`, async () => {
    const client = clientOf(await open());
    for (const timeout of ['1s', `${2 ** 31}ms`, '720h', `${Number.MAX_SAFE_INTEGER}ms`]) await client.lock(LOCK, { timeout });
  });

  test(`${name}: the callbacks come before the call settles`, async () => {
    const seen = [];
    const options = { onHeader: (headers) => seen.push(typeof headers), onTrailer: (trailers) => seen.push(typeof trailers) };
    await clientOf(await open()).lock(LOCK, options);
    assert.deepEqual(seen, ['object', 'object']);
  });
}

test('a request carries what gRPC-Web and Locket want, and what the user adds', async () => {
  const seen = [];
  const server = new LocketServer();
  const fetch = (url, init) => (seen.push([url, init]), server.fetch(url, init));
  const client = new LocketClient({ baseUrl: BASE, fetch, headers: { 'x-a': '1', 'x-b': '1' }, credentials: 'include' });
  await client.lock(LOCK, { timeout: '1500ms', headers: { 'X-B': '2' }, requestId: 'my id' });
  const [[url, { method, headers, body, credentials }]] = seen;
  assert.equal(url, 'http://locket.test/some/path/models.Locket/Lock');
  assert.deepEqual([method, credentials], ['POST', 'include']);
  assert.ok(body instanceof Uint8Array);
  const { uuid, 'x-a': a, 'x-b': b, 'content-type': type, 'x-grpc-web': web, 'grpc-timeout': timeout } = headers;
  const expected = ['my id', '1', '2', 'application/grpc-web+proto', '1', '1500000u'];
  assert.deepEqual([uuid, a, b, type, web, timeout], expected);
});

test('every call is one request with an id of its own, and errors name it', async () => {
  const ids = [];
  const fetch = async (_, { headers }) => (ids.push(headers.uuid), new Response(null, { status: 503 }));
  const client = new LocketClient({ baseUrl: BASE, fetch });
  const errors = [await failureOf(client.fetch('a')), await failureOf(client.lock(LOCK))];
  assert.deepEqual(errors.map(({ requestId }) => requestId), ids);
  assert.notEqual(ids[0], ids[1]);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a server that is not there is unavailable, certainly did nothing, and the cause says why', async () => {
  const free = http.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => free.once('listening', resolve));
  const { port } = free.address();
  await new Promise((resolve) => free.close(resolve));
  const error = await failureOf(new LocketClient({ baseUrl: `http://127.0.0.1:${port}` }).lock(LOCK));
  assert.deepEqual([error.code, error.outcome, error.cause.cause.code], [14, 'no-effect', 'ECONNREFUSED']);
  assert.match(error.message, /ECONNREFUSED/);
});

test('a host that has no address is unavailable, and certainly nothing was sent', async () => {
  const error = await failureOf(new LocketClient({ baseUrl: 'http://locket.invalid' }).lock(LOCK));
  assert.deepEqual([error.code, error.outcome], [14, 'no-effect'], error.message);
});

const system = (code, syscall) => Object.assign(new Error(code), { code, syscall });
const failed = (cause) => new TypeError('fetch failed', { cause });
for (const [name, thrown, outcome] of [
  ['refused at each of a host\'s addresses', failed(new AggregateError([system('ECONNREFUSED', 'connect'), system('ENETUNREACH', 'connect')])), 'no-effect'],
  ['not made in time', failed(system('UND_ERR_CONNECT_TIMEOUT')), 'no-effect'],
  ['refused, as another fetch says it', system('ECONNREFUSED'), 'no-effect'],
  ['reset', failed(system('ECONNRESET', 'read')), 'unknown'],
  ['refused at one address and reset at another', failed(new AggregateError([system('ECONNREFUSED', 'connect'), system('ECONNRESET', 'read')])), 'unknown'],
  ['lost, nobody says how', failed(undefined), 'unknown'],
  ['lost, and whose error is its own cause', ((error) => Object.assign(error, { cause: error }))(new Error('x')), 'unknown'],
]) {
  test(`after a connection that was ${name}, the outcome of a lock is ${outcome}`, async () => {
    const client = new LocketClient({ baseUrl: BASE, fetch: () => Promise.reject(thrown) });
    await assert.rejects(client.lock(LOCK), { code: Code.Unavailable, outcome });
  });
}

for (const [name, fetch] of Object.entries({
  'throws at once': () => { throw new Error('boom'); },
  'rejects with nothing': () => Promise.reject(),
  'rejects with half a surrogate': () => Promise.reject(new Error('\ud800')),
  'gives a network error': async () => Response.error(),
})) {
  test(`a fetch that ${name} is a server that cannot be reached`, async () => {
    const call = new LocketClient({ baseUrl: BASE, fetch }).lock(LOCK);
    await assert.rejects(call, { code: Code.Unavailable, outcome: 'unknown' });
  });
}

for (const [name, value] of Object.entries({ nothing: undefined, text: 'x', 'a status only': { status: 200 } })) {
  test(`a fetch that returns ${name} is a bug of its own`, async () => {
    const call = new LocketClient({ baseUrl: BASE, fetch: async () => value }).lock(LOCK);
    await assert.rejects(call, { code: Code.Internal, outcome: 'unknown' });
  });
}

test('a fetch that does not listen to its signal is given up all the same', async () => {
  const client = new LocketClient({ baseUrl: BASE, fetch: () => new Promise(() => {}) });
  await assert.rejects(client.lock(LOCK, { timeout: '20ms' }), { code: Code.DeadlineExceeded, outcome: 'unknown' });
  const signal = AbortSignal.timeout(20);
  const error = await failureOf(client.lock(LOCK, { signal }));
  assert.deepEqual([error.code, error.cause], [Code.DeadlineExceeded, signal.reason]);
});

// The event loop stands still until the deadline has passed, so no timer can have been first.
const heldBack = (ms, answer) => async () => {
  const until = performance.now() + ms;
  while (performance.now() < until);
  return answer();
};
const fromProxy = { 'content-type': 'application/grpc-web', 'grpc-message': 'downstream duration timeout' };
for (const [name, answer] of Object.entries({
  'HTTP 504': () => new Response(null, { status: 504 }),
  'HTTP 408': () => new Response(null, { status: 408 }),
  "a proxy's Unavailable": () => new Response(null, { headers: { ...fromProxy, 'grpc-status': '14' } }),
  'a broken connection': () => Promise.reject(new Error('reset')),
})) {
  test(`${name} after the deadline is the deadline's, and the cause says what came`, async () => {
    for (const [clock, timeout, tookMs] of [['real', '20ms', 20], ['ambient', '20ms', 20], ['real', '100ms', 91]]) {
      const client = new LocketClient({ baseUrl: BASE, fetch: heldBack(tookMs, answer), timeout, clock });
      const error = await failureOf(client.lock(LOCK));
      const { code, outcome, rawMessage, cause } = error;
      assert.deepEqual([code, outcome, rawMessage], [Code.DeadlineExceeded, 'unknown', 'context deadline exceeded']);
      assert.match(cause.message, /^(HTTP 504|HTTP 408|downstream duration timeout|reset)/);
    }
    const early = new LocketClient({ baseUrl: BASE, fetch: heldBack(10, answer), timeout: '10s' });
    await assert.rejects(early.fetch('k'), ({ code }) => code === Code.Unavailable || code === Code.Unknown);
  });
}

test("a server's own word counts even after the deadline", async () => {
  const server = new LocketServer();
  const options = { baseUrl: BASE, fetch: (...call) => heldBack(20, () => server.fetch(...call))(), timeout: '20ms' };
  const client = new LocketClient(options);
  await client.lock(LOCK);
  await assert.rejects(client.lock({ ...LOCK, owner: 'x' }), { reason: 'lock-collision', outcome: 'refused' });
});

test('a timeout of nothing sends nothing', async () => {
  const client = new LocketClient({ baseUrl: BASE, fetch: () => assert.fail('sent') });
  await assert.rejects(client.lock(LOCK, { timeout: '0s' }), { code: Code.DeadlineExceeded, outcome: 'no-effect' });
});

test('giving up closes the connection, leaves no listener, and rejects nothing unseen', async () => {
  const unseen = [];
  const note = (reason) => unseen.push(reason);
  process.on('unhandledRejection', note);
  const { signal, controller, listeners } = countedSignal();
  const client = new LocketClient({ baseUrl: `${hostile.url}/never-going-on` });
  const called = hostile.called('never-going-on');
  const call = client.fetch('k', { signal });
  await called;
  controller.abort(new Error('enough'));
  const error = await failureOf(call);
  assert.deepEqual([error.code, error.outcome, error.cause.message], [1, 'no-effect', 'enough']);
  assert.equal(listeners(), 0);
  const isClosed = () => hostile.closed.some(({ url, whole }) => url.startsWith('/never-going-on/') && !whole);
  for (let waits = 0; !isClosed() && waits < 100; waits += 1) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(isClosed());

  await new LocketClient({ baseUrl: `${hostile.url}/good` }).fetch('k', { signal: new AbortController().signal });
  const second = countedSignal();
  await new LocketClient({ baseUrl: `${hostile.url}/good` }).fetch('k', { signal: second.signal });
  assert.equal(second.listeners(), 0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', note);
  assert.deepEqual(unseen, []);
});

test('headers and trailers reach the callbacks, and an error keeps what is neither HTTP nor gRPC', async () => {
  const answer = { 'content-type': 'application/grpc-web', date: 'today', 'x-a': '1', 'grpc-status': '9', 'grpc-message': 'm' };
  const client = new LocketClient({ baseUrl: BASE, fetch: async () => new Response(null, { headers: answer }) });
  let headers;
  const error = await failureOf(client.fetch('k', { onHeader: (given) => (headers = given) }));
  assert.deepEqual(headers, answer);
  assert.deepEqual(error.metadata, { 'x-a': '1' });
});

function countedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  return { controller, signal, listeners: () => getEventListeners(signal, 'abort').length };
}
