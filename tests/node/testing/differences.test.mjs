// `withLocket` names the switches by which the shipped Locket would have answered otherwise. Each is named once in a process, so
// every test here has a switch of its own.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { LocketServer } from 'locket-wasm';
import { withLocket } from 'locket-wasm/testing';

/** What a test prints as warnings of differences. */
async function warningsOf(...given) {
  const [body, options = {}] = given.reverse();
  const { warn } = console;
  const warnings = [];
  console.warn = (text) => warnings.push(text);
  try {
    await withLocket({ ...options, watchdog: false }, body)();
  } finally {
    console.warn = warn;
  }
  return warnings;
}

const refused = () => {};

test('a release that the shipped Locket accepts is reported with its switch, once in a process', async () => {
  const body = async ({ client }) => {
    await client('a').release({ key: 'bbs', owner: 'a' }).catch(refused);
    await client('a').release({ key: 'bbs', owner: 'a' }).catch(refused);
  };
  assert.deepEqual(await warningsOf({ onDifference: 'ignore' }, body), []);
  assert.deepEqual(await warningsOf({ profile: 'upstream' }, body), []);
  assert.deepEqual(await warningsOf(body), [
    "Profile 'documented' answered 'resource-not-found' to Release of 'bbs' by 'a'. The shipped Locket answers 'ok' " +
      "(switch releaseMissing). Test that with profile: 'upstream', or with { extends: 'documented', releaseMissing: 'ok' }.",
  ]);
  assert.deepEqual(await warningsOf(body), []);
});

test('calls that both answer alike are not told', async () => {
  const warnings = await warningsOf({ latency: '20ms' }, async ({ client, server, clock }) => {
    const calls = (async () => {
      await client('a').lock({ key: 'bbs', owner: 'a', ttl: '15s' });
      await client('b').lock({ key: 'bbs', owner: 'b', ttl: '15s' }).catch(refused);
      await client('a').fetchAll({ kind: 'lock' });
      await client('a').release({ key: 'bbs', owner: 'a' });
    })();
    await clock.advanceAsync('1s');
    await calls;
    server.putRow({ path: 'cell', owner: 'c', type: 'lock', ttl: 5 });
    server.restart();
    const fetched = client('a').fetch('cell');
    await clock.advanceAsync('1s');
    await fetched;
  });
  assert.deepEqual(warnings, []);
});

test('a row that outlives a restart is reported with the switch expiry, at the moment of the call', async () => {
  const warnings = await warningsOf(async ({ client, server, clock }) => {
    await client('a').lock({ key: 'bbs', owner: 'a', ttl: '15s' });
    clock.advance('7s');
    server.restart();
    clock.advance('8s');
    await client('b').lock({ key: 'bbs', owner: 'b', ttl: '15s' });
  });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /^Profile 'documented' answered 'ok' to Lock of 'bbs' by 'b'\. The shipped Locket answers 'lock-collision' \(switch expiry\)/);
});

test('a call of a paused client is compared when it reaches the server', async () => {
  const warnings = await warningsOf(async ({ client, clock }) => {
    client('a').pause('5s');
    const locked = client('a').lock({ key: '', owner: 'a', ttl: '15s' }).catch(refused);
    await clock.advanceAsync('5s');
    await locked;
  });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /Lock of '' by 'a'.*\(switch keyRequired\)/);
});

test('an answer that waits for the database is compared when it is there', async () => {
  const warnings = await warningsOf(async ({ client, server, clock }) => {
    server.putRow({ path: 'bbs', owner: '', type: 'lock', ttl: 15 });
    server.stallDatabase('2s');
    const released = client('a').release({ key: 'bbs', owner: 'a' }).catch(refused);
    await clock.advanceAsync('2s');
    await released;
    await new Promise(setImmediate);
  });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /\(switch emptyOwnerRelease\)/);
});

test('a raw request is compared, too', async () => {
  const warnings = await warningsOf(async ({ server }) => {
    const headers = { 'content-type': 'application/grpc-web+proto' };
    await server.fetch('http://locket.test/models.Locket/Lock', { method: 'POST', headers, body: new Uint8Array(5) });
  });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /answered 'invalid-resource' to Lock without a resource\..*\(switch nilResource\)/);
});

test('a server without withLocket compares nothing', async () => {
  const { warn } = console;
  console.warn = assert.fail;
  await new LocketServer().client().release({ key: 'bbs', owner: '' }).catch(refused);
  console.warn = warn;
});
