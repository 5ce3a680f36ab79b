// What is asked of the checker after an incident, and whether other settings keep its scenario from going wrong.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Simulation } from 'locket-wasm';
import { diagnose, goesWrong, reproductionOf, scenarioWith } from 'locket-wasm/diagnose';

import { logsOf } from '../support/diagnose-logs.mjs';

const reproduced = async (name) => reproductionOf(await diagnose(logsOf(name)));

/** Whether the scenario goes wrong, as it is or with other settings. */
async function isWrong(name, settings) {
  const found = await reproduced(name);
  const simulation = new Simulation(settings === undefined ? found.scenario : scenarioWith(found, settings));
  return goesWrong(found, simulation.timeline());
}

describe('the question of an incident', () => {
  /** Logs are of what ships. */
  const SHIPPED = { runner: 'upstream', profile: 'upstream' };
  const CLIENTS = [{}, {}];
  const BOUNDS = {
    'b-sigkill': { crashes: 1 },
    'c-sigstop': { pauses: 1, pause: '33s' },
    'd-locket-kill-lose': { locketCrashes: 1, locketDowntime: '10s', restarts: 1 },
    'f-pg-outage': { databaseCrashes: 1, databaseDowntime: '23s', restarts: 1 },
    'j-slow-replies': { latency: '6s' },
    'k-operator-delete': { rowDeletions: 1 },
    'm-locket-frozen': { locketPauses: 1, locketPause: '13s', restarts: 1 },
  };
  for (const [name, bounds] of Object.entries(BOUNDS)) {
    test(`${name}: its bounds are what is done in its scenario`, async () => {
      const { question, scenario } = await reproduced(name);
      const { property, ...rest } = question;
      assert.deepEqual(rest, { ...SHIPPED, ttl: '15000ms', retryInterval: '5000ms', clients: CLIENTS, processes: scenario.processes, ...bounds });
    });
  }

  test('of presences is about presences', async () => {
    assert.equal((await reproduced('h-presences')).question.kind, 'presence');
  });
});

describe('the scenario of an incident', () => {
  for (const name of ['b-sigkill', 'c-sigstop', 'd-locket-kill-lose', 'f-pg-outage', 'i-same-owner', 'j-slow-replies', 'k-operator-delete', 'm-locket-frozen']) {
    // A crash alone leaves nobody without a lock for longer than its bound says.
    const expected = name !== 'b-sigkill';
    test(`${name}: ${expected ? 'goes wrong' : 'is within its bound'} as it is`, async () => assert.equal(await isWrong(name), expected));
  }

  test('of a frozen holder does not go wrong with the safe runner or a lease that outlasts it, and does with a shorter one', async () => {
    assert.equal(await isWrong('c-sigstop', { runner: 'safe', ttlMs: 15_000, retryIntervalMs: 5_000 }), false);
    assert.equal(await isWrong('c-sigstop', { runner: 'upstream', ttlMs: 41_000, retryIntervalMs: 5_000 }), false);
    assert.equal(await isWrong('c-sigstop', { runner: 'upstream', ttlMs: 20_000, retryIntervalMs: 5_000 }), true);
  });

  test('of a database that was down for longer than the lease goes wrong with the safe runner, too', async () => {
    assert.equal(await isWrong('f-pg-outage', { runner: 'safe', ttlMs: 15_000, retryIntervalMs: 5_000 }), true);
    assert.equal(await isWrong('f-pg-outage', { runner: 'safe', ttlMs: 60_000, retryIntervalMs: 5_000 }), false);
  });
});
