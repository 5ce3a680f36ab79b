// The work that a manifest takes: it follows the size of the text, not what aliases make of it.

import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { after, test } from 'node:test';

import { build } from 'esbuild';

const ROOT = new URL('../../../', import.meta.url);
const FOLDER = new URL(`target/manifest-work-${process.pid}/`, ROOT);
mkdirSync(FOLDER, { recursive: true });
after(() => rmSync(FOLDER, { recursive: true }));

/** The reader of manifests, with a counter of the nodes that it looks at. */
const { manifestJobs, looks } = await counting();

async function counting() {
  const path = (name) => new URL(name, ROOT).pathname;
  const counted = `
    export * from ${JSON.stringify(path('node_modules/yaml/browser/dist/index.js'))};
    import * as yaml from ${JSON.stringify(path('node_modules/yaml/browser/dist/index.js'))};
    export const looks = { count: 0 };
    export const isScalar = (node) => { looks.count += 1; return yaml.isScalar(node); };`;
  const entry = `export { manifestJobs } from './cli/manifest.ts'; export { looks } from 'yaml';`;
  const countsLooks = {
    name: 'counts-looks',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^yaml$/ }, () => ({ path: 'yaml', namespace: 'counted' }));
      onLoad({ filter: /./, namespace: 'counted' }, () => ({ contents: counted, resolveDir: path('.') }));
      onResolve({ filter: /^locket-wasm(?:\/|$)/ }, ({ path: entry }) => ({ path: entry, external: true }));
    },
  };
  const outfile = new URL('reader.mjs', FOLDER).pathname;
  await build({ stdin: { contents: entry, resolveDir: path('.') }, bundle: true, external: ['commander'], format: 'esm', platform: 'node', plugins: [countsLooks], outfile });
  return import(outfile);
}

/** A manifest with a map of 3,000 keys, and jobs that have it as their properties. */
function sharing(jobs, properties) {
  const keys = Array.from({ length: 3_000 }, (_, index) => `  k${index}: ${index}\n`).join('');
  return `shared: &shared\n${keys}instance_groups:\n- name: g\n  jobs:\n${`  - {name: rep, properties: ${properties}}\n`.repeat(jobs)}`;
}

function looksFor(text) {
  const before = looks.count;
  manifestJobs('cf.yml', text, { variables: new Map() });
  return looks.count - before;
}

for (const properties of ['*shared', '{<<: *shared}']) {
  test(`very many jobs with ${properties} read the shared map once`, () => {
    const [few, many] = [looksFor(sharing(100, properties)), looksFor(sharing(1_100, properties))];
    // The names of properties are looked for in at most 50,000 nodes; 100 jobs have more.
    assert.ok(many - few <= 1_000 * 10, `${many - few} more looks for 1,000 more jobs`);
  });
}
