// A service as a user writes it, with its tests, in each runner: they pass, and fail once it has a bug.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';

import { createProject, pack } from './project.mjs';
import { MODULES } from './tool-rows.mjs';

const packed = pack('consumers-service');
after(() => rmSync(packed.folder, { recursive: true }));

const FOLDER = new URL('service/', import.meta.url);
const SUPPORT = ['../../serve/support/certificates.mjs', '../../net/support/listen.mjs', '../../net/support/raw-http2.mjs'];
const files = Object.fromEntries([...readdirSync(FOLDER), ...SUPPORT].map((file) => [basename(file), readFileSync(new URL(file, FOLDER), 'utf8')]));
files['jest.config.cjs'] = "module.exports = { transform: {}, testMatch: ['**/jest.test.mjs'], moduleFileExtensions: ['mjs', 'js'], testTimeout: 30_000 };\n";
const cwd = createProject(packed, { name: 'service', files });

for (const [name, ...args] of [
  ['node:test', '--test', 'node.test.mjs'],
  ['vitest', join(MODULES, 'vitest/vitest.mjs'), 'run', '--root', cwd, '--testTimeout=30000', 'vitest.test.mjs'],
  ['jest', '--experimental-vm-modules', join(MODULES, 'jest/bin/jest.js')],
]) {
  const run = (bug) => {
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined, SERVICE_BUG: bug };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env, timeout: 120_000 });
    return { status, said: stripVTControlCharacters(stdout + stderr) };
  };

  test(`${name}: the tests of a service pass`, () => {
    const { status, said } = run();
    assert.equal(status, 0, said);
  });

  test(`${name}: they fail if its work goes on after the loss, with a trace of both`, () => {
    const { status, said } = run('works-on');
    assert.equal(status, 1, said);
    assert.match(said, /a works at 80 s, while b since 75 s in 'leading'/);
    assert.match(said, /row 'leader' of 'a' is deleted[^]*b +▶ leading[^]*a +● works/);
    assert.match(said, /locket-0 +stops[^]*a +◀ leading[^]*a +● works/);
    assert.match(said, /One fault is enough:[^]*a +◀ leading[^]*a +● works[^]*LOCKET_FAULTS='\S+' repeats this run alone/);
  });

  test(`${name}: they fail if it reads its certificates once`, () => {
    const { status, said } = run('reads-once');
    assert.equal(status, 1, said);
    assert.match(said, /the lead was lost after the certificate change/);
  });
}
