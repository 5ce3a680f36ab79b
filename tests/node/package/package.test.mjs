// The package as its users find it: by name, from either module system, in workers, and as a browser loads it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import { transformSync } from 'esbuild';
import * as esm from 'locket-wasm';

import { cratesInside } from '../../../src/js/notices.mjs';
import { failureOf, lockOf } from '../support/helpers.mjs';

const require = createRequire(import.meta.url);
const PACKAGE = new URL('../../../pkg/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('package.json', PACKAGE), 'utf8'));

/** Takes a lock and loses it, with whatever copy of the package. */
async function expire({ LocketServer }) {
  const server = new LocketServer({ profile: 'upstream' });
  const client = server.client();
  await client.lock(lockOf('bbs', 'bbs-0'));
  server.clock.advance('15s');
  return failureOf(client.fetch('bbs'));
}

describe('entries', () => {
  test('import and require give the same names', () => {
    assert.deepEqual(Object.keys(require('locket-wasm')).sort(), Object.keys(esm).sort());
  });

  test('require by name does the same, and its errors are instances for both', async () => {
    const cjs = require('locket-wasm');
    const error = await expire(cjs);
    assert.equal(error.reason, 'resource-not-found');
    assert.notEqual(cjs.LocketError, esm.LocketError);
    assert.ok(error instanceof esm.LocketError);
    assert.ok(!(error instanceof esm.LocketArgumentError));
  });

  test('the entry of browsers loads the module that comes with it, and gives the same names', async () => {
    const web = await import(new URL('dist/web.js', PACKAGE));
    await web.init();
    assert.deepEqual(Object.keys(web).sort(), Object.keys(esm).sort());
    assert.equal((await expire(web)).reason, 'resource-not-found');
    const digests = [web, esm].map(({ runScenario }) => runScenario({ name: 'x', clients: [], actions: [] }).digest);
    assert.equal(digests[0], digests[1]);
  });

  for (const name of ['checker', 'client', 'simulator']) {
    test(`the module ${name} is there for who loads it himself`, () => {
      assert.ok(WebAssembly.validate(readFileSync(require.resolve(`locket-wasm/${name}.wasm`))));
    });

    test(`the module ${name} names source files by crate, not by where it was built`, () => {
      const module = readFileSync(new URL(`dist/${name}.wasm`, PACKAGE), 'latin1');
      assert.ok(/src\/\w+\/\w+\.rs/.test(module), 'no panic names a file any more: drop this test');
      for (const place of ['/registry/src/', fileURLToPath(new URL('../', PACKAGE))]) assert.ok(!module.includes(place), place);
    });
  }

  test('where there is no Node, it is the entry of browsers', () => {
    const { node, default: elsewhere } = manifest.exports['.'];
    assert.deepEqual([node.import.default, elsewhere], ['./dist/node.js', './dist/web.js']);
  });

  test('in a page, the entry for gRPC loads with the names of its own, whose use says what to take instead', async () => {
    const web = await import(new URL(manifest.exports['./grpc'].default, PACKAGE));
    assert.deepEqual(Object.keys(web).sort(), Object.keys(await import('locket-wasm/grpc')).sort());
    for (const [name, Channel] of Object.entries(web)) {
      assert.throws(() => new Channel({ url: 'https://locket.test:8891' }), { message: new RegExp(`^${name} needs Node\\.js: .* locket-wasm/client$`) });
    }
  });

  test('in a page, the entry for a port loads, and says at its use what to take instead', async () => {
    const web = await import(new URL(manifest.exports['./serve'].default, PACKAGE));
    assert.deepEqual(Object.keys(web), Object.keys(await import('locket-wasm/serve')));
    assert.throws(() => web.serve(), /^Error: serve needs Node\.js: /);
  });

  test('loading waits for nothing, so that CommonJS can have it', () => {
    for (const entry of ['node.js', 'web.js', 'serve.js']) {
      const source = readFileSync(new URL(`dist/${entry}`, PACKAGE), 'utf8');
      assert.doesNotThrow(() => transformSync(source, { format: 'cjs', logLevel: 'silent' }), entry);
    }
  });

  test('a file that is not exported cannot be imported', async () => {
    assert.equal((await failureOf(import('locket-wasm/dist/node.js'))).code, 'ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  test('the wire contract is in the package, for generated clients', () => {
    const contract = readFileSync(require.resolve('locket-wasm/locket.proto'), 'utf8');
    assert.equal(contract, readFileSync(new URL('../../../proto/locket.proto', import.meta.url), 'utf8'));
  });

  test('the licence of every crate inside the modules is in the package, and each library in its list', () => {
    const text = readFileSync(new URL('THIRD-PARTY.txt', PACKAGE), 'utf8');
    const crates = cratesInside();
    assert.ok(crates.length > 10 && crates.some(({ name }) => name === 'tonic'));
    for (const { name, version, license } of crates) assert.ok(text.includes(`\n${name} ${version} (${license})\n`), name);
    assert.match(text, /Permission is hereby granted, free of charge/);
    const bundled = ['cli.js', 'node.js', 'web-core.js'].flatMap((file) => [...readFileSync(new URL(`dist/${file}`, PACKAGE), 'utf8').matchAll(/^\/\*! Contains ([\w-]+):/gm)].map(([, name]) => name));
    const { components } = JSON.parse(readFileSync(new URL('sbom.cdx.json', PACKAGE), 'utf8'));
    assert.deepEqual(components.map(({ name }) => name), [...crates.map(({ name }) => name), ...new Set(bundled.sort())]);
  });

  test('the version is that of Cargo.toml', () => {
    const cargo = readFileSync(new URL('../../../Cargo.toml', import.meta.url), 'utf8');
    assert.equal(manifest.version, cargo.match(/^version = "(.*)"$/m)[1]);
  });
});

describe('worker threads', () => {
  test('a worker has a server of its own', async () => {
    const script = `
      const { parentPort } = require('node:worker_threads');
      const { LocketServer } = require('locket-wasm');
      const server = new LocketServer({ seed: 7 });
      const lock = { key: 'bbs', owner: 'worker', ttl: '15s' };
      server.client().lock(lock).then(() => parentPort.postMessage(server.table()));
    `;
    const { LocketServer } = esm;
    const server = new LocketServer({ seed: 7 });
    const worker = new Worker(script, { eval: true });
    const [row] = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    await worker.terminate();

    assert.deepEqual(server.table(), []);
    await server.client().lock(lockOf('bbs', 'worker'));
    assert.deepEqual(server.table(), [row]);
  });
});

describe('values that cross the API', () => {
  test('results are plain data', async () => {
    const server = new esm.LocketServer();
    const client = server.client();
    await client.lock(lockOf('bbs', 'bbs-0'));
    const results = [await client.fetch('bbs'), await client.fetchAll({ kind: 'lock' }), server.table(), server.stats(), server.profile];
    for (const result of results) {
      assert.deepEqual(structuredClone(result), result);
      assert.deepEqual(JSON.parse(JSON.stringify(result)), result);
    }
  });
});
