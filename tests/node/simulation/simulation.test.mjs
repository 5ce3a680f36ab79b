// Simulations: steps, branches, links, and user code that takes part.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, test } from 'node:test';

import { LocketArgumentError, LocketError, ScenarioError, Simulation, runScenario } from 'locket-wasm';
import { sweepSeeds } from 'locket-wasm/check';

const FOLDER = new URL('../../../sim/scenarios/', import.meta.url);
const DATA = new URL('../../../sim/tests/data/', import.meta.url);
const DIGESTS = JSON.parse(readFileSync(new URL('digests.json', FOLDER), 'utf8'));
const FAULTY = JSON.parse(readFileSync(new URL('faulty.json', DATA), 'utf8'));

const OPEN = {
  name: 'open',
  profile: 'upstream',
  until: '1m',
  network: { latency: '10ms' },
  clients: [
    { name: 'a', key: 'k', retryInterval: '5s' },
    { name: 'b', key: 'k', retryInterval: '5s', startAt: '1s' },
    { name: 'me', key: 'mine' },
    { name: 'you', key: 'mine' },
  ],
};
const MINE = { key: 'mine', owner: 'me', ttl: '15s' };

describe('stepping', () => {
  test('a simulation that is stepped to its end tells what a run tells', () => {
    for (const file of readdirSync(FOLDER).filter((name) => name in DIGESTS)) {
      const text = readFileSync(new URL(file, FOLDER), 'utf8');
      const sim = new Simulation(text);
      const events = [];
      for (let told = sim.step(); told.length > 0; told = sim.step()) events.push(...told);
      const run = runScenario(text);
      assert.deepEqual(events, run.events);
      // The native tests hold the same file to the rules themselves, and those of tests/wasm in Node and in Chromium.
      assert.deepEqual([sim.digest(), run.digest], [DIGESTS[file], DIGESTS[file]]);
      assert.deepEqual(sim.failures(), run.failures);
      assert.deepEqual(sim.state().rows, run.table);
    }
  });

  test('5,000 random runs have the digest that they have natively', async () => {
    const { digest } = await sweepSeeds(FAULTY, { seeds: 5000 });
    assert.equal(digest, readFileSync(new URL('faulty.digest', DATA), 'utf8').trim());
  });

  test('a timeline is of the whole run, wherever the simulation is, or of the run so far', () => {
    const sim = new Simulation(OPEN);
    sim.runUntil('3s');
    const { digest, endMs, events } = sim.timeline();
    assert.deepEqual([digest, endMs, sim.nowMs], [runScenario(OPEN).digest, 60_000, 3_000]);
    const soFar = sim.timeline({ until: 'now' });
    assert.deepEqual([soFar.digest, soFar.endMs, soFar.events], [sim.digest(), 3_000, sim.trace()]);
    assert.ok(soFar.events.length < events.length);
    assert.throws(() => sim.timeline({ until: 'then' }), { field: 'options.until' });
  });

  test('a time, an event and a condition can be sought', () => {
    const sim = new Simulation(OPEN);
    sim.seek({ time: '20s' });
    assert.equal(sim.nowMs, 20_000);
    sim.seek({ event: 3 });
    assert.ok(sim.eventCount >= 3);
    sim.seek({ event: 0 });
    assert.deepEqual([sim.nowMs, sim.eventCount], [0, 0]);
    assert.equal(sim.runUntil((at) => at.state().nodes.some((node) => node.believes)), true);
    assert.equal(sim.state().nodes.find((node) => node.believes).name, 'a');
    assert.equal(sim.runUntil(() => false), false);
    assert.equal(sim.nowMs, 60_000);
    assert.equal(sim.runUntil('2m'), true);
    assert.equal(sim.nowMs, 120_000);
    assert.equal(sim.runUntil('1m'), false);
  });
});

describe('acting', () => {
  test('acting in the past starts a branch, and nothing is lost', () => {
    const sim = new Simulation(OPEN);
    sim.runUntil('1m');
    const [end, digest] = [sim.snapshot(), sim.digest()];
    sim.seek({ time: '7s' });
    sim.act({ do: 'crash', node: 'a' });
    assert.equal(sim.currentBranch, 1);
    sim.runUntil('1m');
    assert.notEqual(sim.digest(), digest);
    assert.equal(sim.state().rows[0].owner, 'b');
    assert.equal(sim.branches()[1].from.timeMs, 7000);
    sim.restore(end);
    assert.equal(sim.digest(), digest);
    sim.switchTo(1);
    assert.equal(sim.state().rows[0].owner, 'b');
    assert.equal(sim.branch(), 2);
  });
});

