const { LocketClient } = require('locket-wasm');
const { everyFault, withLocket } = require('locket-wasm/testing/jest');
const { campaign, OWN_CLIENTS, ownClients, whileTimersAreFake } = require('../leader.cjs');

test('the first one stays the leader', withLocket(async ({ server, clock, client }) => {
  await campaign(client('a'), 'a', clock);
  await campaign(client('b'), 'b', clock);
  await clock.advanceAsync('1m');
  expect(server).toHoldLock('leader', 'a');
}));

test('a search has the runs that it has elsewhere', () =>
  expect(everyFault({ faults: { lostReply: true } }, ownClients(LocketClient))()).rejects.toThrow(OWN_CLIENTS), 60_000);

test('fake timers do not reach it, and the ambient clock follows them', async () => {
  jest.useFakeTimers({ now: 0 });
  try {
    await whileTimersAreFake({ expect, withLocket, tick: jest.advanceTimersByTime });
  } finally {
    jest.useRealTimers();
  }
});

// Its last line never ends.
const waits = async ({ client }) => {
  await client('a').acquire({ key: 'leader' });
  await client('b').acquire({ key: 'leader' });
};
if (process.env.HANG) test('a wait for a lock that its holder renews', withLocket(waits));
