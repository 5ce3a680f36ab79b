// Timers are fake before anything is loaded: run with fakeTimers.enableGlobally.

const { withLocket } = require('locket-wasm/testing/jest');

test('loaded while timers are fake, it works nevertheless', withLocket(async ({ server, clock, client }) => {
  await client().lock({ key: 'k', owner: 'o', ttl: '15s' });
  await clock.advanceAsync('15s');
  expect(server).not.toHoldLock('k');
}));
