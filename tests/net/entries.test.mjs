// The entries beside the main one that load the module in another way, or a smaller one.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { LocketServer, LocketError as MainLocketError } from 'locket-wasm';
import * as client from 'locket-wasm/client';

import { startHostile } from './support/hostile.mjs';
import { runCases } from './support/judge.mjs';
import { CASES } from './support/wire_cases.mjs';

const DIST = new URL('../../pkg/dist/', import.meta.url);
const WASM = readFileSync(new URL('locket.wasm', DIST));
const { LocketArgumentError, LocketClient, LocketError, LockLostError, TypeCode } = client;
const LOCK = { key: 'bbs', owner: 'bbs-0', typeCode: TypeCode.LOCK, ttlSeconds: 15 };

let hostile;
before(async () => (hostile = await startHostile()));
after(() => hostile.close());

describe('locket-wasm/client', () => {
  const clientOf = (server, options) => new LocketClient({ baseUrl: 'http://locket.test', fetch: server.fetch, ...options });

  test(`is told every answer right (${CASES.length})`, { timeout: 120_000 }, async () => {
    assert.deepEqual(await runCases(client, hostile.base, CASES), []);
  });

  test('all four calls work', async () => {
    const locket = clientOf(new LocketServer({ profile: 'upstream' }));
    await locket.lock({ ...LOCK, value: 'ü' });
    const resource = { key: 'bbs', owner: 'bbs-0', value: 'ü', type: 'lock', typeCode: 1 };
    assert.deepEqual(await locket.fetch('bbs'), resource);
    assert.deepEqual(await locket.fetchAll({ typeCode: TypeCode.LOCK }), [resource]);
    await locket.release({ key: 'bbs', owner: 'bbs-0' });
    assert.deepEqual(await locket.fetchAll({ typeCode: TypeCode.LOCK }), []);
  });

  test('locks, presences and groups are kept and given back', async () => {
    const server = new LocketServer({ profile: 'upstream' });
    const locket = clientOf(server);
    const lock = await locket.acquire({ key: 'bbs', owner: 'bbs-0', ttlSeconds: 15, retryIntervalMs: 5_000 });
    assert.ok(lock.held);
    const presence = locket.presence({ key: 'cell', owner: 'cell-0', ttlSeconds: 15 });
    const group = locket.jointLock({ locks: [{ key: 'a', owner: 'o', ttlSeconds: 15 }, { key: 'b', owner: 'o', ttlSeconds: 15 }], timeoutMs: 5_000 });
    await Promise.all([presence.ready, group.ready]);
    assert.deepEqual(server.table().map(({ path }) => path), ['a', 'b', 'bbs', 'cell']);
    await Promise.all([lock.release(), presence.stop(), group.stop()]);
    assert.deepEqual(server.table(), []);
  });

  test('its errors are those of the main entry', async () => {
    const server = new LocketServer();
    await clientOf(server).lock(LOCK);
    const error = await clientOf(server).lock({ ...LOCK, owner: 'bbs-1' }).catch((thrown) => thrown);
    assert.ok(error instanceof LocketError && error instanceof MainLocketError);
    assert.equal(error.reason, 'lock-collision');
    assert.throws(() => new LocketClient({ baseUrl: 'ftp://locket.test' }), LocketArgumentError);
    await assert.rejects(clientOf(server).lock({ ...LOCK, ttlSeconds: 'soon' }), LocketArgumentError);
    assert.equal(typeof LockLostError, 'function');
  });

  test('it can be required, and has nothing but the client', () => {
    const required = createRequire(import.meta.url)('locket-wasm/client');
    assert.deepEqual(Object.keys(required).sort(), Object.keys(client).sort());
    assert.deepEqual(Object.keys(client).sort(), ['Code', 'LockLostError', 'LockTimeoutError', 'LocketArgumentError', 'LocketClient', 'LocketError', 'ModuleError', 'TypeCode', 'durationMs']);
  });
});

describe('locket-wasm/slim', () => {
  // Each in a process of its own, as what was loaded stays loaded.
  const loads = {
    'bytes that arrive later': 'await init(readFile(wasm))',
    'what was compiled': 'await init(await WebAssembly.compile(await readFile(wasm)))',
    'an answer of fetch': "await init(fetch('data:application/wasm;base64,' + await readFile(wasm, 'base64')))",
    'an answer of another type': 'await init(new Response(await readFile(wasm)))',
    'an address': "await init(new URL('data:application/wasm;base64,' + await readFile(wasm, 'base64')))",
    'a module, at once': 'initSync(new WebAssembly.Module(await readFile(wasm)))',
  };
  for (const [what, load] of Object.entries(loads)) {
    test(`it is loaded from ${what}`, () => {
      assert.equal(inSlim(`${load};\nconsole.log(runScenario(text).digest)`).trim(), digestOf('first-look.json'));
    });
  }

  test('an answer that is no module says so', () => {
    const output = inSlim("await init(new Response('gone', { status: 404 })).catch(({ message }) => console.log(message));");
    assert.match(output, /answered with 404/);
  });

  test('it carries no module', () => {
    for (const name of readdirSync(DIST).filter((file) => /^slim\.c?js$/.test(file))) {
      assert.ok(readFileSync(new URL(name, DIST)).length < WASM.length / 4, name);
    }
  });

  function inSlim(script) {
    const prelude = `
      import { readFile } from 'node:fs/promises';
      import { init, initSync, runScenario } from 'locket-wasm/slim';
      const wasm = new URL(${JSON.stringify(new URL('locket.wasm', DIST))});
      const text = await readFile(${JSON.stringify(fileURLToPath(new URL('../../sim/scenarios/first-look.json', import.meta.url)))}, 'utf8');\n`;
    return execFileSync(process.execPath, ['--input-type=module', '--eval', prelude + script], { encoding: 'utf8' });
  }
});

function digestOf(name) {
  return JSON.parse(readFileSync(new URL('../../sim/scenarios/digests.json', import.meta.url), 'utf8'))[name];
}
