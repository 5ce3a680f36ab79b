// Every regular expression of the package takes time in proportion to its text. One that backtracks lets a server, a
// file or an argument stop the event loop for minutes, and every timer with it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import { transformSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
// The parser that webpack reads JavaScript with.
const { parse } = createRequire(createRequire(import.meta.url).resolve('webpack'))('acorn');

/** A linear expression is through all texts in a second; a single text of 100 kB takes a quadratic one a minute. */
const LIMIT_MS = 30_000;

test('no regular expression of the package backtracks', { timeout: 1_200_000 }, async () => {
  const expressions = ['src/js', 'src/transport/fetch'].flatMap(sourcesIn).flatMap(expressionsIn);
  assert.ok(expressions.length > 30, `found only ${expressions.length}`);
  assert.deepEqual(await slowOnes(expressions, LIMIT_MS), []);
});

test('a regular expression that backtracks is found', { timeout: 1_200_000 }, async () => {
  const places = [/^(?:[A-Za-z0-9+/]+={0,2})*$/, /\/+$/, /\s*\n\s*/g].map(({ source, flags }) => ({ source, flags, place: source }));
  assert.deepEqual(await slowOnes(places, LIMIT_MS / 10), places.map(({ place }) => place));
});

function sourcesIn(folder) {
  const names = readdirSync(join(ROOT, folder), { recursive: true });
  return names.filter((name) => /\.(?:js|ts)$/.test(name) && !name.endsWith('.d.ts')).map((name) => join(folder, name));
}

/** The expressions of a file. They have to be literals: one that is put together cannot be seen here. */
function expressionsIn(file) {
  const { code } = transformSync(readFileSync(join(ROOT, file), 'utf8'), { loader: 'ts', target: 'esnext' });
  const found = [];
  const onToken = ({ type, value }) => {
    if (type.label === 'regexp') found.push({ source: value.pattern, flags: value.flags, place: `${file}: /${value.pattern}/` });
    assert.ok(type.label !== 'name' || value !== 'RegExp', `${file} puts a regular expression together; write a literal`);
  };
  parse(code, { ecmaVersion: 'latest', sourceType: 'module', onToken });
  return found;
}

/** Which of them do not get through their texts within the limit. */
async function slowOnes(expressions, limitMs) {
  const slow = [];
  let worker;
  for (const { place, ...expression } of expressions) {
    worker ??= new Worker(new URL('regular-expressions.worker.mjs', import.meta.url));
    worker.postMessage(expression);
    try {
      await once(worker, 'message', { signal: AbortSignal.timeout(limitMs) });
    } catch (error) {
      if (error.name !== 'AbortError') throw error;
      slow.push(place);
      await worker.terminate();
      worker = undefined;
    }
  }
  await worker?.terminate();
  return slow;
}
