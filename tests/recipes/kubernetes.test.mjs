// The Indexed Job: by the published schema, and its command for each index as Kubernetes calls it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';

import { parseAllDocuments } from 'yaml';

import { Folder, recipe, ROOT } from './support.mjs';

const models = createRequire(import.meta.url);
const { Job } = models('kubernetes-models/batch/v1');
const { PersistentVolumeClaim } = models('kubernetes-models/v1');
const KINDS = { Job, PersistentVolumeClaim };

const documents = (text) => parseAllDocuments(text).map((document) => document.toJS());
const manifests = () => [...documents(recipe('kubernetes.yaml')), ...documents(readFileSync(join(ROOT, 'recipes/kubernetes-merge.yaml'), 'utf8'))];
const jobNamed = (name) => manifests().find(({ kind, metadata }) => kind === 'Job' && metadata.name === name);

describe('the Kubernetes manifests', () => {
  test('are valid', () => {
    for (const { apiVersion: _, kind, ...rest } of manifests()) new KINDS[kind](rest).validate();
  });

  test('with a member of a wrong type would not be valid', () => {
    const job = jobNamed('sweep');
    job.spec.completions = 'eight';
    assert.throws(() => new Job(job).validate(), /completions must be integer/);
  });

  test('have as many indexes as shards', () => {
    const { spec } = jobNamed('sweep');
    const { env } = spec.template.spec.containers[0];
    assert.deepEqual(env, [{ name: 'SHARDS', value: String(spec.completions) }]);
  });

  test('mount only volumes that are there', () => {
    for (const { spec } of manifests().filter(({ kind }) => kind === 'Job')) {
      const { containers, volumes } = spec.template.spec;
      assert.deepEqual(containers.flatMap(({ volumeMounts }) => volumeMounts.map(({ name }) => name)), volumes.map(({ name }) => name));
    }
  });
});

describe('the containers', () => {
  let folder;
  beforeEach(() => (folder = new Folder()));
  afterEach(() => folder.remove());

  /** Runs the command of a container as its kubelet does, with the mounts in the folder. */
  function runContainer(name, env = {}) {
    const [{ command, args, env: own = [] }] = jobNamed(name).spec.template.spec.containers;
    const words = [...command, ...args].map((word) => word.replaceAll('/reports/', './').replaceAll('/input/', './'));
    return folder.run(words[0], words.slice(1), { env: { ...Object.fromEntries(own.map((it) => [it.name, it.value])), ...env } });
  }

  test('write a shard each, one of them twice, which merge to the report of one machine', () => {
    const { completions } = jobNamed('sweep').spec;
    for (const index of [...Array(completions).keys(), 3]) {
      const { status, stderr } = runContainer('sweep', { JOB_COMPLETION_INDEX: String(index) });
      assert.equal(status, 0, stderr);
    }
    const { status, stdout } = runContainer('sweep-merge');
    assert.equal(status, 1);
    assert.match(stdout, /400 seeds from 0 to 399\n/);
    assert.equal(folder.merged('shard-*.json'), folder.whole());
  });
});
