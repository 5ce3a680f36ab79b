// The checker's questions and its map of 60 cells, through the package. sim/benches/check.rs asks the same natively.
//
//   node tests/bench/check.mjs    prints the figures of one run

import assert from 'node:assert/strict';

import { explore, mapSettings } from 'locket-wasm/check';

import { line } from './figures.mjs';

/** The fastest run counts, as natively: of so many, or of as many as take so long. An engine compiles the module while it runs. */
const RUNS_MAX = 40;
const RUNS_MS = 400;
const ABORTS = 3;
/** Upstream's Locket, and its runner unless a question names another. */
const UPSTREAM = { runner: 'upstream', profile: 'upstream' };
const QUESTIONS = {
  'delay-2': [{ latency: '2s' }, 'safe'],
  'delay-5': [{ firstAttemptDeadline: true, latency: '5s' }, 'safe'],
  'delay-7': [{ firstAttemptDeadline: true, latency: '7s' }, 'safe'],
  'first-attempt': [{ latency: '6s' }, 'unsafe'],
  'ttl-14': [{ ttl: '14s', retryInterval: '5s', firstAttemptDeadline: true, latency: '5s' }, 'unsafe'],
  'pause-1': [{ firstAttemptDeadline: true, latency: '5s', faults: { pause: { length: '1s', count: 1 } } }, 'unsafe'],
  'pause-11': [{ latency: '0s', faults: { pause: { length: '11s', count: 1 } } }, 'unsafe'],
  'lost-renewal': [{ runner: 'upstream-before-2025-10', latency: '0s', faults: { lostMessage: 1 } }, 'unsafe'],
  safe: [{ runner: 'safe', margin: '0s', latency: '3s', faults: { pause: { length: '16s', count: 1 } } }, 'safe'],
};
/** No client alone proves it, so the search takes long. */
const LONG = { ...UPSTREAM, clients: [{}, {}, {}], latency: '1s', processes: 2, faults: { pause: { length: '3s', count: 2 }, lostMessage: 2 }, property: { is: 'acquired', allow: '60s' } };
const ABORT_AFTER_MS = 300;
const MAP = { ...UPSTREAM, ttl: { from: '3s', to: '14s' }, retryInterval: { from: '1s', to: '5s' }, latency: '1s' };

for (const [name, [question, verdict]] of Object.entries(QUESTIONS)) {
  const times = [];
  const begun = performance.now();
  while (times.length < 3 || (times.length < RUNS_MAX && performance.now() - begun < RUNS_MS)) times.push(await measured(question, verdict));
  console.log(line(`check-${name}-wasm`, Math.min(...times), 'ms'));
}
const maps = [];
for (let run = 0; run < 3; run += 1) {
  const started = performance.now();
  await mapSettings(MAP);
  maps.push((performance.now() - started) / 1000);
}
console.log(line('check-map-60-wasm', Math.min(...maps), 's'));
const aborts = [];
for (let run = 0; run < ABORTS; run += 1) aborts.push(await aborted());
console.log(line('check-abort-wasm', Math.max(...aborts), 'ms'));

/** How long a search goes on after the moment at which it should be told to end, in milliseconds. */
async function aborted() {
  const controller = new AbortController();
  const due = performance.now() + ABORT_AFTER_MS;
  setTimeout(() => controller.abort(), ABORT_AFTER_MS);
  await assert.rejects(explore(LONG, { signal: controller.signal }), { name: 'AbortError' });
  return performance.now() - due;
}

/** How long a question takes, in milliseconds. */
async function measured(question, verdict) {
  const started = performance.now();
  const answer = await explore({ ...UPSTREAM, ...question, grid: '1s' }, { longest: false });
  const took = performance.now() - started;
  assert.equal(answer.verdict, verdict);
  return took;
}
