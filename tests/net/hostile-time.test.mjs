// The production runner in hostile time, beside a rival who takes its lock whenever Locket gives it: real processes, real
// clocks, a TTL of 2 s. In no sample may the holder believe that it has the lock while the rival surely has it.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { serve } from 'locket-wasm/serve';

import { CYCLE, nowMs, phaseMs } from './support/hostile-time.mjs';
import { MODES } from './support/hostile-time.worker.mjs';

const WORKER = fileURLToPath(new URL('support/hostile-time.worker.mjs', import.meta.url));
const CYCLES = 6;

const found = {};
let totals;

before(async () => {
  const locket = await serve({ port: 0, profile: 'upstream', closeTimeout: '100ms' });
  const endMs = nowMs() + CYCLES * CYCLE.lengthMs;
  await Promise.all(Object.keys(MODES).map(async (mode) => (found[mode] = await compete(locket, mode, endMs))));
  await locket.close();
  const sum = (of) => Object.values(found).reduce((total, one) => total + of(one), 0);
  totals = { samples: sum(({ believed }) => believed.length), holds: sum(({ holds }) => holds.length) };
});
after(() => console.log(`hostile time: ${Object.keys(MODES).length} modes, ${totals.samples} samples of belief, the rival had the lock ${totals.holds} times`));

/** The samples of a process in one mode, and the times at which the rival surely had its lock. */
async function compete({ url, server }, mode, endMs) {
  const child = fork(WORKER, [url, mode], { execArgv: ['--expose-gc'] });
  child.on('message', (message) => message === 'stop' && (child.kill('SIGSTOP'), setTimeout(() => child.kill('SIGCONT'), CYCLE.disturbedMs)));
  const rival = server.client('rival');
  const holds = [];
  while (nowMs() < endMs) {
    if (phaseMs() > CYCLE.cutMs && phaseMs() < CYCLE.endMs && (await taken(rival, mode))) {
      const from = nowMs();
      await sleep(Math.max(0, CYCLE.endMs - phaseMs()));
      holds.push([from, nowMs()]);
      await rival.release({ key: mode });
    }
    await sleep(20);
  }
  const samples = new Promise((resolve) => child.on('message', (message) => message.believed && resolve(message)));
  child.send('end');
  return { ...(await samples), holds };
}

const taken = (rival, key) => rival.lock({ key, ttl: '30s' }).then(() => true, () => false);

const overlaps = (samples, holds) => samples.filter(([from, to]) => holds.some((hold) => hold[0] <= from && to <= hold[1])).length;

for (const [mode, { isUnsafe = false }] of Object.entries(MODES)) {
  test(`${mode}: ${isUnsafe ? 'it believes too long' : 'it never believes while the rival has the lock'}`, () => {
    const { believed, unchecked, holds } = found[mode];
    console.log(`${mode}: ${believed.length} samples, ${holds.length} holds of the rival, ${overlaps(unchecked, holds)} overlaps of a signal that no timer has aborted yet`);
    assert.ok(believed.length > 0 && holds.length > 0, `not exercised: ${believed.length} samples, ${holds.length} holds`);
    assert.equal(overlaps(believed, holds) > 0, isUnsafe);
  });
}

test('a signal that does not look at the clocks believes too long while the event loop is blocked', () => {
  const { unchecked, holds } = found['the event loop is blocked'];
  assert.ok(overlaps(unchecked, holds) > 0);
});
