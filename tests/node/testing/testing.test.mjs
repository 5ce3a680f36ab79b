// locket-wasm/testing in the test runners that it is for, as processes of their own; and by itself.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

import { LocketClient, LocketServer } from 'locket-wasm';
import { assertHoldsLock, assertHoldsPresence, assertRefused, matchers, withLocket } from 'locket-wasm/testing';

import { failureOf, lockOf } from '../support/helpers.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FIXTURES = join(ROOT, 'tests/testing');

const RUNNERS = {
  vitest: { args: [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', join(FIXTURES, 'vitest')], passes: /Tests {2}5 passed/ },
  jest: { args: [join(ROOT, 'node_modules/jest/bin/jest.js'), '--config', join(FIXTURES, 'jest/jest.config.cjs')], passes: /Tests: +4 passed/ },
  'node:test': { args: ['--test', '--test-reporter=spec', join(FIXTURES, 'node/election.test.mjs')], passes: /pass 3\n/ },
};

function run(args, env) {
  // What this runner hands to its own tests would be taken for theirs.
  const clean = { ...process.env, NODE_TEST_CONTEXT: undefined, FORCE_COLOR: undefined, BUG: undefined, LOCKET_SEED: undefined, ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT, env: clean, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ status: error?.code ?? 0, output: stripVTControlCharacters(stdout + stderr) });
    });
  });
}

for (const [runner, { args, passes }] of Object.entries(RUNNERS)) {
  describe(runner, () => {
    test('an election that works passes, with real timers and fake ones', async () => {
      const { status, output } = await run(args, {});
      assert.equal(status, 0, output);
      assert.match(output, passes);
    });

    test('one that does not fails, and shows seed, trace and table', async () => {
      const { status, output } = await run(args, { BUG: '1', LOCKET_SEED: '7' });
      assert.equal(status, 1, output);
      assert.match(output, /expected lock 'leader' to be held by 'a', but no owner holds it/);
      assert.match(output, /Locket at 60\.000 s, seed 7 \(LOCKET_SEED=7 repeats it\)/);
      assert.match(output, / 0 s +b +locks 'leader' as 'b' for 15 s ✗ lock-collision \(AlreadyExists\)\n/);
      assert.match(output, / 15 s +│ row 'leader' of 'a' is deleted\n/);
      assert.match(output, /locks: no rows/);
    });

    test('one that awaits a lock which its holder renews ends with the hint at its line, and with the trace, and shows the table once', async () => {
      const { status, output } = await run(args, { HANG: '1' });
      assert.equal(status, 1, output);
      const errors = output.split(/Client b waits for lock 'leader'; its next attempt is at 5\.000 s\. 'a' holds 'leader', and client a renews it, so time alone does not end this wait\. Release the lock, or crash or pause client a\./).slice(1);
      assert.ok(errors.length > 0, output);
      for (const error of errors) {
        assert.match(error, /Locket at 0\.000 s[^]+locks 'leader' as 'b' for 15 s ✗ lock-collision[^]+election\.test\.\w+:\d+:\d+/);
        assert.equal(error.match(/path +owner +type/g).length, 1, error);
      }
      assert.doesNotMatch(output, /timed out|Exceeded timeout|Unhandled/);
    });
  });
}

