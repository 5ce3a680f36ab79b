// The workflows for GitHub Actions and GitLab: by their published schemas, and with the commands that they run.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';

import { parse } from 'yaml';

import { Folder, recipe, ROOT, without } from './support.mjs';

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

const GITLAB = join(ROOT, '.tools/gitlab/node_modules/.bin/gitlab-ci-local');
const noGitlab = existsSync(GITLAB) ? without('rsync') : 'gitlab-ci-local is not installed; .ci/setup gitlab installs it';

describe('the pipeline for GitLab', { skip: noGitlab }, () => {
  beforeEach(() => {
    const { status, stderr } = folder.sh('git init --quiet . && git config user.name a && git config user.email a@example.org');
    assert.equal(status, 0, stderr);
  });

  const gitlab = (text, ...args) => {
    writeFileSync(folder.at('.gitlab-ci.yml'), text);
    folder.sh('git add .gitlab-ci.yml pause.json && git commit --quiet --allow-empty --message pipeline');
    return folder.run(GITLAB, ['--no-color', ...args]);
  };

  test('runs a job for each shard, and merges them to the report of one machine', () => {
    const keep = recipe('gitlab-ci.yml').replace('merge shard-*.json', 'merge shard-*.json --output "$MERGED"');
    const { stdout, stderr } = gitlab(`variables: { MERGED: ${folder.at('pipeline.json')} }\n${keep}`, '--force-shell-executor');
    assert.deepEqual(stdout.match(/PASS.*shard: \[\d\/4\]/g)?.length, 4, stdout + stderr);
    assert.equal(folder.read('pipeline.json'), folder.whole());
  });

  test('with a member of a wrong type would not be valid', () => {
    const { status } = gitlab(recipe('gitlab-ci.yml').replace('parallel: 4', 'parallel: four'), '--list');
    assert.notEqual(status, 0);
  });
});