describe('user code', () => {
  test('a call is answered over the simulated network, when the simulation gets there', async () => {
    const sim = new Simulation(OPEN);
    const asked = sim.client('me').lock(MINE);
    sim.runUntil('19ms');
    let answered = false;
    asked.then(() => (answered = true));
    await Promise.resolve();
    assert.equal(answered, false);
    sim.runUntil('20ms');
    await asked;
    const refused = sim.client('you').lock({ ...MINE, owner: 'you' });
    refused.catch(() => {});
    sim.runUntil('1s');
    await assert.rejects(refused, (error) => error instanceof LocketError && error.reason === 'lock-collision');
  });

  test('a client written in JavaScript takes its turns in time', async () => {
    const told = async () => {
      const sim = new Simulation(OPEN);
      const client = sim.client('me', { timeout: '3s' });
      const seen = [];
      const renew = async () => {
        for (let i = 0; i < 3; i += 1) {
          await client.lock(MINE);
          seen.push(sim.nowMs);
          await sim.sleep('5s');
        }
        seen.push((await client.fetch('mine')).owner, sim.nowMs);
      };
      const renewing = renew();
      assert.equal(await sim.runUntilAsync('30s'), true);
      await renewing;
      const linked = Simulation.fromLink(sim.link());
      assert.equal(linked.digest(), sim.digest());
      linked.close();
      return [seen, sim.digest()];
    };
    const [seen, digest] = await told();
    assert.deepEqual(seen, [20, 5040, 10_060, 'me', 15_080]);
    assert.deepEqual(await told(), [seen, digest]);
  });

  test('faults reach user code as they would in production', async () => {
    const sim = new Simulation(OPEN);
    sim.act({ do: 'cut', from: 'me', to: 'locket' });
    const asked = sim.client('me').lock(MINE, { timeout: '3s' });
    asked.catch(() => {});
    sim.runUntil('10s');
    await assert.rejects(asked, { codeName: 'DeadlineExceeded', outcome: 'unknown' });
    sim.act({ do: 'heal', from: 'me', to: 'locket' });
    const again = sim.client('me').fetchAll({ kind: 'lock' });
    again.catch(() => {});
    sim.act({ do: 'crash', node: 'me' });
    await assert.rejects(again, { codeName: 'Unavailable', outcome: 'no-effect' });
  });

  test('a client that cannot call rejects with the reason', async () => {
    const sim = new Simulation(OPEN);
    await assert.rejects(sim.client('a').fetch('k'), { field: 'client' });
    await assert.rejects(sim.client('nobody').fetch('k'), { field: 'client' });
    const me = sim.client('me');
    const first = me.fetch('k');
    await assert.rejects(me.fetch('k'), /waits for the answer to another call/);
    sim.close();
    await assert.rejects(first, /closed/);
    await assert.rejects(me.fetch('k'), /closed/);
  });

  test('a call can be given up', async () => {
    const sim = new Simulation(OPEN);
    const controller = new AbortController();
    const asked = sim.client('me').lock(MINE, { signal: controller.signal });
    controller.abort();
    await assert.rejects(asked, { codeName: 'Canceled', outcome: 'unknown' });
  });
});

describe('invalid arguments', () => {
  test('invalid arguments are typed errors, and change nothing', () => {
    assert.throws(() => new Simulation('{'), ScenarioError);
    assert.throws(() => new Simulation({ name: 'x' }), ScenarioError);
    assert.throws(() => new Simulation(null), LocketArgumentError);
    const sim = new Simulation(OPEN);
    sim.runUntil('3s');
    const here = sim.snapshot();
    const mistakes = [
      () => sim.act({ do: 'crash', node: 'nobody' }),
      () => sim.act({ do: 'explode' }),
      () => sim.act('[['),
      () => sim.act(7),
      () => sim.seek({}),
      () => sim.seek({ time: -1 }),
      () => sim.seek({ event: 1.5 }),
      () => sim.seek({ time: Number.MAX_SAFE_INTEGER }),
      () => sim.runUntil('never'),
      () => sim.switchTo(9),
      () => sim.switchTo('main'),
      () => sim.restore({ branch: 0, timeMs: 50_000, count: 0 }),
      () => sim.restore({}),
      () => sim.export('svg'),
      () => sim.trace(-1),
      () => sim.client('me', { baseUrl: 'x' }),
      () => sim.sleep('x'),
    ];
    for (const mistake of mistakes) assert.throws(mistake, LocketArgumentError, String(mistake));
    assert.deepEqual(sim.snapshot(), here);
  });

  test('a closed simulation says so, and closing twice is fine', () => {
    const sim = new Simulation(OPEN);
    sim.close();
    sim.close();
    assert.throws(() => sim.step(), /closed/);
    assert.throws(() => sim.nowMs, /closed/);
  });
});
