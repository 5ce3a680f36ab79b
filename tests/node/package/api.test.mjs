// The public API changes only together with the reports of it in tests/types/api/.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { REPORTS, exportedNames, writeReports } from '../../types/api.mjs';

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

// A name more is a name to learn. What programs seldom name belongs to `locket-wasm/types`.
const MOST_NAMES = { 'client-node': 25 };
const MOST_NAMES_ELSEWHERE = 40;

// No program writes the names of inferred types.
for (const report of readdirSync(REPORTS).filter((name) => !['inferred.api.md', 'types.api.md'].includes(name))) {
  const entry = report.replace('.api.md', '');
  const most = MOST_NAMES[entry] ?? MOST_NAMES_ELSEWHERE;
  test(`the entry ${entry} exports at most ${most} names`, () => {
    const names = exportedNames(report);
    assert.ok(names.length > 0 && names.length <= most, `${names.length} names: ${names.join(', ')}`);
  });
}

test('no declaration shows what only this package calls', () => {
  const reports = readdirSync(REPORTS).map((name) => readFileSync(join(REPORTS, name), 'utf8'));
  assert.deepEqual(reports.flatMap((text) => text.match(/^.*(?:\bprotected\b|\[INSPECT\]).*$/gm) ?? []), []);
});

test('every type of the main entry, of client and of check is in the entry types, too', () => {
  const types = new Set(exportedNames('types.api.md'));
  for (const entry of ['node', 'client-node', 'check-node']) {
    const text = readFileSync(join(REPORTS, `${entry}.api.md`), 'utf8');
    const shapes = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
    assert.ok(shapes.length > 5);
    assert.deepEqual(shapes.filter((name) => !types.has(name)), [], entry);
  }
});
