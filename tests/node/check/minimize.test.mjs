// Minimizing: what of a failing run's chance is needed for it to fail, from programs and on the command line.
// sim/tests/runs/minimize.rs asserts that nothing more can be left out.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';

import { LocketArgumentError, runScenario, ScenarioError, Simulation } from 'locket-wasm';
import { minimize, sweepSeeds } from 'locket-wasm/check';

import { cli } from '../support/command-line.mjs';
import { at, file } from '../support/folder.mjs';
import { assertWrongArgument, failureOf } from '../support/helpers.mjs';

const client = { key: 'k', ttl: '15s', retryInterval: '5s', runner: 'upstream-before-2025-10' };

/** Before October 2025 one lost renewal gave two owners; everything else that happens here is harmless. */
const PLANTED = {
  name: 'planted',
  profile: 'upstream',
  random: true,
  until: '2m',
  network: { latency: { min: '10ms', max: '200ms', step: '10ms' }, loss: '4%', duplicates: '2%' },
  clients: [
    { name: 'a', ...client },
    { name: 'b', ...client, startAt: '1s' },
  ],
  expect: [{ noEvent: 'nobody ever says this' }, { key: 'k', twoOwnersFor: '0s' }],
};

const { failed } = await sweepSeeds(PLANTED, { seeds: 200 });
const [{ seed }] = failed;

describe('minimizing', () => {
  test('leaves the one loss that matters, as words, a scenario that fails in the same way, and a link to its end', async () => {
    const { scenario, overrides, story, expectation, failure, decisions, isComplete, link } = await minimize(PLANTED, { seed });
    assert.equal(Object.keys(overrides).length, 1);
    assert.match(story.join('\n'), /^\d+\.\d{3} s: message \d+ from \S+ to \S+ is lost$/);
    assert.equal(expectation, 1);
    assert.ok(decisions > 1 && isComplete);
    const run = runScenario(scenario);
    assert.deepEqual(run.failures, [failure]);
    const { random, seed: kept, overrides: written } = JSON.parse(scenario);
    assert.deepEqual([random, kept, written], [undefined, seed, overrides]);
    const simulation = Simulation.fromLink(link);
    assert.deepEqual([simulation.nowMs, simulation.digest(), simulation.failures()], [120_000, run.digest, run.failures]);
    simulation.close();
  });

  test('refuses what makes no sense', async () => {
    await assertWrongArgument('seed', () => minimize(PLANTED, { seed: -1 }));
    assert.ok((await failureOf(minimize('{}'))) instanceof ScenarioError);
    const fine = await failureOf(minimize({ ...PLANTED, random: false, overrides: {} }));
    assert.ok(fine instanceof LocketArgumentError);
    assert.match(fine.message, /^scenario: every expectation holds/);
  });
});

describe('locket-wasm run --minimize', () => {
  const planted = file('planted.json', PLANTED);

  test('tells what is needed, and writes a scenario that run finds to fail', async () => {
    const output = at('smallest.json');
    const { status, stdout, stderr } = cli(['run', planted, '--minimize', '--seed', String(seed), '--output', output]);
    assert.deepEqual([status, stderr], [0, '']);
    const { scenario, failure, story, link } = await minimize(PLANTED, { seed });
    assert.ok(stdout.startsWith(`✗ ${failure}\n1 of `), stdout);
    assert.ok(stdout.endsWith(`  ${story[0]}\nlocket-wasm run ${link}\n`), stdout);
    assert.equal(readFileSync(output, 'utf8'), `${scenario}\n`);
    assert.equal(cli(['run', output]).status, 1);
  });

  test('ends with exit code 5 if more could be left out', () => {
    const { status, stdout } = cli(['run', planted, '--minimize', '--seed', String(seed), '--max-runs', '1', '--json']);
    assert.deepEqual([status, JSON.parse(stdout).isComplete], [5, false]);
  });

  test('says that a run fails without chance, too, and ends with exit code 0', () => {
    const scenario = { ...PLANTED, until: '5s', expect: [{ noEvent: 'b starts' }, { event: 'nobody ever says this' }] };
    const { status, stdout } = cli(['run', '-', '--minimize'], JSON.stringify(scenario));
    assert.equal(status, 0);
    assert.match(stdout, /\nnone of \d+ random choices is needed: the run fails without randomness\n/);
  });
});