describe('withLocket', () => {
  test('every test has a server of its own, which is closed after it, whether it passes or fails', async () => {
    const servers = [];
    const body = async ({ server, client }) => {
      servers.push(server);
      await client().lock(lockOf('k', 'o'));
      if (servers.length === 2) throw new Error('fails');
    };
    await withLocket(body)();
    await failureOf(withLocket(body)());
    assert.notEqual(servers[0], servers[1]);
    for (const server of servers) assert.throws(() => server.table(), /closed/);
  });

  test('a test gets the arguments of its test runner, and the wrapper declares no parameter', async () => {
    const wrapped = withLocket((locket, ...rest) => assert.deepEqual(rest, [1, 2]));
    assert.equal(wrapped.length, 0);
    await wrapped(1, 2);
  });

  test('options are the server\'s', async () => {
    await withLocket({ profile: 'upstream', processes: 2 }, async ({ server, client }) => {
      server.stop(0);
      await client('b', { process: 1 }).release({ key: 'nobody has it', owner: 'o' });
    })();
    const { name, field } = await failureOf(withLocket({ profile: 'nope' }, () => {})());
    assert.deepEqual([name, field], ['LocketArgumentError', 'profile']);
  });

  test('the seed is the option, or the environment\'s', async () => {
    const idOf = async (options) => {
      let id;
      await withLocket(options, async ({ server, client }) => {
        await client().lock(lockOf('k', 'o'));
        [{ modified_id: id }] = server.table();
      })();
      return id;
    };
    const ids = [await idOf({}), await idOf({ seed: 5 })];
    process.env.LOCKET_SEED = '5';
    try {
      assert.equal(await idOf({}), ids[1]);
    } finally {
      delete process.env.LOCKET_SEED;
    }
    assert.notEqual(ids[0], ids[1]);
  });

  test('the report shows calls, answers, changes and actions on processes, in order', async () => {
    const { message, stack } = await failureOf(
      withLocket({ latency: '0s' }, async ({ server, clock, client }) => {
        const me = client('me');
        await me.lock(lockOf('bbs', 'me'));
        clock.advance('1s');
        await me.lock(lockOf('bbs', 'me'));
        await me.fetch('bbs');
        await me.fetchAll({ kind: 'lock' });
        await me.fetchAll({ typeCode: 2 });
        await me.fetchAll({ type: 'lock' });
        await me.fetchAll({}).catch(() => {});
        server.stop();
        await me.release({ key: 'bbs', owner: 'me' }).catch(() => {});
        server.start();
        await server.client().release({ key: 'bbs', owner: 'me' });
        server.setLatency('1s');
        await Promise.all([me.fetchAll({ kind: 'lock' }), clock.advanceAsync('1s')]);
        throw new Error('at last');
      })(),
    );
    const lines = message.split('\n').slice(2, -1);
    assert.deepEqual(lines.map((line) => line.trim().replace(/ +/g, ' ')), [
      'Locket at 2.000 s, seed 0 (LOCKET_SEED=0 repeats it)',
      "0 s me locks 'bbs' as 'me' for 15 s ✓",
      "0 s │ row 'bbs' is created: lock of 'me', TTL 15 s",
      "1 s me locks 'bbs' as 'me' for 15 s ✓",
      "1 s │ row 'bbs' of 'me' is renewed, modified_index 2",
      "1 s me fetches 'bbs' ✓ me holds it",
      '1 s me lists all locks ✓',
      '1 s me lists all presences ✓',
      '1 s me lists all of type lock ✓',
      '1 s me lists all ✗ invalid-type (NotFound)',
      '1 s locket-0 stops',
      "1 s me releases 'bbs' as 'me' ✗ no Locket process answered; call again, or start one (Unavailable)",
      '1 s locket-0 starts',
      "1 s a client releases 'bbs' as 'me' ✓",
      "1 s │ row 'bbs' of 'me' is deleted",
      '1 s me lists all locks ✓, in 1 s',
      'locks: no rows',
    ]);
    assert.ok(stack.startsWith(`Error: ${message}`) && stack.includes('testing.test.mjs'), stack);
  });

  test('raw gRPC-Web calls are in the trace', async () => {
    const { message } = await failureOf(
      withLocket(async ({ server }) => {
        const locket = new LocketClient({ baseUrl: 'http://locket', fetch: server.fetch });
        await locket.lock(lockOf('bbs', 'me'));
        await failureOf(locket.lock(lockOf('bbs', 'you')));
        throw new Error('at last');
      })(),
    );
    assert.match(message, /fetch  locks 'bbs' as 'me' for 15 s ✓\n[^]*fetch  locks 'bbs' as 'you' for 15 s ✗ lock-collision \(AlreadyExists\)\n/);
  });

  test('a thrown value is thrown on, also if it is no error', async (t) => {
    const thrown = new Error('mine');
    assert.equal(await failureOf(withLocket(() => { throw thrown; })()), thrown);
    const { mock } = t.mock.method(console, 'error', () => {});
    assert.equal(await failureOf(withLocket(() => { throw 'a text'; })()), 'a text');
    assert.match(mock.calls[0].arguments[0], /^Locket at 0\.000 s/);
  });

  test('a long trace shows its end', async () => {
    const { message } = await failureOf(
      withLocket(async ({ client }) => {
        for (let call = 0; call < 150; call += 1) await client().lock(lockOf('k', 'o'));
        throw new Error('at last');
      })(),
    );
    assert.match(message, /\n100 earlier lines are left out\n/);
    assert.match(message, /modified_index 150\n/);
  });
});

