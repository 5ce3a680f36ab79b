// A client that the program under test makes itself: it lives on the clock of the test, or the test says that it does not.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';

import { LocketServer, VirtualClock } from 'locket-wasm';
import { LocketClient } from 'locket-wasm/client';
import { serve } from 'locket-wasm/serve';
import { withLocket } from 'locket-wasm/testing';
import { http } from 'msw';
import { setupServer } from 'msw/node';

import { failureOf, isSettled } from '../support/helpers.mjs';

const require = createRequire(import.meta.url);
const BASE = { baseUrl: 'http://locket.test', owner: 'own' };
const SETTINGS = { key: 'leader' };

/** Over Mock Service Worker, as a program without an argument for `fetch`. */
async function overMsw(server, use) {
  const network = setupServer(http.post('*/models.Locket/:method', ({ request }) => server.fetch(request)));
  network.listen({ onUnhandledRequest: 'bypass' });
  try {
    await use();
  } finally {
    network.close();
  }
}

/** Ways to make a client that follows the clock of a server. */
const FOLLOWING = {
  'that has the fetch of a server': (server) => new LocketClient({ ...BASE, fetch: server.fetch }),
  'that is the CommonJS copy of the package': (server) => new (require('locket-wasm/client').LocketClient)({ ...BASE, fetch: server.fetch }),
  'of the main entry': (server) => new (require('locket-wasm').LocketClient)({ ...BASE, fetch: server.fetch }),
  'that has the clock, and a fetch around that of the server': (server) =>
    new LocketClient({ ...BASE, clock: server.clock, fetch: (...call) => server.fetch(...call) }),
};

for (const [which, make] of Object.entries(FOLLOWING)) {
  describe(`a client ${which}`, () => {
    test('renews by the clock of the test, so that nobody else gets its lock', withLocket(async ({ server, clock, client }) => {
      const lock = await make(server).acquire(SETTINGS);
      void client('b').acquire(SETTINGS);
      await clock.advanceAsync('10m');
      assert.equal(lock.held, true);
      assert.deepEqual(server.table().map(({ owner }) => owner), ['own']);
      await lock.release();
      await clock.advanceAsync('5s');
      assert.deepEqual(server.table().map(({ owner }) => owner), ['b']);
    }));

    test('stops by that clock when Locket is down, before another owner can have the lock', withLocket(async ({ server, clock, client }) => {
      const lock = await make(server).acquire(SETTINGS);
      const waiting = client('b').acquire(SETTINGS);
      server.setLatency('1h');
      await clock.advanceAsync('13s');
      assert.equal(lock.held, true);
      await clock.advanceAsync('2s');
      assert.equal(lock.held, false);
      server.setLatency('0s');
      await clock.advanceAsync('1m');
      await waiting;
    }));

    test('waits, watches and times out by it', withLocket(async ({ server, clock, client }) => {
      await client('b').acquire(SETTINGS);
      const own = make(server);
      const wait = own.acquire(SETTINGS, { maxWait: '20s' });
      const events = [];
      const watching = (async () => {
        for await (const { type } of own.watch({ kind: 'lock', interval: '10s' })) events.push(type);
      })();
      void watching;
      await clock.advanceAsync('10s');
      assert.equal(await isSettled(wait), false);
      await client('c').lock({ key: 'other', owner: 'c', ttl: '15s' });
      await clock.advanceAsync('10s');
      assert.equal((await failureOf(wait)).name, 'LockTimeoutError');
      assert.deepEqual(events, ['snapshot', 'added']);
      server.setLatency('1m');
      const asked = own.fetch('other', { timeout: '5s' });
      await clock.advanceAsync('4s');
      assert.equal(await isSettled(asked), false);
      await clock.advanceAsync('1s');
      assert.equal((await failureOf(asked)).codeName, 'DeadlineExceeded');
    }));

    test('is named by the hint of a test that hangs, and cannot be moved without its promises', withLocket(async ({ server, clock, client }) => {
      await client('b').acquire(SETTINGS);
      const own = make(server);
      void own.acquire(SETTINGS).catch(() => {});
      await clock.advanceAsync('1s');
      assert.match(clock.waits()[0].text, /^Client own waits for lock 'leader'; its next attempt is at 5\.000 s\.$/);
      assert.throws(() => clock.advance('1m'), { field: 'advance' });
    }));
  });
}

test('a client follows the program\'s clock with a server that does', withLocket({ clock: 'ambient' }, async ({ server }) => {
  const { mock } = await import('node:test');
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
  try {
    const lock = await new LocketClient({ ...BASE, fetch: server.fetch }).acquire(SETTINGS);
    for (let second = 0; second < 60; second += 1) {
      mock.timers.tick(1_000);
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    }
    assert.deepEqual([lock.held, server.table().length], [true, 1]);
    await lock.release();
  } finally {
    mock.timers.reset();
  }
}));

