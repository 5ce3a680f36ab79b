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
