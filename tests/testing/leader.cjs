// What the fixtures test: a leader election over Locket. With BUG set, the leader forgets to renew.

const { LocketError } = require('locket-wasm');

/** Campaigns at once and, as leader or not, every 5 s. */
exports.campaign = async function campaign(locket, owner, clock) {
  const attempt = async () => {
    try {
      await locket.lock({ key: 'leader', owner, ttl: '15s' });
    } catch (error) {
      if (!(error instanceof LocketError && error.reason === 'lock-collision')) throw error;
      clock.setTimeout(attempt, 5_000);
      return;
    }
    if (!process.env.BUG) clock.setTimeout(attempt, 5_000);
  };
  await attempt();
};

/** In vitest and in jest: fake timers reach no server with a clock of its own, and the ambient clock follows them. */
exports.whileTimersAreFake = async ({ expect, withLocket, tick }) => {
  await withLocket(async ({ server, clock, client }) => {
    await client().lock({ key: 'k', owner: 'o', ttl: '15s' });
    await clock.advanceAsync('14s');
    expect(server).toHoldLock('k');
    await clock.advanceAsync('1s');
    expect(server).not.toHoldLock('k');
    await expect(client().fetch('k')).rejects.toBeRefused('resource-not-found');
  })();
  await withLocket({ clock: 'ambient' }, async ({ server, client }) => {
    await client().lock({ key: 'k', owner: 'o', kind: 'presence', ttl: '15s' });
    tick(14_999);
    expect(server).toHoldPresence('k', 'o');
    tick(1);
    expect(server).not.toHoldPresence('k');
  })();
};

/** The digest of the run that finds the flaw of `ownClients`, in any test runner. */
exports.OWN_CLIENTS = /a:fetchAll1:sent=lostReply' repeats this run alone, with digest e61ae178/;

/** Programs with clients of their own, which call at the same instant. A lost reply is their flaw. */
exports.ownClients = (LocketClient) => async ({ host, clock, fail }) => {
  for (const owner of ['a', 'b']) {
    host(owner, async ({ fetch }) => {
      const locket = new LocketClient({ baseUrl: 'http://locket', fetch, owner });
      locket.elect({ key: 'k' }, { onLead: () => locket.fetch('k') });
      for (;;) {
        await locket.fetchAll({ kind: 'lock' }, { timeout: '4s' }).catch(() => fail('no answer'));
        await locket.fetch(owner).catch(() => {});
        await new Promise((done) => setTimeout(done, 5_000));
      }
    });
  }
  await clock.advanceAsync('10s');
};
