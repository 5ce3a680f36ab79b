// Runners over the network's carrier, on fake timers: servers that refuse, hang and answer late, and a machine that sleeps.

import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';

import FakeTimers from '@sinonjs/fake-timers';
import { LocketClient, LocketServer, LockLostError } from 'locket-wasm';

const BBS = { key: 'bbs', owner: 'bbs-0' };
const immediate = promisify(setImmediate);

const unseen = [];
const note = (error) => unseen.push(error);
process.on('unhandledRejection', note);
process.on('warning', note);
after(() => assert.deepEqual(unseen, []));

let clock, server, client, network;

beforeEach(() => {
  // What a page and Node have to tell the time; what streams are made of stays real.
  clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: 1_700_000_000_000 });
  server = new LocketServer({ profile: 'upstream', clock: 'ambient' });
  network = new Network();
  client = new LocketClient({ baseUrl: 'http://locket.test', fetch: network.fetch, clock: 'ambient' });
});

afterEach(async () => {
  await idle();
  clock.uninstall();
  server.close();
});

/** Between client and server: a way to behave for each request, and the requests that were made. */
class Network {
  requests = [];
  /** Takes what the server would answer, and may do something else. */
  behave = (serve) => serve();
  #busy = 0;

  fetch = async (url, init) => {
    this.requests.push({ method: url.split('/').at(-1), signal: init.signal });
    const serve = async () => {
      this.#busy += 1;
      try {
        return await server.fetch(url, { ...init, signal: undefined });
      } finally {
        this.#busy -= 1;
      }
    };
    return this.behave(serve);
  };

  get isBusy() {
    return this.#busy > 0;
  }

  count(method) {
    return this.requests.filter((request) => request.method === method).length;
  }
}

const isThrown = (call) => {
  try {
    call();
    return false;
  } catch (error) {
    return error instanceof LockLostError;
  }
};
const hang = () => new Promise(() => {});
const refuse = async () => new Response('RBAC: access denied', { status: 403 });
const unreachable = async () => {
  throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
};

/** Lets everything happen that needs no time. */
async function idle() {
  for (let turns = 0; turns < 5 || network.isBusy; turns += 1) await immediate();
}

/** Lets time pass, a little at a time. */
async function pass(ms) {
  await idle();
  for (let left = ms; left > 0; left -= 50) {
    clock.tick(Math.min(50, left));
    await idle();
  }
}

async function acquired(options) {
  const lock = client.acquire({ ...BBS, ...options });
  await idle();
  return lock;
}

describe('a server that answers', () => {
  test('the timeout of a client holds for runners that have none', async () => {
    network.behave = hang;
    const impatient = new LocketClient({ baseUrl: 'http://locket.test', fetch: network.fetch, clock: 'ambient', timeout: '700ms' });
    const runner = impatient.lockRunner({ ...BBS, runner: 'upstream' });
    await pass(1_500);
    assert.deepEqual([network.count('Lock'), network.count('Fetch')], [1, 1]);
    network.behave = (serve) => serve();
    await pass(5_000);
    assert.equal(runner.held, true);
  });
});

describe('a server that does not', () => {
  test('a lock whose server hangs is given up before its TTL ends', async () => {
    const lock = await acquired();
    network.behave = hang;
    await pass(13_950);
    assert.equal(lock.held, true);
    await pass(50);
    assert.deepEqual([lock.held, lock.signal.aborted, server.table().length], [false, true, 1]);
    assert.ok(lock.signal.reason instanceof LockLostError);
    assert.match(lock.signal.reason.message, /the last attempt failed: context deadline exceeded/);
    assert.equal((await lock.exited).reason, 'lost');
    assert.ok(network.requests.every(({ signal }, index) => index === 0 || signal.aborted), 'a connection was left open');
  });

  test('stopping a runner whose server hangs takes two retry intervals at most, and its lock ends when the Release leaves', async () => {
    const lock = await acquired();
    network.behave = hang;
    await pass(6_000);
    let exit;
    void lock.release().then((how) => (exit = how));
    // The attempt has 4 s left, and the Release gets 5 s.
    await pass(4_000);
    assert.deepEqual([lock.signal.aborted, network.count('Release')], [true, 1]);
    await pass(4_900);
    assert.equal(exit, undefined);
    await pass(100);
    assert.deepEqual([exit.reason, exit.released, exit.error.codeName], ['stopped', false, 'DeadlineExceeded']);
    assert.equal(clock.countTimers(), 0);
  });

  test('a refusal of a proxy has its own code, and a runner asks it again', async () => {
    network.behave = refuse;
    const events = [];
    const runner = client.lockRunner(BBS);
    for (const type of ['retrying', 'exited']) runner.addEventListener(type, (event) => events.push(event));
    await pass(11_000);
    const { codeName, outcome } = events[0].error;
    assert.deepEqual([codeName, outcome, network.count('Lock')], ['PermissionDenied', 'refused', 3]);
    void runner.stop();
    await pass(1_000);
    assert.deepEqual(events.at(-1).exit.reason, 'stopped');
  });

  for (const [status, codeName] of [[401, 'Unauthenticated'], [403, 'PermissionDenied'], [404, 'Unimplemented']]) {
    test(`a wait ends when a proxy says ${status}, which no retry mends`, async () => {
      network.behave = async () => new Response('no', { status });
      const lock = client.acquire(BBS);
      lock.catch(() => {});
      await pass(1_000);
      await assert.rejects(lock, { name: 'LocketError', codeName, outcome: 'refused' });
      assert.deepEqual([network.count('Lock'), clock.countTimers()], [1, 0]);
    });
  }

  for (const [name, behave] of Object.entries({
    'overloaded': async () => new Response(null, { status: 503 }),
    'being deployed': async () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    'not there': unreachable,
    'silent': hang,
  })) {
    test(`a wait goes on while Locket is ${name}, and says so when it is given up`, async () => {
      network.behave = behave;
      const controller = new AbortController();
      const waits = [client.acquire(BBS), client.acquire({ ...BBS, owner: 'bbs-1' }, { signal: controller.signal })];
      await pass(31_000);
      controller.abort();
      const error = await waits[1].catch((thrown) => thrown);
      assert.equal(error.message, `context canceled (Canceled); the last attempt failed: ${error.lastError.message}`);
      network.behave = (serve) => serve();
      await pass(31_000);
      assert.equal((await waits[0]).held, true);
    });
  }
});

