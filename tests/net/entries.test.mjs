// How each entry gets its module, and the smaller entry.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { LocketServer, LocketError as MainLocketError } from 'locket-wasm';
import * as client from 'locket-wasm/client';

const DIST = new URL('../../pkg/dist/', import.meta.url);
const { LocketArgumentError, LocketClient, LocketError, LockLostError } = client;
const LOCK = { key: 'bbs', owner: 'bbs-0', ttl: '15s' };

describe('locket-wasm/client', () => {
  const clientOf = (server, options) => new LocketClient({ baseUrl: 'http://locket.test', fetch: server.fetch, ...options });

  test('its errors are those of the main entry', async () => {
    const server = new LocketServer();
    await clientOf(server).lock(LOCK);
    const error = await clientOf(server).lock({ ...LOCK, owner: 'bbs-1' }).catch((thrown) => thrown);
    assert.ok(error instanceof LocketError && error instanceof MainLocketError);
    assert.equal(error.reason, 'lock-collision');
    assert.throws(() => new LocketClient({ baseUrl: 'ftp://locket.test' }), LocketArgumentError);
    await assert.rejects(clientOf(server).lock({ ...LOCK, ttl: 'soon' }), LocketArgumentError);
    assert.equal(typeof LockLostError, 'function');
  });

  test('it can be required, and has nothing but the client', () => {
    const required = createRequire(import.meta.url)('locket-wasm/client');
    assert.deepEqual(Object.keys(required).sort(), Object.keys(client).sort());
    assert.deepEqual(Object.keys(client).sort(), ['Code', 'LockLostError', 'LockTimeoutError', 'LocketArgumentError', 'LocketClient', 'LocketError', 'ModuleError', 'duration', 'init']);
  });
});

describe('the module', () => {
  // Each in a process of its own, as what was loaded stays loaded.
  const loads = {
    'bytes that arrive later': 'await init(readFile(wasm))',
    'what was compiled': 'await init(await WebAssembly.compile(await readFile(wasm)))',
    'an answer of fetch': "await init(fetch('data:application/wasm;base64,' + await readFile(wasm, 'base64')))",
    'an answer of another type': 'await init(new Response(await readFile(wasm)))',
    'an address': "await init(new URL('data:application/wasm;base64,' + await readFile(wasm, 'base64')))",
    'its file, at the first use': '',
    'its file, before': 'await init()',
    'what the package carries': "await (await import(new URL('web.js', wasm))).init()",
  };
  for (const [what, load] of Object.entries(loads)) {
    test(`is loaded from ${what}`, () => {
      assert.equal(inProcess(`${load};\nconsole.log(runScenario(text).digest)`).trim(), digestOf('first-look.json'));
    });
  }

  test('an address that answers with an error is not-loaded, with the status', () => {
    const output = inProcess("await init(new Response('gone', { status: 404 })).catch(({ reason, message }) => console.log(reason, message));");
    assert.match(output, /^not-loaded .* 404/);
  });

  test('a value that is no module is an argument error, and the next attempt may succeed', () => {
    const attempts = "for (const wrong of [null, 7, {}]) await init(wrong).catch(({ field }) => console.log(field)); await init(); console.log('loaded');";
    assert.deepEqual(inProcess(attempts).trim().split('\n'), ['source', 'source', 'source', 'loaded']);
  });

  test('the module of messages that does not load leaves the server as it is, and the next attempt may succeed', () => {
    const script = `
      const web = await import(new URL('web.js', wasm));
      await web.init();
      const server = new web.LocketServer();
      const client = server.client();
      const { compile } = WebAssembly;
      WebAssembly.compile = async () => { throw new WebAssembly.CompileError('WebAssembly.compile(): violates the content security policy'); };
      const post = () => server.fetch('http://locket.test/models.Locket/Fetch', { method: 'POST', headers: { 'content-type': 'application/grpc-web' }, body: new Uint8Array([0, 0, 0, 0, 3, 10, 1, 107]) });
      await post().catch(({ name, reason }) => console.log(name, reason));
      await client.lock({ key: 'k', owner: 'o', ttl: '15s' });
      await web.init(undefined, 7).catch(({ field }) => console.log(field));
      WebAssembly.compile = compile;
      console.log((await post()).status, server.table().length);`;
    assert.deepEqual(inProcess(script).trim().split('\n'), ['ModuleError csp', 'messages', '200 1']);
  });

  test('an import compiles nothing', () => {
    const script = `
      let compiled = 0;
      WebAssembly.Module = class extends WebAssembly.Module { constructor(bytes) { super(bytes); compiled += 1; } };
      const { LocketServer } = await import('locket-wasm');
      await import('locket-wasm/check');
      await import('locket-wasm/client');
      const before = compiled;
      new LocketServer().close();
      console.log(before, compiled);`;
    assert.equal(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }).trim(), '0 1');
  });

  test('a program without messages loads no module for them', () => {
    const script = `
      const instances = [];
      WebAssembly.Instance = class extends WebAssembly.Instance { constructor(...args) { super(...args); instances.push(this); } };
      const { LocketClient, LocketServer, Simulation } = await import('locket-wasm');
      runScenario(text);
      new Simulation(text).close();
      const server = new LocketServer();
      const lock = await server.client().acquire({ key: 'k', owner: 'o' });
      await lock.release();
      const without = instances.length;
      server.handle({ method: 'POST', path: '/models.Locket/Fetch', headers: ['content-type', 'application/grpc'], body: new Uint8Array(5) });
      const raw = instances.length;
      await new LocketClient({ baseUrl: 'http://locket.test', fetch: server.fetch }).fetchAll({ kind: 'lock' });
      console.log(without, raw, instances.length);`;
    assert.equal(inProcess(script).trim(), '1 2 2');
  });

  test('the entries for browsers say what to do before the module is loaded', async () => {
    const { LocketServer: NotLoaded } = await import(new URL('web.js', DIST));
    assert.throws(() => new NotLoaded(), { name: 'ModuleError', reason: 'not-loaded', message: /await init\(\)/ });
  });

  test('is carried by no entry, but beside them', () => {
    for (const [file, module] of [['web.js', 'simulator'], ['check-web.js', 'checker'], ['client-web.js', 'client'], ['web.js', 'messages']]) {
      assert.ok(readFileSync(new URL(file, DIST)).length < readFileSync(new URL(`${module}.wasm`, DIST)).length / 2, file);
    }
  });

  function inProcess(script) {
    const prelude = `
      import { readFile } from 'node:fs/promises';
      import { init, runScenario } from 'locket-wasm';
      const wasm = new URL(${JSON.stringify(new URL('simulator.wasm', DIST))});
      const text = await readFile(${JSON.stringify(fileURLToPath(new URL('../../sim/scenarios/first-look.json', import.meta.url)))}, 'utf8');\n`;
    return execFileSync(process.execPath, ['--input-type=module', '--eval', prelude + script], { encoding: 'utf8' });
  }
});

function digestOf(name) {
  return JSON.parse(readFileSync(new URL('../../sim/scenarios/digests.json', import.meta.url), 'utf8'))[name];
}
