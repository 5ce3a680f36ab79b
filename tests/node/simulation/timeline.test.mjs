// A branch over its whole time, as the package tells it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runScenario, Simulation } from 'locket-wasm';

const scenario = readFileSync(new URL('../../../sim/scenarios/first-attempt-has-no-deadline.json', import.meta.url), 'utf8');

test('a timeline tells the whole run, wherever the simulation is', () => {
  const sim = new Simulation(scenario);
  sim.runUntil('3s');
  const run = runScenario(scenario);
  const timeline = sim.timeline();
  assert.equal(timeline.digest, run.digest);
  assert.deepEqual(timeline.events, run.events);
  assert.equal(timeline.endMs, 28_000);
  assert.equal(sim.nowMs, 3_000);
});

test('a timeline until now tells the run so far', () => {
  const sim = new Simulation(scenario);
  sim.runUntil('3s');
  const timeline = sim.timeline({ until: 'now' });
  assert.deepEqual(timeline.events, sim.trace());
  assert.deepEqual([timeline.digest, timeline.endMs], [sim.digest(), 3_000]);
  assert.deepEqual(timeline.holders, [{ key: 'bbs', owner: 'bbs-0', fromMs: 1_000, toMs: 3_000 }]);
  assert.throws(() => sim.timeline({ until: 'then' }), { field: 'options.until' });
});

test('a timeline tells truth, belief and messages with names', () => {
  const sim = new Simulation(scenario);
  const { holders, beliefs, twoOwners, messages } = sim.timeline();
  assert.deepEqual(holders[0], { key: 'bbs', owner: 'bbs-0', fromMs: 1_000, toMs: 16_000 });
  assert.deepEqual(beliefs.map(({ client }) => client), ['bbs-0', 'bbs-1']);
  assert.deepEqual(twoOwners, [{ clients: ['bbs-1', 'bbs-0'], key: 'bbs', fromMs: 21_000, toMs: 26_000 }]);
  const slow = messages.find(({ arrivesMs }) => arrivesMs === 21_000);
  assert.deepEqual(slow, {
    from: 'locket-0', to: 'bbs-0', fate: 'arrives', sentMs: 1_000, arrivesMs: 21_000, cause: slow.cause, isAnswer: true,
  });
});

test('a state tells when each row goes by itself, and how long runners wait', () => {
  const sim = new Simulation(scenario);
  sim.seek({ time: '2s' });
  const { leases, nodes } = sim.state();
  assert.deepEqual(leases, [{ path: 'bbs', endsMs: 16_000 }]);
  const holder = nodes.find(({ name }) => name === 'bbs-0');
  assert.deepEqual([holder.ttlMs, holder.retryIntervalMs], [15_000, 5_000]);
});

test('a simulation gives its scenario back', () => {
  const sim = Simulation.fromLink(new Simulation(scenario).link());
  assert.deepEqual(JSON.parse(sim.scenario), JSON.parse(scenario));
});
