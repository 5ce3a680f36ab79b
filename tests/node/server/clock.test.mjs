// The clocks: the virtual one, and the surrounding program's under fake timers.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';

import FakeTimers from '@sinonjs/fake-timers';
import { LocketServer, VirtualClock } from 'locket-wasm';

import { frame, webRequest } from '../../wire/grpc-web.mjs';
import { encode, methodOf } from '../../wire/locket.mjs';
import { isSettled, lockOf, start } from '../support/helpers.mjs';

describe('VirtualClock', () => {
  test('it stands still until it is moved, and does not go back', () => {
    const clock = new VirtualClock({ now: 1_000 });
    assert.equal(clock.now, 1_000);
    clock.advance('1.5s');
    clock.advanceTo(2_000);
    assert.equal(clock.now, 2_500);
  });

  test('callbacks run in order of time, then of scheduling, each at its own time', () => {
    const clock = new VirtualClock();
    const seen = [];
    const note = (name) => () => seen.push(`${name}@${clock.now}`);
    clock.setTimeout(note('c'), 20);
    clock.setTimeout(note('a'), 10);
    clock.setTimeout(note('b'), 10);
    clock.setTimeout(note('never'), 31);

    clock.advance('30ms');

    assert.deepEqual(seen, ['a@10', 'b@10', 'c@20']);
    assert.equal(clock.pending, 1);
  });

  test('an interval runs until it is cleared, by itself too', () => {
    const clock = new VirtualClock();
    const times = [];
    const id = clock.setInterval(() => times.push(clock.now) === 3 && clock.clearInterval(id), '5s');
    clock.advance('1m');
    assert.deepEqual(times, [5_000, 10_000, 15_000]);
  });

  test('a callback that another callback schedules within the passing time runs too', () => {
    const clock = new VirtualClock();
    const times = [];
    const again = () => times.push(clock.now) < 3 && clock.setTimeout(again, 10);
    clock.setTimeout(again, 10);
    clock.advance('100ms');
    assert.deepEqual(times, [10, 20, 30]);
  });

  test('a callback that throws does not keep others from running, and its error is thrown', () => {
    const clock = new VirtualClock();
    let ran = 0;
    clock.setTimeout(() => { throw new Error('first'); }, 1);
    clock.setTimeout(() => (ran += 1), 2);
    assert.throws(() => clock.advance('10ms'), /first/);
    assert.deepEqual([ran, clock.now], [1, 10]);
  });

  test('onInstant tells every instant at which something is due, after rows expire and before the callbacks, until it is stopped', async () => {
    const { client, clock, server } = start();
    await client.lock(lockOf('bbs', 'bbs-0'));
    const told = [];
    const { pending } = clock;
    const stop = clock.onInstant(() => told.push([clock.now, server.table().length]));
    assert.equal(clock.pending, pending);
    clock.setTimeout(() => told.push('callback'), '5s');
    clock.advance('20s');
    const at = [...new Set(told.map(String))];
    assert.deepEqual(at.slice(0, 2), ['5000,1', 'callback']);
    assert.deepEqual([at.includes('15000,0'), at.at(-1)], [true, '20000,0']);
    const { length } = told;
    stop();
    clock.advance('20s');
    assert.equal(told.length, length);
  });

  test('next goes from instant to instant, and stays where nothing is due', async () => {
    const { client, clock } = start({ profile: 'documented' });
    await client.lock(lockOf('bbs', 'bbs-0'));
    clock.setTimeout(() => {}, '20s');
    assert.deepEqual([clock.next(), clock.next(), clock.next(), clock.now], [15_000, 20_000, undefined, 20_000]);
  });

  test('a TTL that ends in the instant in which it began does not hold the clock up', async () => {
    const { server, clock } = start();
    // In nanoseconds this TTL overflows, upstream and here; our own client does not send it.
    const lock = { resource: { key: 'bbs', owner: 'bbs-0', type_code: 1 }, ttl_in_seconds: 9_223_372_037 };
    await server.fetch(webRequest('/models.Locket/Lock', frame(encode(methodOf('Lock').input, lock))));
    assert.equal(server.stats().requests.lock.succeeded, 1);
    clock.advance('1s');
    assert.deepEqual([clock.now, clock.pending, server.table()], [1_000, 0, []]);
  });

  test('runUntil stops at the instant at which its condition holds', async () => {
    const { server, client, clock } = start();
    await client.lock(lockOf('bbs', 'bbs-0'));
    clock.runUntil(() => server.table().length === 0, { within: '1m' });
    assert.equal(clock.now, 15_000);
  });

  test('runUntil says that its condition can never hold', () => {
    assert.throws(() => new VirtualClock().runUntil(() => false), /nothing is due after 0 s/);
    const clock = new VirtualClock();
    clock.setInterval(() => {}, '1s');
    assert.throws(() => clock.runUntil(() => false, { within: '10s' }), /is false at 10 s/);
  });

  test('a program that sleeps repeatedly wakes each time within one advanceAsync', async () => {
    const clock = new VirtualClock();
    const woken = [];
    (async () => {
      for (;;) {
        await clock.sleep('1s');
        woken.push(clock.now);
      }
    })();
    await clock.advanceAsync('3s');
    assert.deepEqual(woken, [1_000, 2_000, 3_000]);
  });

  test('the end of time is no trap', () => {
    const { clock } = start();
    clock.advanceTo(Number.MAX_SAFE_INTEGER);
    clock.advance(`${Number.MAX_SAFE_INTEGER}ms`);
    assert.equal(clock.now, Number.MAX_SAFE_INTEGER);
  });
});

