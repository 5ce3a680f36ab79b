// A module that has no memory left, or traps: what it was is said, what lived in it is lost and says so, and all goes on.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

import {
  init,
  LocketClient,
  LocketError,
  LocketServer,
  LockLostError,
  ModuleError,
  runScenario,
  Simulation,
  VirtualClock,
} from 'locket-wasm';

import { thrownBy } from '../support/helpers.mjs';
import { withMemory } from './patched-module.mjs';

const MIB = 1024 * 1024;
const FIRST = { name: 'x', until: '20s', clients: [{ name: 'a', key: 'k', retryInterval: '5s' }] };
/** Its trace has some 60 MiB. */
const LARGE = { ...FIRST, until: '40h', clients: [{ name: 'a', key: 'k', retryInterval: '3s' }] };

before(() => init(withMemory(24 * MIB), withMemory(8 * MIB, 'messages')));

function fillMemory() {
  return thrownBy(() => runScenario(LARGE));
}

/** The same of the module of messages, with a request that is larger than its memory. */
function fillMessages() {
  const server = new LocketServer();
  try {
    return thrownBy(() => server.handle({ ...FETCH, body: new Uint8Array(16 * MIB) }));
  } finally {
    server.close();
  }
}

const FETCH = { method: 'POST', path: '/models.Locket/Fetch', headers: ['content-type', 'application/grpc'], body: new Uint8Array([0, 0, 0, 0, 3, 10, 1, 107]) };

describe('a module without memory', () => {
  test('says so, and what to do', () => {
    const error = fillMemory();
    assert.ok(error instanceof ModuleError, error.stack);
    assert.equal(error.reason, 'out-of-memory');
    assert.match(error.message, /^out of memory: the module has \d+ MiB, and can get no more; .*without a trace/);
    assert.ok(error.cause instanceof WebAssembly.RuntimeError);
  });

  test('is followed by another one, which works, again and again', () => {
    const { digest } = runScenario(FIRST);
    for (let round = 0; round < 3; round += 1) {
      assert.equal(fillMemory().reason, 'out-of-memory');
      assert.equal(runScenario(FIRST).digest, digest);
      assert.equal(runScenario(LARGE, { trace: false }).events.length, 0);
    }
  });

  test('takes with it what lived in it, which says so and can be closed', async () => {
    const server = new LocketServer();
    const client = server.client();
    const simulation = new Simulation(FIRST);
    await client.lock({ key: 'k', owner: 'o', ttl: '15s' });
    const { message } = fillMemory();
    for (const use of [() => server.table(), () => server.stats(), () => simulation.step(), () => simulation.nowMs, () => simulation.link()]) {
      const error = thrownBy(use);
      assert.ok(error instanceof ModuleError, error.stack);
      assert.deepEqual([error.reason, error.cause.message], ['replaced', message]);
    }
    await assert.rejects(client.fetch('k'), (error) => {
      assert.ok(error instanceof LocketError);
      return error.outcome === 'no-effect' && error.cause instanceof ModuleError;
    });
    // What lives in the new one is left alone by that.
    const other = new LocketServer();
    await other.client().lock({ key: 'k', owner: 'other', ttl: '15s' });
    simulation.close();
    server.close();
    server.close();
    assert.equal(other.table()[0].owner, 'other');
    other.close();
  });

  test('takes locks with it: their signals say so at the next look, and runners end', async () => {
    const clock = new VirtualClock();
    const server = new LocketServer({ clock });
    const lock = await server.client().acquire({ key: 'k', owner: 'o' });
    assert.equal(lock.held, true);
    fillMemory();
    assert.equal(lock.held, false);
    assert.ok(lock.signal.aborted);
    assert.ok(lock.signal.reason instanceof LockLostError);
    const { error } = await lock.exited;
    assert.ok(error instanceof LockLostError && error.cause instanceof ModuleError, error);
    server.close();
  });

  test('leaves no call waiting for ever that waits for a database', async () => {
    const server = new LocketServer();
    server.stallDatabase('5s');
    const calls = [server.client().fetch('k'), server.client().fetch('k', { signal: new AbortController().signal })];
    const post = { method: 'POST', headers: { 'content-type': 'application/grpc-web+proto' }, body: new Uint8Array([0, 0, 0, 0, 3, 10, 1, 107]) };
    const raw = server.fetch('http://locket.test/models.Locket/Fetch', post);
    for (const call of [...calls, raw]) call.catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    fillMemory();
    for (const call of calls) await assert.rejects(call, (error) => error instanceof LocketError && error.cause instanceof ModuleError);
    await assert.rejects(raw, ModuleError);
    server.close();
  });
});

describe('a module of messages without memory', () => {
  test('says so, and takes nothing of a server with it', async () => {
    const server = new LocketServer();
    const lock = await server.client().acquire({ key: 'k', owner: 'o' });
    for (let round = 0; round < 3; round += 1) {
      const error = fillMessages();
      assert.ok(error instanceof ModuleError, error.stack);
      assert.equal(error.reason, 'out-of-memory');
      assert.deepEqual([lock.held, server.table().length], [true, 1]);
      assert.equal(server.handle(FETCH).status, 200);
    }
    server.close();
  });

  test('is followed by another one, which the same client calls', async () => {
    const server = new LocketServer();
    const client = new LocketClient({ baseUrl: 'http://locket.test', fetch: server.fetch });
    await client.lock({ key: 'k', owner: 'o', ttl: '15s' });
    fillMessages();
    assert.equal((await client.fetch('k')).owner, 'o');
    server.close();
  });

  test('leaves a request its answer that waited for the database', async () => {
    const server = new LocketServer();
    server.stallDatabase('5s');
    const answer = server.handle(FETCH);
    fillMessages();
    await server.clock.advanceAsync('5s');
    assert.deepEqual((await answer).headers.slice(2), ['grpc-status', '5', 'grpc-message', 'resource-not-found']);
    server.close();
  });

  test('leaves no call over a network waiting for ever', async () => {
    let isAsked;
    const asked = new Promise((resolve) => (isAsked = resolve));
    const fetch = () => (isAsked(), new Promise(() => {}));
    const waiting = new LocketClient({ baseUrl: 'http://locket.test', fetch }).fetch('k');
    waiting.catch(() => {});
    await asked;
    fillMessages();
    await assert.rejects(waiting, (error) => error instanceof LocketError && error.outcome === 'unknown' && error.cause instanceof ModuleError);
  });

  test('leaves nothing behind that an answer which comes too late could harm', async () => {
    let answer;
    const answered = new Promise((resolve) => (answer = resolve));
    let isAsked;
    const asked = new Promise((resolve) => (isAsked = resolve));
    const fetch = () => (isAsked(), answered);
    const unhandled = [];
    const listener = (reason) => unhandled.push(reason);
    process.on('unhandledRejection', listener);
    const waiting = new LocketClient({ baseUrl: 'http://locket.test', fetch }).fetch('k');
    await asked;
    fillMessages();
    await assert.rejects(waiting);
    answer(new Response(new Uint8Array(), { status: 200, headers: { 'content-type': 'application/grpc-web+proto', 'grpc-status': '5' } }));
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listener);
    assert.deepEqual(unhandled, []);
  });
});
