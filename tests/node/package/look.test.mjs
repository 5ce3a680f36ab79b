// What one sees of an object in a console, and of an error in JSON.

import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { test } from 'node:test';

import * as locket from 'locket-wasm';

const { LocketClient, LocketServer, LockLostError, Simulation } = locket;
const SCENARIO = { name: 'first look', until: '28s', clients: [{ name: 'bbs-0', key: 'bbs', runner: 'upstream' }] };

/** A lock at 6 s, renewed at 5 s with a lease of 14 s, and all that it came from. */
async function held() {
  const server = new LocketServer();
  const client = server.client('a');
  const lock = await client.acquire({ key: 'bbs', owner: 'bbs-0' });
  await server.clock.advanceAsync('6s');
  return { server, client, lock };
}

test('a console shows a line that says what a person wants to know', async () => {
  const { server, client, lock } = await held();
  const election = client.elect({ key: 'leader', owner: 'bbs-0' }, { onLead: () => {} });
  await server.clock.advanceAsync('0s');
  const sim = new Simulation(SCENARIO);
  const seen = [server, server.clock, client, lock, lock.runner, election, sim, new LocketClient({ baseUrl: 'https://locket.example.org' })].map((it) => inspect(it));
  assert.deepEqual(seen, [
    'LocketServer at 6 s, 2 rows',
    'VirtualClock at 6 s, 4 pending',
    "TestClient 'a', running",
    "Lock 'bbs' of bbs-0, held, lease ends in 13 s",
    "Runner of 'bbs' for bbs-0, held, lease ends in 13 s",
    "Election 'leader' of bbs-0, leads",
    "Simulation 'first look' at 0 s of 28 s, 0 events",
    'LocketClient to https://locket.example.org',
  ]);
  assert.match(inspect(new LocketServer({ clock: 'ambient' }).clock), /^AmbientClock at \d{4}-\d\d-\d\dT/);
  await election.stop();
  await lock.release();
  assert.equal(inspect(lock), "Lock 'bbs' of bbs-0, ended: stopped");
});

test('what is closed says so, and does not throw', () => {
  const server = new LocketServer();
  server.close();
  const sim = new Simulation(SCENARIO);
  sim.close();
  assert.equal(inspect(sim), 'Simulation the simulation is closed (Unavailable)');
  assert.match(inspect(server), /^LocketServer /);
});

test('a loss is printed in fewer than 15 lines, with its cause', async () => {
  const { server, lock } = await held();
  server.stop();
  await server.clock.advanceAsync('20s');
  const loss = lock.signal.reason;
  assert.ok(loss instanceof LockLostError);
  const lines = inspect(loss).split('\n');
  assert.ok(lines.length < 15, lines.join('\n'));
  assert.match(lines[0], /^LockLostError: bbs: not held any more/);
  assert.match(lines.at(-1), /^ {2}caused by LocketError: /);
});

test('an error in JSON has its message, and its cause once', async () => {
  const { server, lock } = await held();
  const refused = await server.client('b').lock({ key: 'bbs', owner: 'bbs-1', ttl: '15s' }).catch((error) => error);
  const { name, message, code, outcome } = JSON.parse(JSON.stringify(refused));
  assert.deepEqual({ name, message, code, outcome }, { name: 'LocketError', message: refused.message, code: 6, outcome: 'refused' });
  server.stop();
  await server.clock.advanceAsync('20s');
  const { lastAttempt, cause } = JSON.parse(JSON.stringify(lock.signal.reason));
  assert.equal(lastAttempt.codeName, 'Unavailable');
  assert.equal(cause, undefined);
});

test('a class has the name under which it is exported', () => {
  const classes = Object.entries(locket).filter(([, value]) => /^class\b/.test(String(value)));
  assert.ok(classes.some(([name]) => name === 'Simulation'));
  assert.deepEqual(classes.map(([, { name }]) => name), classes.map(([name]) => name));
});