describe('the watchdog', () => {
  /** What is printed while a test hangs that waits as `wait` does; its clock is moved after that. */
  const warningsOf = async (t, wait, options = {}) => {
    const printed = [];
    t.mock.method(console, 'warn', (text) => printed.push(text));
    await withLocket({ watchdog: '20ms', onUnawaited: 'ignore', ...options }, async (locket) => {
      wait(locket);
      await new Promise((resolve) => setTimeout(resolve, 100));
    })();
    return printed;
  };

  test('says once what waits for the clock, and how to move it', async (t) => {
    const printed = await warningsOf(t, ({ client, server }) => {
      server.putRow({ path: 'bbs', owner: 'thief', type: 'lock', ttl: 60, modified_id: 'x', modified_index: 1 });
      void client('a').acquire({ key: 'bbs', owner: 'a' });
    });
    assert.deepEqual(printed, [
      "Client a waits for lock 'bbs'; its next attempt is at 5.000 s. 'thief' holds 'bbs' with a TTL of 60 s: its release or its expiry ends this wait. The clock is at 0.000 s.",
    ]);
  });

  for (const [what, { wait, text, options }] of Object.entries({
    'a call that takes time': {
      wait: ({ client }) => void client().fetchAll({ kind: 'lock' }),
      options: { latency: '20ms' },
      text: "A client waits for a reply, which arrives at 0.020 s. The clock is at 0.000 s. Call clock.advanceAsync('20ms').",
    },
    'a sleeper': {
      wait: ({ clock }) => void clock.sleep('1.5s'),
      text: "clock.sleep ends at 1.500 s. The clock is at 0.000 s. Call clock.advanceAsync('1500ms').",
    },
    'a sleeper on the machine of a client': {
      wait: ({ client }) => void client('a').clock.sleep('2s'),
      text: "Client a sleeps and wakes at 2.000 s. The clock is at 0.000 s. Call clock.advanceAsync('2s').",
    },
    'a paused client': {
      wait: ({ client }) => (client('a').pause('5s'), void client('a').fetch('k')),
      text: "Client a is paused and resumes at 5.000 s. The clock is at 0.000 s. Call clock.advanceAsync('5s').",
    },
    'a stalled database': {
      wait: ({ server, client }) => (server.stallDatabase('5s'), void client('a').fetch('k')),
      text: 'Client a waits for the database, which answers at an unknown time. The clock is at 0.000 s. Call clock.nextAsync().',
    },
    'a watch': {
      wait: async ({ client }) => {
        for await (const event of client('a').watch({ interval: '2s', kind: 'lock' })) void event;
      },
      text: "Client a watches; its next poll is at 2.000 s. The clock is at 0.000 s. Call clock.advanceAsync('2s').",
    },
  })) {
    test(`tells ${what}`, async (t) => {
      assert.deepEqual(await warningsOf(t, wait, options), [text]);
    });
  }

  test('says nothing of a clock that is moved, or that nothing waits for', async (t) => {
    assert.deepEqual(await warningsOf(t, ({ client }) => void client('a').lock(lockOf('bbs', 'a'))), []);
    const printed = await warningsOf(t, ({ clock }) => {
      void clock.sleep('1h');
      const timer = setInterval(() => clock.advance('1s'), 5);
      setTimeout(() => clearInterval(timer), 100);
    });
    assert.deepEqual(printed, []);
  });

  test('shows the table once, also beside a claim that shows it', async () => {
    const { message } = await failureOf(withLocket(async ({ client, server }) => {
      await client('a').lock(lockOf('k', 'a'));
      assertHoldsLock(server, 'k', 'b');
    })());
    assert.equal(message.match(/path +owner/g).length, 1, message);
  });

  test('can be turned off', async (t) => {
    assert.deepEqual(await warningsOf(t, ({ clock }) => void clock.sleep('1s'), { watchdog: false }), []);
    assert.throws(() => withLocket({ watchdog: '5' }, () => {}), { field: 'watchdog' });
    assert.throws(() => withLocket({ watchdog: 5 }, () => {}), { field: 'watchdog', message: 'watchdog: 5 has no unit; write 5s or 5000ms' });
  });
});

