// The public API changes only together with the report of it in tests/types/api.md.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { REPORT, apiReport, exportedNames, exportedTypes } from '../../types/api.mjs';

test('the package exports what the report says (after an intended change: make api)', () => {
  assert.equal(apiReport(), readFileSync(REPORT, 'utf8'));
});

// A name more is a name to learn. What programs seldom name belongs to `locket-wasm/types`, and nobody writes those of inferred types.
const MOST_NAMES = { client: 25, inferred: Infinity, types: Infinity };
const MOST_NAMES_ELSEWHERE = 40;

for (const [entry, names] of Object.entries(exportedNames())) {
  const most = MOST_NAMES[entry] ?? MOST_NAMES_ELSEWHERE;
  test(`the entry ${entry} exports at most ${most} names`, () => {
    assert.ok(names.length > 0 && names.length <= most, `${names.length} names: ${names.join(', ')}`);
  });
}

test('no declaration shows what only this package calls', () => {
  assert.deepEqual(readFileSync(REPORT, 'utf8').match(/^.*(?:\bprotected\b|\[INSPECT\]).*$/gm), null);
});

test('every type of the main entry, of client and of check is in the entry types, too', () => {
  const types = new Set(exportedTypes('types'));
  for (const entry of ['node', 'client', 'check']) {
    const shapes = exportedTypes(entry);
    assert.ok(shapes.length > 5);
    assert.deepEqual(shapes.filter((name) => !types.has(name)), [], entry);
  }
});
