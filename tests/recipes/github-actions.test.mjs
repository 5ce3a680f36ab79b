// The workflow for GitHub Actions: by its published schema, and with the commands that it runs.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';

import { parse } from 'yaml';

import { Folder, recipe, ROOT } from './support.mjs';

let folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

describe('the workflow for GitHub Actions', () => {
  const validate = (text) => {
    writeFileSync(folder.at('sweep.yml'), text);
    return folder.run(join(ROOT, 'node_modules/.bin/action-validator'), ['sweep.yml']);
  };

  test('is valid', () => {
    const { status, stdout, stderr } = validate(recipe('github-actions.yml'));
    assert.equal(status, 0, stdout + stderr);
  });

  test('with an unknown member would not be valid', () => {
    assert.notEqual(validate(recipe('github-actions.yml').replace('needs: shard', 'requires: shard')).status, 0);
  });

  test('runs commands that merge to the report of one machine', () => {
    const { shard: job, merge } = parse(recipe('github-actions.yml')).jobs;
    const commandOf = ({ steps }) => steps.find(({ run }) => run !== undefined).run;
    for (const shard of job.strategy.matrix.shard) {
      const { status, stderr } = folder.sh(commandOf(job).replaceAll('${{ matrix.shard }}', shard));
      assert.equal(status, 0, stderr);
    }
    assert.match(folder.sh(commandOf(merge)).stdout, /400 seeds from 0 to 399\n/);
    assert.equal(folder.merged('shard-*.json'), folder.whole());
  });
});
