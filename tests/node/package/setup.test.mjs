// The set-up of a machine, `.ci/setup`.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SETUP = fileURLToPath(new URL('../../../.ci/setup', import.meta.url));

test('a program that is missing is missed, also if a part of the set-up has its name', () => {
  const programs = mkdtempSync(join(tmpdir(), 'locket-setup-'));
  try {
    for (const program of ['bash', 'dirname', 'mkdir']) {
      symlinkSync(execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim(), join(programs, program));
    }
    const { status, stderr } = spawnSync('bash', [SETUP, 'firefox'], { env: { PATH: programs }, encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /^setup: Firefox could not be installed\n +install Firefox/m);
  } finally {
    rmSync(programs, { recursive: true });
  }
});
