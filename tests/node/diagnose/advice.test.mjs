// What is asked of the checker after an incident, and whether other settings keep its scenario from going wrong.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Simulation } from 'locket-wasm';
import { init, questionOfRun } from 'locket-wasm/check';
import { diagnose, replayOf, reproductionOf } from 'locket-wasm/diagnose';

import { logsOf } from '../support/diagnose-logs.mjs';

const reproduced = async (name) => reproductionOf(await diagnose(logsOf(name)));

/** True if the scenario goes wrong, as it is or with other settings. */
async function isWrong(name, settings) {
  const found = await reproduced(name);
  const { scenario, outcome } = replayOf(found, settings);
  return outcome(new Simulation(scenario).timeline()).isIncident;
}

describe('the question of an incident', () => {
  /** Logs are of what ships. */
  const SHIPPED = { runner: 'upstream', profile: 'upstream' };
  const CLIENTS = [{}, {}];
  const BOUNDS = {
    'b-sigkill': { faults: { crash: { count: 1 } } },
    'c-sigstop': { faults: { pause: { length: '33s', count: 1 } } },
    'd-locket-kill-lose': { faults: { locketCrash: { length: '10s', count: 1 }, restart: { count: 1 } } },
    'f-pg-outage': { faults: { databaseCrash: { length: '23s', count: 1 }, restart: { count: 1 } } },
    'e-two-lockets-kill-a': { faults: { locketCrash: { length: '48s', count: 1 } } },
    'j-slow-replies': { latency: '6s', faults: {} },
    'k-operator-delete': { faults: { rowDeletion: { count: 1 } } },
    'm-locket-frozen': { faults: { locketPause: { length: '13s', count: 1 }, restart: { count: 1 } } },
  };
  for (const [name, expected] of Object.entries(BOUNDS)) {
    test(`${name}: its bounds are the faults that the checker finds in its scenario`, async () => {
      await init();
      const { question, scenario } = await reproduced(name);
      const { runner, profile, ttl, retryInterval, clients, processes, latency } = question;
      const { bounds } = questionOfRun(scenario);
      const retry = name === 'e-two-lockets-kill-a' ? '6000ms' : '5000ms';
      assert.deepEqual([{ runner, profile }, ttl, retryInterval, clients, processes], [SHIPPED, '15000ms', retry, CLIENTS, scenario.processes]);
      // A cut that never heals only decides which Locket a client asks.
      const faults = Object.entries({ ...bounds.faults, ...question.faults }).filter(([, bound]) => bound !== 0);
      assert.deepEqual([latency ?? bounds.latency, Object.fromEntries(faults)], [expected.latency ?? '1s', expected.faults]);
    });
  }

  test('of a dropped table has a deleted row, which it is to its owner', async () => {
    assert.equal((await reproduced('p-table-dropped')).question.faults.rowDeletion, 1);
  });

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

  test('of a frozen holder does not go wrong with the safe runner or a TTL that outlasts it, and does with a shorter one', async () => {
    assert.equal(await isWrong('c-sigstop', { runner: 'safe', ttlMs: 15_000, retryIntervalMs: 5_000 }), false);
    assert.equal(await isWrong('c-sigstop', { runner: 'upstream', ttlMs: 41_000, retryIntervalMs: 5_000 }), false);
    assert.equal(await isWrong('c-sigstop', { runner: 'upstream', ttlMs: 20_000, retryIntervalMs: 5_000 }), true);
  });

  test('of a database that was down for longer than the lease goes wrong with the safe runner, too', async () => {
    assert.equal(await isWrong('f-pg-outage', { runner: 'safe', ttlMs: 15_000, retryIntervalMs: 5_000 }), true);
    assert.equal(await isWrong('f-pg-outage', { runner: 'safe', ttlMs: 60_000, retryIntervalMs: 5_000 }), false);
  });
});
