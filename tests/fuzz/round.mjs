// Rounds of fuzzing, as sim/tests/fuzz/round.rs has them: inputs by seed, tried until the time is over or one of them is a
// finding. Without FUZZ_S there is one round, on the seed SEED or a fresh one; with it the seeds SEED, SEED + 1 and so on have
// a round each for so many seconds. A finding names the seed of its round, which alone repeats it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

const { SEED, FUZZ_S, FUZZ_LIST, FUZZ_TARGET } = process.env;
const seed = SEED === undefined ? Math.floor(Math.random() * 1_000_000) : Number(SEED);
const longMs = FUZZ_S === undefined ? undefined : Number(FUZZ_S) * 1_000;
assert.ok(Number.isSafeInteger(seed) && !Number.isNaN(longMs ?? 0), 'SEED and FUZZ_S are numbers');

/** How long one input may keep the event loop busy while `make fuzz` runs. */
const BUSY_MS = 15_000;
/** How long one input may take until all of its promises have settled. */
const SETTLED_MS = 20_000;
/** How long a round may take, and how long what it finds is made smaller. */
const LONGEST_MS = 60_000;

/** Fuzzes: no input may make `check` throw, reject or go on for ever. A round tries so many `inputs`. */
export function fuzz(target, inputs, arbitrary, check) {
  if (FUZZ_LIST !== undefined) console.log(`fuzz target: ${target}`);
  if (FUZZ_LIST !== undefined || (FUZZ_TARGET !== undefined && FUZZ_TARGET !== target)) return;
  test(`${target} takes or refuses whatever it is given (SEED=${seed})`, async () => {
    const started = performance.now();
    let tried = 0;
    let round = seed;
    const property = fc.asyncProperty(arbitrary, (input) => settles(() => check(input)));
    for (;;) {
      const details = await fc.check(property, { seed: round, numRuns: inputs, interruptAfterTimeLimit: LONGEST_MS });
      tried += details.numRuns;
      const isOver = longMs === undefined || performance.now() - started >= longMs;
      if (details.failed || isOver) {
        console.log(`fuzz ${target}: ${tried} inputs, ${details.failed ? 1 : 0} findings, SEED=${seed}`);
        assert.ok(!details.failed, report(details, target, round));
        return;
      }
      round += 1;
    }
  });
}

const unhandled = [];
process.on('unhandledRejection', (reason) => unhandled.push(reason));

/** That a check ends in time, keeps nobody else waiting for long, and leaves no rejection behind. */
async function settles(check) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(reject, SETTLED_MS, new Error(`it has not settled after ${SETTLED_MS} ms`))));
  const begun = performance.now();
  try {
    const checked = (async () => check())();
    const busyMs = performance.now() - begun;
    await Promise.race([checked, late]);
    if (longMs !== undefined && busyMs > BUSY_MS) throw new Error(`it kept the event loop busy for ${busyMs} ms`);
  } finally {
    clearTimeout(timer);
  }
  await new Promise(setImmediate);
  const [reason] = unhandled.splice(0);
  if (reason !== undefined) throw new Error(`nobody handles a rejection: ${reason?.stack ?? reason}`);
}

function report({ counterexample, errorInstance }, target, round) {
  const replay = `SEED=${round} FUZZ_TARGET='${target}' node --test --test-force-exit tests/fuzz/*.test.mjs repeats it`;
  return `${errorInstance?.stack ?? errorInstance}\nof the input ${fc.stringify(counterexample)}\n${replay}`;
}
