// Programs on hosts: a pause freezes them, a crash ends them, a restart calls them again.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as promises from 'node:timers/promises';
import { promisify } from 'node:util';

import { LocketClient } from 'locket-wasm';
import { withLocket } from 'locket-wasm/testing';

import { failureOf } from '../support/helpers.mjs';

const later = promisify(setTimeout);
const clearly = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Ways of a program to come to a moment 5 s after its start. */
const WAITS = {
  setTimeout: (done) => setTimeout(done, 5_000),
  setInterval: (done) => { const timer = setInterval(() => (clearInterval(timer), done()), 5_000); },
  'a promise around setTimeout': (done) => clearly(5_000).then(done),
  'AbortSignal.timeout': (done) => AbortSignal.timeout(5_000).addEventListener('abort', done),
  'node:timers/promises': (done) => promises.setTimeout(5_000).then(done),
  'scheduler.wait': (done) => promises.scheduler.wait(5_000).then(done),
  'setInterval of node:timers/promises': async (done) => { for await (const _ of promises.setInterval(5_000)) return done(); },
  'promisify(setTimeout)': (done) => later(5_000).then(done),
  'setImmediate after a sleep': (done) => setTimeout(() => setImmediate(done), 5_000),
  'queueMicrotask after a sleep': (done) => setTimeout(() => queueMicrotask(done), 5_000),
  'process.nextTick after a sleep': (done) => setTimeout(() => process.nextTick(done), 5_000),
  'a call after a sleep': (done, { client }) => clearly(5_000).then(() => client.fetchAll({ kind: 'lock' })).then(done),
  'a call of its own client after a sleep': (done, { fetch }) =>
    clearly(5_000).then(() => new LocketClient({ baseUrl: 'http://locket', fetch }).fetchAll({ kind: 'lock' })).then(done),
  'the clock of its argument': (done, { clock }) => clock.sleep('5s').then(done),
  'the renewals of a lock': (done, { client }) => client.acquire({ key: 'k' }, { onEvent: () => {} }).then(() => clearly(5_000)).then(done),
  'an abort listener': (done) => { const end = new AbortController(); end.signal.addEventListener('abort', () => setTimeout(done, 4_000)); setTimeout(() => end.abort(), 1_000); },
};

describe('a program that waits by', () => {
  for (const [name, wait] of Object.entries(WAITS)) {
    for (const [what, act, expected] of [
      ['runs on virtual time', () => {}, [[5_000, 5_000]]],
      ['stands still while it is paused', (client) => client.pause('20s'), [[22_000, 22_000]]],
      ['ends when it crashes', (client) => client.crash(), []],
    ]) {
      test(`${name} ${what}`, withLocket(async ({ host, clock, client }) => {
        const seen = [];
        host('a', (program) => {
          const began = Date.now();
          wait(() => seen.push([clock.now, Date.now() - began]), program);
        });
        await clock.advanceAsync('2s');
        act(client('a'));
        await clock.advanceAsync('1m');
        assert.deepEqual(seen, expected);
      }));
    }
  }
});

