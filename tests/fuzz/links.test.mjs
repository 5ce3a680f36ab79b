// Links as the package writes them, and then changed; sim/tests/fuzz/links.rs has those of the rules.

import assert from 'node:assert/strict';

import fc from 'fast-check';
import { Simulation } from 'locket-wasm';

import { SCENARIO } from './good.mjs';
import { assertWorks, taken } from './oracle.mjs';
import { fuzz } from './round.mjs';
import { near } from './values.mjs';

const STEPS = { maxSteps: 2_000 };
const STORIES = { x: JSON.stringify(SCENARIO) };
const short = fc.tuple(near({ do: 'crash', node: 'a' }), fc.boolean(), fc.option(fc.tuple(fc.nat(), fc.string({ maxLength: 2 })), { freq: 2 })).map(
  ([act, isStory, slip]) => {
    const simulation = new Simulation(SCENARIO, STEPS);
    try {
      simulation.seek({ timeMs: 4_000 });
      simulation.act(act);
    } catch {
      // What is refused is not in the link.
    }
    const link = simulation.link(isStory ? { stories: STORIES } : {});
    const at = slip === null ? 0 : slip[0] % link.length;
    return slip === null ? link : link.slice(0, at) + slip[1] + link.slice(at + 1);
  },
);

fuzz('links', 60, short, async (link) => {
  await taken(() => {
    const simulation = Simulation.fromLink(link, { ...STEPS, stories: STORIES });
    const again = Simulation.fromLink(simulation.link(), STEPS);
    assert.deepEqual([again.digest(), again.nowMs, again.isFaithful], [simulation.digest(), simulation.nowMs, true]);
  });
  await assertWorks();
});