describe('a wait for a lock that another owner holds', () => {
  const warningOf = async (t, hold, options = {}) => {
    const printed = [];
    t.mock.method(console, 'warn', (text) => printed.push(text));
    await withLocket({ watchdog: '20ms', ...options }, async (locket) => {
      await hold(locket);
      void locket.client('b').acquire({ key: 'leader', owner: 'b' });
      await new Promise((resolve) => setTimeout(resolve, 100));
    })();
    assert.equal(printed.length, 1);
    return printed[0].replace("Client b waits for lock 'leader'; its next attempt is at ", '');
  };
  const acquire = async ({ client }) => void (await client('a').acquire({ key: 'leader', owner: 'a-0' }));

  for (const [what, endure] of Object.entries({ 'is paused': ({ client }) => client('a').pause(), 'has crashed': ({ client }) => client('a').crash() })) {
    test(`names when its row expires if the holder ${what}`, async (t) => {
      const warning = await warningOf(t, async (locket) => {
        await acquire(locket);
        endure(locket);
      });
      assert.equal(warning, "5.000 s. 'a-0' holds 'leader' until 15.000 s unless it is renewed: move the clock past that, or release the lock. The clock is at 0.000 s.");
    });
  }

  test('names when a row expires that no runner renews', async (t) => {
    const warning = await warningOf(t, async ({ client, clock }) => {
      await clock.advanceAsync('2s');
      await client('a').lock(lockOf('leader', 'a-0'));
    });
    assert.equal(warning, "7.000 s. 'a-0' holds 'leader' until 17.000 s unless it is renewed: move the clock past that, or release the lock. The clock is at 2.000 s.");
  });
});

