// The commands of docs/do/many-machines.md for xargs.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';

import { blockWith, Folder } from './support.mjs';

let folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

test('xargs runs all shards, and they merge to the report of one machine', () => {
  const { status, stdout, stderr } = folder.sh(blockWith('| xargs'));
  assert.equal(status, 1, stderr);
  assert.match(stdout, /a pause of 12 s {2}400 seeds from 0 to 399\n/);
  assert.equal(folder.merged('shard-*.json'), folder.whole());
});
