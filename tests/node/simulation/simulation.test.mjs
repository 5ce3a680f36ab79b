// Simulations: steps, branches and links.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, test } from 'node:test';

import { LocketArgumentError, ScenarioError, Simulation, runScenario } from 'locket-wasm';
import { sweepSeeds } from 'locket-wasm/check';

const FOLDER = new URL('../../../sim/scenarios/', import.meta.url);
const DATA = new URL('../../../sim/tests/data/', import.meta.url);
const DIGESTS = JSON.parse(readFileSync(new URL('digests.json', FOLDER), 'utf8'));
const FAULTY = JSON.parse(readFileSync(new URL('faulty.json', DATA), 'utf8'));

const OPEN = {
  name: 'open',
  profile: 'upstream',
  until: '1m',
  network: { latency: '10ms' },
  clients: [
    { name: 'a', key: 'k', retryInterval: '5s' },
    { name: 'b', key: 'k', retryInterval: '5s', startAt: '1s' },
  ],
};

describe('stepping', () => {
  test('a simulation that is stepped to its end tells what a run tells', () => {
    for (const file of readdirSync(FOLDER).filter((name) => name in DIGESTS)) {
      const text = readFileSync(new URL(file, FOLDER), 'utf8');
      const sim = new Simulation(text);
      const events = [];
      for (let told = sim.step(); told.length > 0; told = sim.step()) events.push(...told);
      const run = runScenario(text);
      assert.deepEqual(events, run.events);
      // The native tests hold the same file to the rules themselves, and tests/browsers in Chromium and Firefox.
      assert.deepEqual([sim.digest(), run.digest], [DIGESTS[file], DIGESTS[file]]);
      assert.deepEqual(sim.failures(), run.failures);
      assert.deepEqual(sim.state().rows, run.table);
    }
  });

  test('5,000 random runs have the digest that they have natively', async () => {
    const { digest } = await sweepSeeds(FAULTY, { seeds: 5000 });
    assert.equal(digest, readFileSync(new URL('faulty.digest', DATA), 'utf8').trim());
  });

  test('a timeline is of the whole run, wherever the simulation is, or of the run so far', () => {
    const sim = new Simulation(OPEN);
    sim.runUntil('3s');
    const { digest, endMs, events } = sim.timeline();
    assert.deepEqual([digest, endMs, sim.nowMs], [runScenario(OPEN).digest, 60_000, 3_000]);
    const soFar = sim.timeline({ until: 'now' });
    assert.deepEqual([soFar.digest, soFar.endMs, soFar.events], [sim.digest(), 3_000, sim.trace()]);
    assert.ok(soFar.events.length < events.length);
    assert.throws(() => sim.timeline({ until: 'then' }), { field: 'options.until' });
  });

  test('a time, an event and a condition can be sought', () => {
    const sim = new Simulation(OPEN);
    sim.seek({ time: '20s' });
    assert.equal(sim.nowMs, 20_000);
    sim.seek({ event: 3 });
    assert.ok(sim.eventCount >= 3);
    sim.seek({ event: 0 });
    assert.deepEqual([sim.nowMs, sim.eventCount], [0, 0]);
    assert.equal(sim.runUntil((at) => at.state().nodes.some((node) => node.believes)), true);
    assert.equal(sim.state().nodes.find((node) => node.believes).name, 'a');
    assert.equal(sim.runUntil(() => false), false);
    assert.equal(sim.nowMs, 60_000);
    assert.equal(sim.runUntil('2m'), true);
    assert.equal(sim.nowMs, 120_000);
    assert.equal(sim.runUntil('1m'), false);
  });
});

describe('acting', () => {
  test('acting in the past starts a branch, and nothing is lost', () => {
    const sim = new Simulation(OPEN);
    sim.runUntil('1m');
    const [end, digest] = [sim.snapshot(), sim.digest()];
    sim.seek({ time: '7s' });
    sim.act({ do: 'crash', node: 'a' });
    assert.equal(sim.currentBranch, 1);
    sim.runUntil('1m');
    assert.notEqual(sim.digest(), digest);
    assert.equal(sim.state().rows[0].owner, 'b');
    assert.equal(sim.branches()[1].from.timeMs, 7000);
    sim.restore(end);
    assert.equal(sim.digest(), digest);
    sim.switchTo(1);
    assert.equal(sim.state().rows[0].owner, 'b');
    assert.equal(sim.branch(), 2);
  });
});

describe('invalid arguments', () => {
  test('invalid arguments are typed errors, and change nothing', () => {
    assert.throws(() => new Simulation('{'), ScenarioError);
    assert.throws(() => new Simulation({ name: 'x' }), ScenarioError);
    assert.throws(() => new Simulation(null), LocketArgumentError);
    const sim = new Simulation(OPEN);
    sim.runUntil('3s');
    const here = sim.snapshot();
    const mistakes = [
      () => sim.act({ do: 'crash', node: 'nobody' }),
      () => sim.act({ do: 'explode' }),
      () => sim.act('[['),
      () => sim.act(7),
      () => sim.seek({ time: -1 }),
      () => sim.seek({ event: 1.5 }),
      () => sim.seek({ time: Number.MAX_SAFE_INTEGER }),
      () => sim.runUntil('never'),
      () => sim.switchTo(9),
      () => sim.restore({ branch: 0, timeMs: 50_000, count: 0 }),
      () => sim.export('svg'),
      () => sim.trace(-1),
    ];
    for (const mistake of mistakes) assert.throws(mistake, LocketArgumentError, String(mistake));
    assert.throws(() => sim.act(7), { field: 'action' });
    assert.deepEqual(sim.snapshot(), here);
  });

  test('a closed simulation says so, and closing twice is fine', () => {
    const sim = new Simulation(OPEN);
    sim.close();
    sim.close();
    assert.throws(() => sim.step(), /closed/);
    assert.throws(() => sim.nowMs, /closed/);
  });
});
