// Random runs of two clients, five minutes and many faults, through the package. seeds.rs does the same natively.
//
//   node tests/bench/seeds.mjs    prints the figures of one run

import { readFileSync } from 'node:fs';

import { Simulation, runScenario } from 'locket-wasm';
import { sweepSeeds } from 'locket-wasm/check';

import { line } from './figures.mjs';

const SEEDS = 10_000;
const TRACES = 1_000;
const FAULTY = JSON.parse(readFileSync(new URL('../../sim/tests/data/faulty.json', import.meta.url), 'utf8'));

await sweepSeeds(FAULTY, { seeds: 200 });
const begun = performance.now();
await sweepSeeds(FAULTY, { seeds: SEEDS });
console.log(line('seeds', SEEDS / ((performance.now() - begun) / 1000), 'runs/s'));
console.log(line('seeds-simulated', rate(TRACES, digest), 'runs/s'));
console.log(line('seeds-with-trace', rate(TRACES, (scenario) => runScenario(scenario).events.length), 'runs/s'));

/** A run step by step, of which only the digest crosses to JavaScript. */
function digest(scenario) {
  const sim = new Simulation(scenario);
  sim.runUntil(`${sim.endMs}ms`);
  const told = sim.digest();
  sim.close();
  return told;
}

function rate(count, run) {
  for (let seed = 0; seed < 200; seed += 1) run({ ...FAULTY, seed });
  const begun = performance.now();
  for (let seed = 0; seed < count; seed += 1) run({ ...FAULTY, seed });
  return count / ((performance.now() - begun) / 1000);
}
