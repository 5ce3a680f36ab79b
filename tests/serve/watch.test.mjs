// `watch` as a process of its own, against a Locket on a port.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, test } from 'node:test';

import { diagnose } from 'locket-wasm/diagnose';
import { serve } from 'locket-wasm/serve';

import { CLI } from '../node/support/command-line.mjs';
import { at } from '../node/support/folder.mjs';
import { runCli } from './support/serve-process.mjs';

let locket, child;
beforeEach(async () => {
  locket = await serve({ port: 0, clock: 'virtual', profile: 'upstream', closeTimeout: '100ms' });
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await locket.close();
});

const lock = (key, owner) => locket.server.client().lock({ key, owner, value: '{}', typeCode: 1, ttl: '15s' });

/** Starts a command that ends when it is told to; `line()` is its next line, `end()` its exit code. */
function start(...args) {
  child = spawn(process.execPath, [CLI, ...args, '--url', new URL(locket.url).host, '--interval', '20ms']);
  const lines = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]();
  let rest = '';
  const line = async () => {
    while (!rest.includes('\n')) rest += (await lines.next()).value;
    const [first, ...others] = rest.split('\n');
    rest = others.join('\n');
    return first;
  };
  const end = async (signal) => {
    const closed = once(child, 'close');
    child.kill(signal);
    return (await closed)[0];
  };
  return { line, end };
}

const withoutTime = (line) => line.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z {2}/, '');

test('changes are printed as lines, until a signal ends it', async () => {
  await lock('bbs', 'bbs-0');
  const { line, end } = start('watch');
  assert.equal(withoutTime(await line()), 'held     lock      bbs  bbs-0');
  await lock('auctioneer', 'a');
  assert.equal(withoutTime(await line()), 'added    lock      auctioneer  a');
  locket.server.putRow({ path: 'bbs', owner: 'bbs-1', type: 'lock', ttl: 15 });
  assert.equal(withoutTime(await line()), 'changed  lock      bbs  bbs-0 -> bbs-1');
  locket.server.deleteRow('bbs');
  assert.equal(withoutTime(await line()), 'removed  lock      bbs  bbs-1');
  assert.equal(await end('SIGINT'), 0);
});

test('or as JSON, with the members of cfdot', async () => {
  const { line, end } = start('watch', '--json');
  const first = JSON.parse(await line());
  assert.deepEqual([first.type, first.resources, Date.parse(first.time) > 0], ['snapshot', [], true]);
  await lock('bbs', 'bbs-0');
  const { type, resource } = JSON.parse(await line());
  assert.deepEqual([type, resource], ['added', { key: 'bbs', owner: 'bbs-0', value: '{}', type: 'lock', type_code: 1 }]);
  assert.equal(await end('SIGTERM'), 0);
});

test('or as a table of all that there is', async () => {
  await lock('bbs', 'bbs-0');
  const { line, end } = start('watch', '--table');
  const lines = [await line(), await line(), await line()];
  assert.deepEqual(lines.slice(1), ['type  key  owner  value', 'lock  bbs  bbs-0  {}']);
  assert.equal(await end('SIGINT'), 0);
});

test('an error is printed once, and the watch goes on', async () => {
  const { line, end } = start('watch', '--json');
  await line();
  locket.server.stop();
  assert.equal(JSON.parse(await line()).type, 'error');
  locket.server.start();
  await lock('bbs', 'bbs-0');
  assert.equal(JSON.parse(await line()).type, 'added');
  assert.equal(await end('SIGINT'), 0);
});

test('a record has lines like those of a log, and more are added to it', async () => {
  const file = at('locks.log');
  for (const [owner, type] of [['bbs-0', 'snapshot'], ['bbs-1', 'snapshot']]) {
    locket.server.putRow({ path: 'bbs', owner, type: 'lock', ttl: 15 });
    const { code, stdout } = await runCli('watch', '--url', locket.url, '-o', file, '--for', '2s');
    assert.deepEqual([code, stdout], [0, '']);
    const { timestamp, level, source, message, data } = JSON.parse(readFileSync(file, 'utf8').trim().split('\n').at(-2));
    assert.deepEqual([level, source, message, data.resources[0].owner], ['info', 'locket-wasm', `locket-wasm.watch.${type}`, owner]);
    assert.ok(Date.parse(timestamp) > 0);
  }
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const { level, message } = JSON.parse(lines.at(-1));
  assert.deepEqual([lines.length, level, message], [4, 'info', 'locket-wasm.watch.ended']);
});

test('diagnose reads a record: whose the row was, and between which looks that changed', async () => {
  const file = at('changes.log');
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0);
  const recorded = async (count) => {
    while (lines() < count) await new Promise((resolve) => setTimeout(resolve, 20));
    return Date.now();
  };
  const put = (owner) => locket.server.putRow({ path: 'bbs', owner, type: 'lock', ttl: 15 });
  put('bbs-0');
  const { end } = start('watch', '-o', file);
  const changes = [await recorded(1)];
  const steps = [() => put('bbs-1'), () => locket.server.deleteRow('bbs'), () => put('bbs-0')];
  for (const step of steps) {
    step();
    changes.push(await recorded(changes.length + 1));
  }
  assert.equal(await end('SIGINT'), 0);
  const { keys } = await diagnose([{ name: file, data: readFileSync(file) }]);
  const { parts } = keys[0].lanes[0];
  assert.deepEqual(parts.map(({ owner, end: how }) => [owner, how]), [['bbs-0', 'unseen'], ['bbs-1', 'gone'], ['bbs-0', 'open']]);
  const [first, second, third] = parts;
  for (const [moment, index] of [[first.to, 1], [second.from, 1], [second.to, 2], [third.from, 3]]) {
    assert.ok(moment.earliestMs >= changes[index - 1] - 1_000 && moment.earliestMs < moment.latestMs && moment.latestMs <= changes[index], JSON.stringify({ moment, index, changes }));
  }
});

test('a Locket that cannot be read once is exit code 1', async () => {
  const { code, stderr } = await runCli('watch', '--url', '127.0.0.1:1', '--for', '1s');
  assert.deepEqual([code, /no poll succeeded: .*ECONNREFUSED/.test(stderr)], [1, true]);
});
