import { expect, test, vi } from 'vitest';
import { LocketClient } from 'locket-wasm';
import { everyFault, withLocket } from 'locket-wasm/testing/vitest';
import { campaign, OWN_CLIENTS, ownClients, whileTimersAreFake } from '../leader.cjs';

test('the first one stays the leader', withLocket(async ({ server, clock, client }) => {
  await campaign(client('a'), 'a', clock);
  await campaign(client('b'), 'b', clock);
  await clock.advanceAsync('1m');
  expect(server).toHoldLock('leader', 'a');
}));

test('a search has the runs that it has elsewhere', () =>
  expect(everyFault({ faults: { lostReply: true } }, ownClients(LocketClient))()).rejects.toThrow(OWN_CLIENTS), 60_000);

test('fake timers of everything do not reach it, and the ambient clock follows them', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'performance', 'Date'], now: 0 });
  try {
    await whileTimersAreFake({ expect, withLocket, tick: vi.advanceTimersByTime });
  } finally {
    vi.useRealTimers();
  }
});

test('loaded while timers are fake, it works nevertheless', async () => {
  vi.resetModules();
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'queueMicrotask', 'Date'] });
  try {
    const { withLocket: again } = await import('locket-wasm/testing');
    await again(async ({ clock, client }) => {
      await clock.advanceAsync('1h');
      await client().fetchAll({ kind: 'lock' });
    })();
  } finally {
    vi.useRealTimers();
  }
});

test.extend({ fixture: 1 })('it goes with fixtures', withLocket(({ server }, context: { task: { name: string } }) => {
  expect([context.task.name, server.table()]).toEqual(['it goes with fixtures', []]);
}));

if (process.env.HANG) {
  test('a wait for a lock that its holder renews', withLocket(async ({ client }) => {
    await client('a').acquire({ key: 'leader' });
    await client('b').acquire({ key: 'leader' });
  }));
}