test('a client over a port follows a clock that it is given', async () => {
  const locket = await serve({ port: 0, clock: 'virtual' });
  const { server } = locket;
  try {
    const lock = await new LocketClient({ baseUrl: locket.url, owner: 'own', clock: server.clock }).acquire(SETTINGS);
    await server.clock.advanceAsync('1m');
    assert.deepEqual([lock.held, server.table().length], [true, 1]);
    await lock.release();
  } finally {
    await locket.close();
  }
});

test('an answer that never comes holds the clock up only once', { timeout: 20_000 }, async () => {
  const clock = new VirtualClock();
  const client = new LocketClient({ ...BASE, clock, fetch: () => new Promise(() => {}) });
  const failed = failureOf(client.fetch('k', { timeout: '30s' }));
  await clock.advanceAsync('1h');
  assert.equal((await failed).codeName, 'DeadlineExceeded');
});

describe('a runner on another clock than the test', () => {
  const ASTRAY = /^'own' keeps 'leader' by another clock than this test's: at 15\.000 s its TTL was over here, and its runner does not know\. Give its client fetch: server\.fetch itself, or clock: server\.clock\.\n[^]*\n +15 s +│ a runner on another clock still keeps leader as own\n/;
  const runs = (use) => failureOf(withLocket(async ({ server, clock }) => {
    await use(server, async (client) => {
      await client.acquire(SETTINGS);
      await clock.advanceAsync('1m');
    });
  })());

  for (const [why, use] of Object.entries({
    'that has a fetch around that of the server': (server, run) => run(new LocketClient({ ...BASE, fetch: (...call) => server.fetch(...call) })),
    'over Mock Service Worker': (server, run) => overMsw(server, () => run(new LocketClient(BASE))),
    'that asks for real time': (server, run) => run(new LocketClient({ ...BASE, clock: 'real', fetch: server.fetch })),
    'of the CommonJS copy, behind a wrapper': (server, run) => run(new (require('locket-wasm/client').LocketClient)({ ...BASE, fetch: (...call) => server.fetch(...call) })),
  })) {
    test(`fails the test, which says what to do: one ${why}`, async () => {
      const { message } = await runs(use);
      assert.match(message, ASTRAY);
    });
  }

  test('is told in the trace of a test that fails otherwise', async () => {
    const { message } = await failureOf(withLocket(async ({ server, clock }) => {
      await new LocketClient({ ...BASE, clock: 'real', fetch: server.fetch }).acquire(SETTINGS);
      await clock.advanceAsync('1m');
      throw new Error('mine');
    })());
    assert.match(message, /^mine\n[^]*still keeps leader as own\n[^]*'own' keeps 'leader' by another clock/);
  });

  const wrapped = (server) => new LocketClient({ ...BASE, fetch: (...call) => server.fetch(...call) });
  for (const [what, body] of Object.entries({
    'a single Lock, which nobody promised to renew': async ({ server, clock }) => {
      await wrapped(server).lock({ ...SETTINGS, ttl: '15s' });
      await clock.advanceAsync('15s');
      assert.deepEqual(server.table(), []);
    },
    'a runner that has released its lock': async ({ server, clock }) => {
      await (await wrapped(server).acquire(SETTINGS)).release();
      await clock.advanceAsync('1m');
    },
    'a runner that was abandoned': async ({ server, clock }) => {
      (await wrapped(server).acquire(SETTINGS)).runner.abandon();
      await clock.advanceAsync('1m');
      assert.deepEqual(server.table(), []);
    },
    'a clock that stays below the TTL': async ({ server, clock }) => {
      await wrapped(server).acquire(SETTINGS);
      await clock.advanceAsync('14s');
    },
    'a row that the test deletes': async ({ server, clock }) => {
      await wrapped(server).acquire(SETTINGS);
      server.deleteRow('leader');
      await clock.advanceAsync('1m');
    },
    'a paused client of the test': async ({ client, clock }) => {
      await client('a').acquire(SETTINGS);
      client('a').pause();
      await clock.advanceAsync('1m');
    },
    'dropped requests of a client on the clock': async ({ server, clock }) => {
      let isDown = false;
      const fetch = (...call) => (isDown ? Promise.reject(new Error('down')) : server.fetch(...call));
      const lock = await new LocketClient({ ...BASE, fetch, clock: server.clock }).acquire(SETTINGS);
      isDown = true;
      await clock.advanceAsync('1m');
      assert.equal(lock.held, false);
    },
  })) {
    test(`is not: ${what}`, withLocket(body));
  }
});

test('a clock of the other copy moves a server, and a value that is none is refused', async () => {
  const clock = new (require('locket-wasm').VirtualClock)();
  const server = new LocketServer({ clock });
  await server.client().lock({ key: 'k', owner: 'o', ttl: '15s' });
  clock.advance('15s');
  assert.deepEqual(server.table(), []);
  const foreign = { now: 0, setTimeout() {}, clearTimeout() {}, advance() {} };
  assert.throws(() => new LocketServer({ clock: foreign }), /clock: expected a VirtualClock or 'ambient', not the VirtualClock of another version of locket-wasm$/);
  assert.throws(() => new LocketClient({ ...BASE, clock: {} }), /clock: expected 'real', 'ambient' or a server's clock, not an object$/);
});
