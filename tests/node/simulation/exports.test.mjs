// Exports of traces; their shape in detail is tested in sim/tests/runs/exports.rs.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Simulation, runScenario } from 'locket-wasm';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FIRST_LOOK = readFileSync(join(ROOT, 'sim/scenarios/first-look.json'), 'utf8');
const FAILING = {
  name: 'it "fails" `${0}` \\ \u2028 */ é',
  until: '20s',
  clients: [{ name: 'a', key: 'k', retryInterval: '5s' }],
  expect: [{ at: '9s', key: 'k', owner: "nobody '\u202e'" }, { event: 'starts' }],
};

/** A run in a format. */
function exported(scenario, format) {
  const sim = new Simulation(scenario);
  sim.seek({ timeMs: sim.endMs });
  return sim.export(format);
}

test('JSON lines are JSON, an event each and one for the run', () => {
  const run = runScenario(FIRST_LOOK);
  const lines = exported(FIRST_LOOK, 'json-lines').trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(lines.slice(0, -1).map(({ words }) => words), run.events.map(({ words }) => words));
  assert.equal(lines.at(-1).digest, run.digest);
});

test('the exported TypeScript tests type-check, run, and notice what is different', () => {
  const sim = new Simulation(FIRST_LOOK);
  sim.runUntil('12s');
  sim.act({ do: 'delete-row', key: 'bbs' });
  sim.runUntil('20s');
  const tests = {
    'plain.test.mts': exported(FIRST_LOOK, 'typescript-test'),
    'failing.test.mts': exported(FAILING, 'typescript-test'),
    'branch.test.mts': sim.export('typescript-test'),
  };
  // Inside the workspace, so that they import the package by its name.
  const folder = mkdtempSync(join(ROOT, 'target/exported-'));
  try {
    for (const [name, text] of Object.entries(tests)) writeFileSync(join(folder, name), text);
    const options = { module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'] };
    const config = { compilerOptions: { ...options, strict: true, outDir: 'out', types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] } };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], { stdio: 'pipe' });
    const run = () =>
      execFileSync(process.execPath, ['--test', '--test-reporter=tap', ...Object.keys(tests).map((name) => join(folder, 'out', name.replace('.mts', '.mjs')))], {
        encoding: 'utf8',
        // What the test runner hands to its own tests would be taken for theirs.
        env: { ...process.env, NODE_TEST_CONTEXT: undefined },
      });
    assert.match(run(), /# pass 3\n/);
    const plain = join(folder, 'out', 'plain.test.mjs');
    writeFileSync(plain, readFileSync(plain, 'utf8').replace('"15s"', '"14s"'));
    assert.throws(run);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
