// The public API changes only together with the reports of it in tests/types/api/.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { REPORTS, writeReports } from '../../types/api.mjs';

test('every entry exports what its report says (after an intended change: make api)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'locket-api-'));
  try {
    const names = await writeReports(folder);
    assert.deepEqual(readdirSync(REPORTS).sort(), names.sort());
    for (const name of names) {
      assert.equal(readFileSync(join(folder, name), 'utf8'), readFileSync(join(REPORTS, name), 'utf8'));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
