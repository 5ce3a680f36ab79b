// How many runs a second `everyFault` does of a test with 50 calls.

import { everyFault } from 'locket-wasm/testing';

const RUNS = 2_000;
/** The engine compiles the package meanwhile. */
const WARM_UP_RUNS = 1_000;
const CALLS = 50;

const search = (budget) => everyFault({ budget, most: 2 }, async ({ host, clock }) => {
  for (const name of ['a', 'b']) {
    host(name, async ({ client }) => {
      for (let call = 0; call < CALLS / 2; call += 1) {
        await client.lock({ key: 'k', ttl: '15s' }, { timeout: '5s' }).catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 4_000));
      }
    });
  }
  await clock.advanceAsync('2m');
})();

export async function measureEveryFault(report) {
  report.heading(`everyFault: runs of a test with ${CALLS} calls`);
  await search(WARM_UP_RUNS);
  const started = performance.now();
  const { runs } = await search(RUNS);
  report.bounded('every-fault', runs / ((performance.now() - started) / 1000), 'runs/s', 'at least', 1_000);
}
