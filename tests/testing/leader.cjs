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

/** The digest of the run that finds the flaw of `ownClients`, in any test runner. */
exports.OWN_CLIENTS = /a:fetchAll1:sent=lostReply' repeats this run alone, with digest 6114f436/;

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