describe('a test that awaits no answer', () => {
  const SETTINGS = { key: 'k', owner: 'o' };
  /** The line of this file that is a given number of lines above the call of this function. */
  const lineAbove = (above) => Number(/testing\.test\.mjs:(\d+):/.exec(new Error().stack.split('\n')[2])[1]) - above;

  test('fails, and says which line of it moves the clock', async () => {
    let line;
    const { message, stack } = await failureOf(
      withLocket(async ({ clock, client }) => {
        await client('a').acquire({ key: 'k', owner: 'o' });
        clock.advanceAsync('20s');
        line = lineAbove(1);
      })(),
    );
    assert.match(message, new RegExp(`^clock\\.advanceAsync was never awaited: \\S+testing\\.test\\.mjs:${line}:\\d+\nAwait it`));
    assert.match(stack, new RegExp(`testing\\.test\\.mjs:${line}:`));
    assert.match(message, /Locket at 0\.000 s, seed 0/);
  });

  for (const [call, make] of Object.entries({
    'clock.advanceToAsync': ({ clock }) => clock.advanceToAsync(5),
    'clock.nextAsync': ({ clock }) => clock.nextAsync(),
    'clock.runUntilAsync': ({ clock }) => clock.runUntilAsync(() => true),
    "client('a').lock": ({ client }) => client('a').lock(lockOf('k', 'o')),
    "client('a').release": ({ client, server }) => {
      server.putRow({ path: 'k', owner: 'o', type: 'lock', ttl: 15 });
      return client('a').release({ key: 'k', owner: 'o' });
    },
    'client().fetchAll': ({ client }) => client().fetchAll({ kind: 'lock' }),
    "client('mine').fetchAll": ({ server }) => server.client('mine').fetchAll({ kind: 'lock' }),
  })) {
    test(`fails for ${call}, answered or not`, async () => {
      for (const latency of ['0s', '1s']) {
        const { message } = await failureOf(withLocket({ latency }, (locket) => void make(locket))());
        assert.ok(message.startsWith(`${call} was never awaited: `), message);
        assert.match(message, /testing\.test\.mjs:\d+:\d+/);
      }
      await withLocket({ onUnawaited: 'ignore' }, (locket) => void make(locket))();
      await withLocket((locket) => make(locket))();
      await withLocket(async (locket) => void (await make(locket)))();
      await withLocket(async (locket) => void (await Promise.all([make(locket)])))();
      await withLocket(async (locket) => void (await make(locket).catch(() => {})))();
    });
  }

  for (const [call, make] of Object.entries({
    "client('a').acquire, before its answer": ({ client }) => void client('a').acquire(SETTINGS),
    "client('a').withLock, in the midst of its work": ({ client }) => void client('a').withLock(SETTINGS, () => new Promise(() => {})),
    "client('a').clock.sleep": ({ client }) => void client('a').clock.sleep('5s'),
    'clock.sleep': ({ clock }) => void clock.sleep('5s'),
    "client('a').acquire('k').release": async ({ client, clock }) => {
      const [lock] = await Promise.all([client('a').acquire(SETTINGS), clock.advanceAsync('5s')]);
      lock.release();
    },
  })) {
    test(`fails for ${call}`, async () => {
      const { message } = await failureOf(withLocket({ latency: '1s' }, make)());
      assert.ok(message.startsWith(`${call.split(',')[0]} was never awaited: `), message);
      assert.match(message, /testing\.test\.mjs:\d+:\d+/);
      await withLocket({ latency: '1s', onUnawaited: 'ignore' }, make)();
    });
  }

  test('passes with a lock that a promise of its own has awaited to the end', withLocket(async ({ client, clock }) => {
    const working = client('a').withLock(SETTINGS, () => clock.sleep('5s'));
    await clock.advanceAsync('10s');
    await working;
  }));

  test('passes with a wait for a lock in the background', withLocket(async ({ client, clock }) => {
    await client('a').acquire({ key: 'k', owner: 'a' });
    void client('b').acquire({ key: 'k', owner: 'b' });
    await clock.advanceAsync('1m');
  }));
});

describe('timers', () => {
  test('that are fake beside a virtual clock are told of, and in each report', async (t) => {
    const printed = [];
    t.mock.method(console, 'warn', (text) => printed.push(text));
    const hint =
      "The global setTimeout and Date are replaced, as by fake timers. They do not move the clock of this Locket. Call clock.advanceAsync, or use withLocket({ clock: 'ambient' }, …), which follows them.";
    const body = async ({ client }) => {
      t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
      await client('a').lock(lockOf('k', 'o'));
      t.mock.timers.reset();
    };
    await withLocket(body)();
    await withLocket(body)();
    assert.deepEqual(printed, [hint]);
    const { message } = await failureOf(withLocket(async (locket) => {
      await body(locket);
      throw new Error('mine');
    })());
    assert.ok(message.includes(`\n${hint}\n`), message);
    await withLocket({ clock: 'ambient' }, body)();
    assert.equal(printed.length, 1);
  });

  test('of the program count from the beginning of the test in its report', async () => {
    const { message } = await failureOf(
      withLocket({ clock: 'ambient' }, async ({ client }) => {
        await client('a').lock(lockOf('k', 'o'));
        throw new Error('mine');
      })(),
    );
    assert.match(message, /\nLocket at \d\.\d{3} s, seed 0[^\n]*\n +[\d.]+ s  a  locks 'k' as 'o' for 15 s ✓\n/);
  });
});

