// Random runs of two clients, five minutes and many faults, through the package. seeds.rs does the same natively.
//
//   node tests/bench/seeds.mjs    prints the figures of one run

import { readFileSync } from 'node:fs';

import { sweepSeeds } from 'locket-wasm/check';

import { line } from './figures.mjs';

const SEEDS = 10_000;
const FAULTY = JSON.parse(readFileSync(new URL('../../sim/tests/data/faulty.json', import.meta.url), 'utf8'));

await sweepSeeds(FAULTY, { seeds: 200 });
const begun = performance.now();
await sweepSeeds(FAULTY, { seeds: SEEDS });
console.log(line('seeds', SEEDS / ((performance.now() - begun) / 1000), 'runs/s'));
