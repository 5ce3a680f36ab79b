// The views of a simulation are as their JSON Schemas say, and so as the TypeScript types that are made of these.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { runScenario, Simulation } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';

import { shapes } from '../support/shapes.mjs';

const { accept } = shapes('simulation');
const STORIES = ['holder-paused-longer-than-its-ttl', 'all-locket-processes-are-down', 'one-lost-renewal-today', 'first-attempt-has-no-deadline'];

for (const story of STORIES) {
  test(`states and timeline of ${story}`, () => {
    const sim = new Simulation(stories[story]);
    while (sim.step().length > 0) accept('SimulationState', sim.state());
    const { events, ...timeline } = sim.timeline();
    assert.deepEqual(events, sim.trace());
    accept('SimulationTimeline', timeline);
    for (const belief of timeline.beliefs) accept('SimulationSpan', { fromMs: belief.fromMs, toMs: belief.toMs });
    sim.close();
  });
}

test('a long run has each of its events once, in order', () => {
  const run = runScenario({ name: 'long', until: '1h', clients: [{ name: 'a', key: 'k', ttl: '15s', retryInterval: '1s' }] });
  assert.ok(run.events.length > 3_000);
  assert.deepEqual(run.events.map(({ id }) => id), run.events.map((_, index) => index));
});

test('branches', () => {
  const sim = new Simulation(stories['first-look']);
  sim.runUntil('7s');
  sim.branch();
  const branches = sim.branches();
  assert.equal(branches.length, 2);
  for (const branch of branches) accept('SimulationBranch', branch);
  accept('SimulationPlace', sim.snapshot());
  sim.close();
});
