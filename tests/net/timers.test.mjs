// Deadlines and promises under the fake timers of test runners, which are sinon's, faked before or after the package is loaded; each
// case in a process of its own, since both are global.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

const LOCK = "{ key: 'k', owner: 'o', ttl: '15s' }";
// Node's own fetch and bodies stand still with queueMicrotask, so this Response is none of Node's.
const ANSWER = `
  const body = Uint8Array.of(0, 0, 0, 0, 0, 0x80, 0, 0, 0, 14, ...Buffer.from('grpc-status: 0'));
  const headers = new Headers({ 'content-type': 'application/grpc-web' });
  const answer = async () => ({ status: 200, headers, body: null, arrayBuffer: async () => body.buffer });
  `;
// For both runners: their fakes, in the usual set and with what freezes most.
const deadlines = (fakes, load, advance) => `
  test('deadlines', async () => {
    ${fakes}
    const { LocketClient } = ${load};
    ${ANSWER}
    await new LocketClient({ baseUrl: 'http://a.test', fetch: answer }).lock(${LOCK});
    const fetch = () => new Promise(() => {});
    const late = new LocketClient({ baseUrl: 'http://a.test', fetch, timeout: '50ms' }).lock(${LOCK});
    await expect(late).rejects.toMatchObject({ codeName: 'DeadlineExceeded' });
    const ambient = new LocketClient({ baseUrl: 'http://a.test', fetch, timeout: '60s', clock: 'ambient' });
    const call = expect(ambient.lock(${LOCK})).rejects.toMatchObject({ codeName: 'DeadlineExceeded' });
    await ${advance};
    await call;
  });`;

const RUNNERS = `
  test('renewals', async () => {
    vi.useFakeTimers();
    const { LocketClient, LocketServer } = await import('locket-wasm');
    const server = new LocketServer({ clock: 'ambient' });
    const clientOf = (clock) => new LocketClient({ baseUrl: 'http://a.test', fetch: server.fetch, clock });
    const ambient = await clientOf('ambient').acquire({ key: 'a', owner: 'o' });
    const real = await clientOf('real').acquire({ key: 'b', owner: 'o', ttl: '3600s' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ambient.held).toBe(true);
    expect(server.table().map((row) => [row.path, row.modified_index > 1])).toEqual([['a', true], ['b', false]]);
    await Promise.all([ambient.release(), real.release()]);
    expect(vi.getTimerCount()).toBe(0);
  });`;

test('vitest: real deadlines pass and real runners wait, ambient ones obey, whatever is faked', { timeout: 120_000 }, async () => {
  const load = "await import('locket-wasm')";
  const advance = 'vi.advanceTimersByTimeAsync(60_000)';
  const most = "{ toFake: ['setTimeout', 'clearTimeout', 'queueMicrotask', 'Date', 'performance'] }";
  const blocks = [deadlines('vi.useFakeTimers();', load, advance), deadlines(`vi.useFakeTimers(${most});`, load, advance), RUNNERS];
  const spec = `import { expect, test, vi } from 'vitest'; ${blocks.join('')}`;
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', '--root'];
  assert.equal(await passed('deadlines.test.mjs', spec, args), 3);
});

test('jest: real deadlines pass, ambient ones obey, faked before or after loading', { timeout: 120_000 }, async () => {
  // Jest's fakes include queueMicrotask and nextTick.
  const load = "require('locket-wasm')";
  const advance = 'jest.advanceTimersByTimeAsync(60_000)';
  const blocks = [
    deadlines('jest.useFakeTimers();', load, advance),
    deadlines('jest.useRealTimers(); jest.resetModules();', `(${load}, jest.useFakeTimers(), ${load})`, advance),
  ];
  const config = JSON.stringify({ testEnvironment: 'node', transform: {} });
  const args = ['node_modules/jest/bin/jest.js', '--config', config, '--json', '--rootDir'];
  assert.equal(await passed('deadlines.test.cjs', `${blocks.join('')}`, args), 2);
});

/** How many tests of this file a runner says to have passed; its arguments end in its directory. */
async function passed(file, spec, args) {
  const directory = mkdtempSync(join(ROOT, 'target', 'runner-'));
  try {
    writeFileSync(join(directory, file), spec);
    const { stdout } = await run(process.execPath, [join(ROOT, args[0]), ...args.slice(1), directory], { cwd: directory, timeout: 100_000 });
    return JSON.parse(stdout).numPassedTests;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