describe('a test that ends', () => {
  test('leaves what waits as it is, so that nothing rejects unhandled', async () => {
    const unhandled = [];
    const note = (error) => unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      await withLocket({ latency: '5ms', onUnawaited: 'ignore' }, async ({ client, server }) => {
        void client('a').acquire({ key: 'bbs', owner: 'a' });
        void client('a').fetch('k');
        server.stallDatabase('1s');
        void client('b').fetch('k');
      })();
      await new Promise(setImmediate);
    } finally {
      process.off('unhandledRejection', note);
    }
    assert.deepEqual(unhandled, []);
  });

  test('and fails lists after its own error what was done to clients, and what still waited', async () => {
    const { message } = await failureOf(
      withLocket(async ({ client, clock }) => {
        client('a').pause('20s');
        await clock.advanceAsync('20s');
        client('a').crash();
        void clock.sleep('5s');
        throw new Error('at last');
      })(),
    );
    assert.match(message, /^at last\n[^]* 0 s +a +is paused for 20 s\n +20 s +a +resumes\n +20 s +a +crashes\nlocks: no rows\nclock\.sleep ends at 25\.000 s\.\nclock\.sleep was never awaited: \S+\n$/);
  });

  test('and fails lists a term that ended because onLead failed', async () => {
    const { message } = await failureOf(
      withLocket(async ({ client, clock }) => {
        const lead = async () => {
          await clock.sleep('3s');
          throw new Error('no disk');
        };
        const election = client('a').elect({ key: 'bbs' }, { onLead: lead });
        await clock.advanceAsync('5s');
        assert.equal((await election.ended).reason, 'stopped');
      })(),
    );
    assert.match(message, / 3 s +a +ends its term of 'bbs', since onLead failed: no disk\n +3 s +a +releases 'bbs' as 'a' ✓\n/);
  });
});

describe('claims', () => {
  test('they distinguish locks from presences, and owners from others', async () => {
    const server = new LocketServer();
    await server.client().lock(lockOf('bbs', 'me'));
    await server.client().lock({ ...lockOf('cell', 'me'), kind: 'presence' });
    assertHoldsLock(server, 'bbs');
    assertHoldsLock(server, 'bbs', 'me');
    assertHoldsPresence(server, 'cell', 'me');
    for (const wrong of [
      () => assertHoldsLock(server, 'bbs', 'you'),
      () => assertHoldsLock(server, 'cell'),
      () => assertHoldsPresence(server, 'bbs'),
      () => assertHoldsLock(server, 'nothing'),
    ]) {
      assert.throws(wrong, { name: 'AssertionError', message: /^expected (lock|presence) '\w+' to be held/ });
    }
    assert.throws(() => assertHoldsLock({}, 'k'), /expected a LocketServer/);
  });

  test('a refusal is distinct from a success, from another reason and from an unknown outcome', async () => {
    const server = new LocketServer();
    const client = server.client();
    await assertRefused(client.fetch('k'));
    await assertRefused(client.fetch('k'), 'resource-not-found');
    assert.match((await failureOf(assertRefused(client.fetch('k'), 'lock-collision'))).message, /with lock-collision, but got refused: resource-not-found/);
    assert.match((await failureOf(assertRefused(client.fetchAll({ kind: 'lock' })))).message, /but got a success/);
    server.stop();
    assert.match((await failureOf(assertRefused(client.lock(lockOf('k', 'o'))))).message, /but got unknown: /);
    for (const then of [() => {}, () => ({})]) {
      assert.match((await failureOf(assertRefused({ then }))).message, /expected the promise that a call returned/);
    }
  });

  test('matchers say the opposite when they are negated', async () => {
    const server = new LocketServer();
    await server.client().lock(lockOf('bbs', 'me'));
    const { pass, message } = matchers.toHoldLock(server, 'bbs', 'me');
    assert.deepEqual([pass, message().split('\n')[0]], [true, "expected lock 'bbs' not to be held by 'me', but 'me' holds it"]);
  });
});
