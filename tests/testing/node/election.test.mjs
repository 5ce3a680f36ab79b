import { mock, test } from 'node:test';
import { assertHoldsLock, assertHoldsPresence, assertRefused, withLocket } from 'locket-wasm/testing';
import { campaign } from '../leader.cjs';

test('the first one stays the leader', withLocket(async ({ server, clock, client }) => {
  await campaign(client('a'), 'a', clock);
  await campaign(client('b'), 'b', clock);
  await clock.advanceAsync('1m');
  assertHoldsLock(server, 'leader', 'a');
}));

test('fake timers do not reach it, and the ambient clock follows them', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'], now: 0 });
  try {
    await withLocket(async ({ server, clock, client }) => {
      await client().lock({ key: 'k', owner: 'o', ttl: '15s' });
      await clock.advanceAsync('14s');
      assertHoldsLock(server, 'k');
      await clock.advanceAsync('1s');
      await assertRefused(client().fetch('k'), 'resource-not-found');
    })();
    await withLocket({ clock: 'ambient' }, async ({ server, client }) => {
      await client().lock({ key: 'k', owner: 'o', kind: 'presence', ttl: '15s' });
      mock.timers.tick(14_999);
      assertHoldsPresence(server, 'k', 'o');
      mock.timers.tick(1);
      await assertRefused(client().fetch('k'), 'resource-not-found');
    })();
  } finally {
    mock.timers.reset();
  }
});

// This process would never end if they went on.
test('runners that are left running end with the test', withLocket({ clock: 'ambient' }, async ({ server, client }) => {
  client('a').presence({ key: 'cell', owner: 'a' });
  await client('a').acquire({ key: 'bbs', owner: 'a' });
  assertHoldsPresence(server, 'cell', 'a');
}));

// Its last line never ends.
const waits = async ({ client }) => {
  await client('a').acquire({ key: 'leader' });
  await client('b').acquire({ key: 'leader' });
};
if (process.env.HANG) test('a wait for a lock that its holder renews', withLocket(waits));
