// The set-up of a machine, `.ci/setup`.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { at, folder } from '../support/folder.mjs';

const SETUP = fileURLToPath(new URL('../../../.ci/setup', import.meta.url));

test('a program that is missing is missed, also if a part of the set-up has its name', () => {
  for (const program of ['bash', 'dirname', 'mkdir']) {
    symlinkSync(execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim(), at(program));
  }
  const { status, stderr } = spawnSync('bash', [SETUP, 'firefox'], { env: { PATH: folder }, encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^setup: Firefox could not be installed\n +install Firefox/m);
});
