// Leader election, on a clock that the test moves.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { assertWrongArgument, isSettled, start } from '../support/helpers.mjs';

const settings = (owner) => ({ key: 'leader', owner });

/** An election of `owner` that notes what it is told; each term lasts until its signal aborts, and `clean` longer. */
function elect({ server, clock }, owner, { clean, ...handlers } = {}) {
  const told = [];
  const note = (text) => told.push(`${clock.now / 1_000} s ${text}`);
  const client = server.client();
  const election = client.elect(settings(owner), {
    onLead: async (signal) => {
      note('leads');
      await new Promise((resolve) => signal.addEventListener('abort', () => (note('stops'), resolve())));
      if (clean !== undefined) await clock.sleep(clean);
      note('has stopped');
    },
    onLose: ({ name, key, lastAttempt }) => note(`${name} of ${key}: ${lastAttempt.reason}`),
    onLeader: (leader) => note(`leader ${leader}`),
    ...handlers,
  });
  return { election, told, client };
}

const steal = (server, ttl = 12) => server.putRow({ path: 'leader', owner: 'thief', type: 'lock', ttl, modified_id: 'x', modified_index: 1 });

describe('elect', () => {
  test('calls onLead once, and the client leads for as long as it holds the lock', async () => {
    const world = start();
    const { election, told } = elect(world, 'a');
    await world.clock.advanceAsync('1h');
    assert.deepEqual(told, ['0 s leader a', '0 s leads']);
    assert.deepEqual([election.leading, election.leader], [true, 'a']);
  });

  test('waiting clients hear which owner leads, and the next one leads after the first has stopped', async () => {
    const world = start();
    const first = elect(world, 'a');
    const second = elect(world, 'b');
    await world.clock.advanceAsync('7s');
    assert.deepEqual([second.election.leading, second.election.leader], [false, 'a']);
    assert.deepEqual(await first.election.stop(), { reason: 'stopped', released: true, error: undefined });
    await world.clock.advanceAsync('3s');
    assert.deepEqual(second.told, ['0 s leader a', '10 s leader b', '10 s leads']);
  });

  test('after a loss the signal aborts, then onLose is called, then the client campaigns again', async () => {
    const world = start();
    const { told } = elect(world, 'a');
    await world.clock.advanceAsync('1s');
    steal(world.server);
    await world.clock.advanceAsync('20s');
    assert.deepEqual(told, [
      '0 s leader a',
      '0 s leads',
      '5 s stops',
      '5 s LockLostError of leader: lock-collision',
      '5 s leader undefined',
      '5 s has stopped',
      '5 s leader thief',
      '20 s leader a',
      '20 s leads',
    ]);
  });

  test('no term begins before onLead of the last one has settled', async () => {
    const world = start();
    const { told } = elect(world, 'a', { clean: '1m' });
    await world.clock.advanceAsync('1s');
    steal(world.server);
    await world.clock.advanceAsync('2m');
    assert.deepEqual(told.filter((text) => !text.includes('leader')), ['0 s leads', '5 s stops', '65 s has stopped', '65 s leads']);
  });

  test('stopping keeps the lock until onLead has settled', async () => {
    const world = start();
    const { election } = elect(world, 'a', { clean: '1m' });
    await world.clock.advanceAsync('1s');
    const ended = election.stop();
    assert.equal(election.leading, false);
    await world.clock.advanceAsync('59s');
    assert.deepEqual([await isSettled(ended), world.server.table()[0].owner], [false, 'a']);
    await world.clock.advanceAsync('1s');
    assert.equal((await ended).released, true);
    assert.deepEqual(world.server.table(), []);
  });

  test('a client whose onLead resolves stays leader', async () => {
    const world = start();
    const { election } = elect(world, 'a', { onLead: () => 'at once' });
    await world.clock.advanceAsync('1h');
    assert.equal(election.leading, true);
  });

  test('an onLead that rejects resigns, and the election has failed with its error', async () => {
    const own = new Error('own');
    for (const onLead of [() => Promise.reject(own), () => { throw own; }]) {
      const world = start();
      const { election, told } = elect(world, 'a', { onLead });
      assert.deepEqual(await election.ended, { reason: 'failed', released: true, error: own });
      assert.deepEqual([world.server.table(), told], [[], ['0 s leader a', '0 s leader undefined']]);
    }
  });

  test('an onLead that rejects because its signal aborted only ends its term', async () => {
    const world = start();
    const onLead = (signal) => new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const { election } = elect(world, 'a', { onLead });
    await world.clock.advanceAsync('1s');
    steal(world.server);
    await world.clock.advanceAsync('20s');
    assert.equal(election.leading, true);
    assert.equal((await election.stop()).reason, 'stopped');
  });

  test('a leader that resigns stays out for one TTL, and another one leads', async () => {
    const world = start();
    const first = elect(world, 'a');
    await world.clock.advanceAsync('1s');
    await first.election.resign();
    assert.deepEqual(world.server.table(), []);
    const second = elect(world, 'b');
    await world.clock.advanceAsync('14s');
    await second.election.stop();
    await world.clock.advanceAsync('999ms');
    assert.equal(first.election.leading, false);
    await world.clock.advanceAsync('1ms');
    assert.equal(first.election.leading, true);
  });

  test('resign takes how long the client stays out', async () => {
    const world = start();
    const { election } = elect(world, 'a');
    await world.clock.advanceAsync('1s');
    await election.resign({ for: '1h' });
    await world.clock.advanceAsync('59m');
    assert.equal(election.leading, false);
    await world.clock.advanceAsync('1m');
    assert.equal(election.leading, true);
    await assertWrongArgument('for', () => election.resign({ for: 5 }));
  });

  test('a client that stays out can be stopped at once, and leaves nothing on the clock', async () => {
    const world = start({ profile: 'documented' });
    const { election } = elect(world, 'a');
    await world.clock.advanceAsync('1s');
    await election.resign({ for: '1h' });
    assert.equal((await election.stop()).reason, 'stopped');
    assert.equal(world.clock.pending, 0);
  });

  test('a stopped campaign frees a lock that is granted late', async () => {
    const world = start({ profile: 'documented', latency: '2s' });
    const { election, told } = elect(world, 'a');
    const ended = election.stop();
    await world.clock.advanceAsync('10s');
    assert.equal((await ended).reason, 'stopped');
    assert.deepEqual([world.server.table(), world.clock.pending, told], [[], 0, []]);
  });

  test('a signal stops the election', async () => {
    const world = start();
    const controller = new AbortController();
    const { election } = elect(world, 'a', { signal: controller.signal });
    await world.clock.advanceAsync('1s');
    controller.abort();
    assert.equal((await election.ended).reason, 'stopped');
    assert.equal((await elect(world, 'a', { signal: AbortSignal.abort() }).election.ended).reason, 'stopped');
  });

  test('a refusal that waiting cannot cure fails the election', async () => {
    const { client } = start();
    const { reason, error } = await client.elect({ key: 'a\0', owner: 'a' }, { onLead: () => {} }).ended;
    assert.deepEqual([reason, error.field], ['failed', 'key']);
  });

  test('handlers are checked', async () => {
    const { client } = start();
    await assertWrongArgument('onLead', () => client.elect(settings('a'), {}));
    await assertWrongArgument('onLose', () => client.elect(settings('a'), { onLead: () => {}, onLose: 'no' }));
    await assertWrongArgument('handlers.onLeed', () => client.elect(settings('a'), { onLeed: () => {} }));
    await assertWrongArgument('handlers', () => client.elect(settings('a')));
  });
});
