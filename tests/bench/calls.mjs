// Calls of `lock` from JavaScript, one after the other, each a renewal by the owner: the package's in-process client
// beside Connect's in-memory transport. The two take turns, so that whatever else the machine does meets both.

import { LocketServer } from 'locket-wasm';

import { connectClient } from './connect.mjs';
import { median } from './figures.mjs';

const KEYS = Array.from({ length: 1000 }, (_, index) => `cell-${index}`);
const ROUNDS = 9;
const ROUND_MS = 400;

export async function measureCalls(report) {
  report.heading('lock from JavaScript, in process, one call after the other');
  const ours = new LocketServer().client();
  const connect = connectClient();
  const lockOurs = (key) => ours.lock({ key, owner: 'owner-of-all', ttl: '15s' });
  const lockConnect = (key) =>
    connect.lock({ resource: { key, owner: 'owner-of-all', typeCode: 1 }, ttlInSeconds: 15n });

  const ourRates = [];
  const connectRates = [];
  // The first round is for the engine to warm up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const connectRate = await rate(lockConnect);
    const ourRate = await rate(lockOurs);
    if (round === 0) continue;
    ourRates.push(ourRate);
    connectRates.push(connectRate);
  }
  report.figure('lock-calls', median(ourRates), 'calls/s');
  report.figure('lock-calls-connect', median(connectRates), 'calls/s');
  const ratios = ourRates.map((ourRate, round) => ourRate / connectRates[round]);
  report.bounded('lock-calls-ratio', median(ratios), 'x', 'at least', 50);
}

/** Calls per second, over a round. */
async function rate(lock) {
  const started = performance.now();
  let calls = 0;
  let elapsed = 0;
  while (elapsed < ROUND_MS) {
    for (const key of KEYS) await lock(key);
    calls += KEYS.length;
    elapsed = performance.now() - started;
  }
  return (calls / elapsed) * 1000;
}
