// The packed tarball in projects of its own, as far as they need nothing but Node; `make test-package` tries the others.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rmSync } from 'node:fs';

import { BUNDLE_ROWS } from './bundle-rows.mjs';
import { NODE_ROWS } from './node-rows.mjs';
import { EXPECTED, createProject, pack } from './project.mjs';

const packed = pack('consumers-node');
after(() => rmSync(packed.folder, { recursive: true }));

for (const row of [...NODE_ROWS, ...BUNDLE_ROWS]) {
  test(`${row.name}: the installed tarball works`, async () => {
    const output = await row.run(createProject(packed, row));
    assert.ok(output.includes(EXPECTED), output);
  });
}