describe('a host', () => {
  test('starts again after a crash, with its own part of the network, and its dead start does nothing more', withLocket(async ({ host, server, clock, client }) => {
    const starts = [];
    const a = host('a', async ({ client, start }) => {
      starts.push([start, clock.now]);
      for (;;) {
        await client.lock({ key: `k${start}`, ttl: '5s' });
        await clearly(1_000);
      }
    });
    await clock.advanceAsync('2s');
    client('a').crash();
    a.restart('3s');
    await clock.advanceAsync('10s');
    assert.deepEqual(starts, [[1, 0], [2, 5_000]]);
    assert.deepEqual(server.table().map(({ path }) => path), ['k2']);
  }));

  test('a crash is not told to its program: no call fails, and no work is aborted', withLocket({ latency: '5s', onUnawaited: 'ignore' }, async ({ host, clock, client }) => {
    const told = [];
    host('a', async ({ client: own }) => {
      own.elect({ key: 'leader' }, { onLead: (signal) => signal.addEventListener('abort', () => told.push('abort')) });
      while (told.length === 0) await own.fetchAll({ kind: 'lock' }).catch(() => told.push('failed'));
    });
    await clock.advanceAsync('7s');
    client('a').crash();
    await clock.advanceAsync('1m');
    assert.deepEqual(told, []);
  }));

  test('after a pause due timers run in order, promises settle after each, and replies come last', withLocket({ latency: '1s' }, async ({ host, clock, client }) => {
    const seen = [];
    host('a', ({ client: own }) => {
      own.fetchAll({ kind: 'lock' }).then(() => seen.push('reply'));
      clearly(2_000).then(() => seen.push('second'));
      clearly(1_500).then(() => Promise.resolve()).then(() => seen.push('first'));
    });
    client('a').pause('20s');
    await clock.advanceAsync('30s');
    assert.deepEqual(seen, ['first', 'second', 'reply']);
  }));

  test('an error of its program fails the test, with the trace', async () => {
    const { message } = await failureOf(withLocket(async ({ host, clock }) => {
      host('a', async () => {
        await clearly(1_000);
        throw new Error('the program ends');
      });
      await clock.advanceAsync('5s');
    })());
    assert.match(message, /^the program ends\n\nLocket at 5\.000 s/);
  });

  test('no runner goes on by another clock after a crash of a program that made its own client', withLocket(async ({ host, clock, client }) => {
    host('a', ({ fetch }) => void new LocketClient({ baseUrl: 'http://locket', fetch, owner: 'a' }).elect({ key: 'k' }, { onLead() {} }));
    await clock.advanceAsync('1m');
    client('a').crash();
    await clock.advanceAsync('1m');
  }));

  test('a failure of its program comes before what the test then misses', async () => {
    const { message } = await failureOf(withLocket(({ host, fail }) => {
      host('a', () => fail('two lead'));
      assert.fail('nobody leads');
    })());
    assert.match(message, /^two lead \(at 0 s\)\n\nLocket at/);
  });

  test('one at a time: two hosts at the end of an instant, or one that met the other in it, fail the test, and a frozen one is not there', async () => {
    const body = (pauses, stay) => withLocket(async ({ host, clock, client, oneAtATime }) => {
      const leading = oneAtATime('leading');
      host('a', () => leading(() => clearly(5_000)));
      if (pauses) client('a').pause();
      host('b', () => leading(stay));
      await clock.advanceAsync('10s');
    });
    for (const stay of [() => clearly(5_000), () => {}]) {
      await body(true, stay)();
      assert.match((await failureOf(body(false, stay)())).message, /two at a time in 'leading' at 0 s: a since 0 s, b since 0 s/);
    }
  });

  test('one at a time: a host that acts after it has left fails the test', async () => {
    const { message } = await failureOf(withLocket(async ({ host, clock, oneAtATime }) => {
      const leading = oneAtATime('leading');
      host('a', async () => {
        leading.act('prepares');
        await leading(() => leading.act('writes'));
        leading.act('writes');
      });
      await clock.advanceAsync('1s');
    })());
    assert.match(message, /^a writes at 0 s, after it has left 'leading'/);
  });

  test('one at a time: tells for how long nobody has been in, and at most', withLocket(async ({ host, clock, oneAtATime }) => {
    const leading = oneAtATime('leading');
    host('a', () => clearly(3_000).then(() => leading(() => clearly(2_000))));
    for (const [after, expected] of [['4s', [0, 3_000]], ['2s', [1_000, 3_000]], ['5s', [6_000, 6_000]]]) {
      await clock.advanceAsync(after);
      assert.deepEqual([leading.emptyMs, leading.longestEmptyMs], expected);
    }
  }));

  test('is refused while timers are fake, since its program would wait for them', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { message } = await failureOf(withLocket(({ host }) => void host('a', () => {}))());
    assert.match(message, /^host: The global setTimeout is replaced, [^\n]* leave them real\.\n\nLocket at 0\.000 s[^\n]*\nlocks: no rows\n$/);
  });

  test('the test itself keeps real time, and so does what is outside', withLocket(async ({ host, clock, outside }) => {
    const real = outside('real', () => Date.now());
    const seen = [];
    host('a', async () => seen.push(Date.now(), await real()));
    await clock.advanceAsync('1s');
    assert.equal(new Date(seen[0]).toJSON(), '2026-01-01T00:00:00.000Z');
    assert.ok(Math.abs(Date.now() - seen[1]) < 60_000);
  }));
});