test('promises settle also where there is no MessageChannel and timers were fake from the start, as under jest with jsdom', () => {
  const script = `
    delete globalThis.MessageChannel;
    globalThis.setTimeout = globalThis.setImmediate = globalThis.queueMicrotask = () => {};
    const { LocketServer } = await import('locket-wasm');
    const { clock } = new LocketServer();
    const woken = clock.sleep('1s').then(() => console.log('woken'));
    await clock.advanceAsync('1s');
    await woken;
  `;
  const options = { cwd: new URL('../../..', import.meta.url), encoding: 'utf8' };
  assert.equal(execFileSync(process.execPath, ['--input-type=module', '--eval', script], options), 'woken\n');
});

describe('the ambient clock', () => {
  test('answers arrive by fake timers', async (t) => {
    t.mock.timers.enable({ apis: ['Date', 'setTimeout'] });
    const { client } = start({ clock: 'ambient', latency: '250ms' });
    const locked = client.lock(lockOf('bbs', 'bbs-0'));

    t.mock.timers.tick(249);
    assert.equal(await isSettled(locked), false);
    t.mock.timers.tick(1);
    await locked;
  });

  test('a TTL is as long on a clock that has gone on while the server was made', async (t) => {
    let ms = 100_000;
    t.mock.method(Date, 'now', () => (ms += 1));
    const { server, client } = start({ clock: 'ambient' });
    t.mock.method(Date, 'now', () => ms);
    ms = 0;
    await client.lock(lockOf('bbs', 'bbs-0'));
    ms = 14_999;
    assert.equal(server.table().length, 1);
    ms = 15_000;
    assert.deepEqual(server.table(), []);
  });

  const FAKES = {
    'node:test': (t) => {
      t.mock.timers.enable();
      return (ms) => t.mock.timers.tick(ms);
    },
    'sinon, as vitest and jest have it': (t) => {
      const fake = FakeTimers.install({ now: 0 });
      t.after(() => fake.uninstall());
      return (ms) => fake.tick(ms);
    },
  };
  for (const [name, install] of Object.entries(FAKES)) {
    test(`rows expire although fake timers set the time back to 1970 after the server was made: ${name}`, async (t) => {
      const { server, client } = start({ clock: 'ambient' });
      const tick = install(t);
      await client.lock(lockOf('bbs', 'bbs-0'));
      tick(14_999);
      assert.equal(server.table().length, 1);
      tick(1);
      assert.deepEqual(server.table(), []);
    });

    test(`a lock is lost at its end although fake timers set the time back while it was held: ${name}`, async (t) => {
      const { server, client } = start({ clock: 'ambient' });
      const lock = await client.acquire({ key: 'bbs', owner: 'bbs-0' });
      const tick = install(t);
      server.stop();
      assert.equal(lock.held, true);
      tick(15_000);
      assert.equal(lock.held, false);
    });
  }

  test('a time that is set back counts for nothing, and what passes afterwards counts', (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 100_000 });
    const { clock } = new LocketServer({ clock: 'ambient' });
    const seen = [0, 5_000, -80_000, 1, 0, -3, 10].map((ms) => (t.mock.timers.setTime(Date.now() + ms), clock.now));
    assert.deepEqual(seen, [100_000, 105_000, 105_000, 105_001, 105_001, 105_001, 105_011]);
  });
});
