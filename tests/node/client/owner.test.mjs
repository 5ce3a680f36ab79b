// The owner of what names none.

import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';

import { LocketClient, LocketServer, LocketArgumentError } from 'locket-wasm';

const start = (options) => new LocketServer({ profile: 'upstream', ...options });
const owners = (server) => server.table().map(({ path, owner }) => `${path} of ${owner}`);

test('the name of a client is the owner of all that names none', async () => {
  const server = start();
  const client = server.client('bbs-0');
  await client.lock({ key: 'one', ttl: '15s' });
  const lock = await client.acquire({ key: 'two' });
  const runner = client.lockRunner({ key: 'three' });
  const presence = client.presence({ key: 'four' });
  await Promise.all([runner.ready, presence.ready]);
  assert.deepEqual([client.owner, lock.owner, runner.owner, presence.owner], Array(4).fill('bbs-0'));
  assert.deepEqual(owners(server), ['four of bbs-0', 'one of bbs-0', 'three of bbs-0', 'two of bbs-0']);
  await client.release({ key: 'one' });
  assert.equal(owners(server).length, 3);
  await Promise.all([lock.release(), runner.stop(), presence.stop()]);
});

test('an owner that is given counts, for a client and for one lock', async () => {
  const server = start();
  const client = server.client('a', { owner: 'vm-1' });
  await client.lock({ key: 'one', ttl: '15s' });
  await client.lock({ key: 'two', owner: 'vm-2', ttl: '15s' });
  assert.deepEqual(owners(server), ['one of vm-1', 'two of vm-2']);
});

test('a client without a name is told to take one, and nothing is sent', async () => {
  const server = start();
  const client = server.client();
  assert.equal(client.owner, undefined);
  for (const refused of [client.lock({ key: 'k', ttl: '15s' }), client.release({ key: 'k' }), client.acquire({ key: 'k' })]) {
    await assert.rejects(refused, (error) => error instanceof LocketArgumentError && error.field === 'owner' && error.message.includes("client('a')"));
  }
  assert.deepEqual(server.table(), []);
});

test('over a network each client has an owner of its own, with the host and the process in it', () => {
  const [one, two] = [1, 2].map(() => new LocketClient({ baseUrl: 'http://locket.test' }).owner);
  assert.ok(one.startsWith(`${hostname()}-${process.pid}-`), one);
  assert.notEqual(one, two);
  const client = new LocketClient({ baseUrl: 'http://locket.test' });
  assert.equal(client.owner, client.owner);
  assert.equal(new LocketClient({ baseUrl: 'http://locket.test', owner: 'bbs-0' }).owner, 'bbs-0');
});

test('interceptors see the owner that is sent', async () => {
  const seen = [];
  const noted = (next) => (call) => (seen.push(call.request.owner), next(call));
  await start().client('a', { interceptors: [noted] }).lock({ key: 'k', ttl: '15s' });
  assert.deepEqual(seen, ['a']);
});