describe('a machine that sleeps', () => {
  /** Closes the lid: timers and the monotonic clock stand still, and only the wall clock goes on. */
  const sleep = (ms) => clock.setSystemTime(Date.now() + ms);

  // A loop `while (!signal.aborted)` goes on before any timer can fire.
  const QUESTIONS = {
    'held': ({ held }) => !held,
    'signal.aborted': ({ signal }) => signal.aborted,
    'signal.reason': ({ signal }) => signal.reason instanceof LockLostError,
    'signal.throwIfAborted()': ({ signal }) => isThrown(() => signal.throwIfAborted()),
    'AbortSignal.any([signal])': ({ signal }) => AbortSignal.any([signal]).aborted,
    'runner.signal': ({ runner }) => runner.signal === undefined,
  };
  for (const [question, hasEnded] of Object.entries(QUESTIONS)) {
    test(`${question} looks at the clocks, so it knows of the end before any timer fires`, async () => {
      const lock = await acquired();
      await pass(2_000);
      assert.equal(hasEnded(lock), false);
      sleep(20_000);
      assert.equal(hasEnded(lock), true);
      assert.equal((await lock.exited).reason, 'lost');
    });
  }

  test('a fetch that is begun with the signal of a lock that ended meanwhile sends nothing', async () => {
    const lock = await acquired();
    sleep(20_000);
    const error = await fetch('http://127.0.0.1:9', { signal: lock.signal }).catch((thrown) => thrown);
    assert.ok(error instanceof LockLostError);
  });

  test('the signal is an AbortSignal, whose listeners hear of the end once', async () => {
    const lock = await acquired();
    const { signal } = lock;
    assert.ok(signal instanceof AbortSignal);
    let heard = 0;
    signal.addEventListener('abort', () => (heard += Number(signal.aborted && !lock.held)));
    const any = AbortSignal.any([signal]);
    sleep(20_000);
    assert.deepEqual([signal.aborted, signal.aborted, any.aborted, any.reason === signal.reason, heard], [true, true, true, true, 1]);
    assert.throws(() => signal.throwIfAborted(), (error) => error === signal.reason);
  });

  test('it is given up within a second without a look, before the next renewal', async () => {
    const lock = await acquired();
    const events = [];
    for (const type of ['suspended', 'lost']) lock.runner.addEventListener(type, (event) => events.push(event));
    await pass(100);
    sleep(3_600_000);
    await pass(1_000);
    assert.deepEqual([lock.signal.aborted, events.map(({ type }) => type)], [true, ['suspended', 'lost']]);
    assert.deepEqual([events[0].suspendedMs, network.count('Lock')], [3_600_000, 1]);
  });

  test('a nap within the lease is survived, and the renewal is brought forward', async () => {
    const lock = await acquired();
    await pass(1_000);
    sleep(10_000);
    await pass(1_000);
    assert.deepEqual([lock.held, network.count('Lock')], [true, 2]);
    await pass(60_000);
    assert.equal(lock.held, true);
  });

  test('an answer that waited for the end of the sleep does not bring the lock back', async () => {
    const lock = await acquired();
    let answer;
    network.behave = async (serve) => {
      const response = await serve();
      return new Promise((resolve) => (answer = () => resolve(response)));
    };
    await pass(5_000);
    sleep(60_000);
    answer();
    await idle();
    assert.deepEqual([lock.signal.aborted, (await lock.exited).reason], [true, 'lost']);
  });
});

describe('a signal that many share', () => {
  test('has one listener of ours, and none when no call waits', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...listener) => ((listeners += 1), addEventListener.apply(signal, listener));
    signal.removeEventListener = (...listener) => ((listeners -= 1), removeEventListener.apply(signal, listener));
    network.behave = hang;
    const waits = Array.from({ length: 20 }, (_, i) => client.acquire({ key: `k${i}`, owner: 'o' }, { signal }));
    const calls = Array.from({ length: 20 }, () => client.fetch('k', { signal, timeout: '1s' }));
    void Promise.allSettled(calls);
    assert.equal(listeners, 1);
    await pass(1_000);
    assert.equal(listeners, 1);
    network.behave = (serve) => serve();
    await pass(15_000);
    await Promise.all(waits);
    assert.equal(listeners, 0);
    for (const result of await Promise.allSettled(calls)) assert.equal(result.reason.codeName, 'DeadlineExceeded');
    for (const wait of waits) (await wait).runner.abandon();
  });

  test('tells all of them when it aborts', async () => {
    const controller = new AbortController();
    network.behave = hang;
    const { signal } = controller;
    const calls = [client.fetch('a', { signal }), client.acquire(BBS, { signal }), client.fetch('b', { signal })];
    await idle();
    controller.abort();
    const results = await Promise.allSettled(calls);
    assert.deepEqual(results.map(({ reason }) => reason.codeName), ['Canceled', 'Canceled', 'Canceled']);
    await pass(15_000);
  });
});
