// A simulated day of 1,000 presences and two clients that want one lock, through the package. day.rs does the same
// natively.
//
//   node tests/bench/day.mjs    prints the figures of one run

import { line } from './figures.mjs';
import { memoryOfPackage } from './memory.mjs';

const PRESENCES = 1_000;
/** More than they take. */
const STEPS_MAX = 1_000_000_000;

const memory = await memoryOfPackage();
const { runScenario } = await import('locket-wasm');

// The second run finds the memory as the first one left it.
run(1);
run(1);
const afterAnHour = memory();
const begun = performance.now();
const { digest } = run(24);
console.log(line('day', (performance.now() - begun) / 1000, 's'));
console.log(`digest of the day: ${digest}`);
console.log(line('day-memory', memory() / 1024, 'KiB'));
console.log(line('day-memory-growth', (memory() - afterAnHour) / 1024, 'KiB'));

function run(hours) {
  const told = runScenario(scenario(hours), { trace: false, maxSteps: STEPS_MAX });
  if (told.table.length !== PRESENCES + 1) throw new Error(`${told.table.length} rows are left`);
  return told;
}

/** Presences start 5 ms after each other, so that each instant is one's own; day.rs has the same. */
function scenario(hours) {
  const presences = Array.from({ length: PRESENCES }, (_, index) => ({
    name: `cell-${index}`,
    kind: 'presence',
    key: `cell-${index}`,
    retryInterval: '5s',
    runner: 'upstream',
    startAt: `${index * 5}ms`,
  }));
  const locks = [0, 1].map((index) => ({ name: `bbs-${index}`, key: 'bbs', retryInterval: '5s', runner: 'upstream', startAt: `${index}ms` }));
  return { name: 'a day', profile: 'upstream', until: `${hours}h`, clients: [...presences, ...locks] };
}
