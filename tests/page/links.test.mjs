// An address is the whole branch: random acts at random moments of random stories, with the cursor anywhere, reopen the same run at the
// same place. `LINK_SEED=… LINK_ADDRESSES=…` replays them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { randomOf } from '../node/support/diagnose-logs.mjs';
import { loadCore } from './support/core.mjs';

const SEED = Number(process.env.LINK_SEED ?? Math.floor(Math.random() * 2 ** 31));
const ADDRESSES = Number(process.env.LINK_ADDRESSES ?? 40);
// The session plays by the browser's clock, which stands still here.
Object.assign(globalThis, { cancelAnimationFrame: () => {} });
const page = await loadCore('core/session.svelte', 'core/address', 'core/rule', 'core/stories');
const random = randomOf(SEED);
const upTo = (limit) => Math.floor(random() * limit);
const pick = (list) => list[upTo(list.length)];

const shown = ({ timeline, nowMs, happened, branch, caption }) => ({ digest: timeline.digest, nowMs, happened, caption, acts: branch.manualActions.length });

function doSomething(session) {
  const { name } = pick(session.cast.filter(({ isRunner }) => isRunner));
  const step = pick([
    () => session.act(pick([{ do: 'pause', node: name, for: `${1 + upTo(25)}s` }, { do: 'crash', node: name }, { do: 'start', node: name }, { do: 'cut', from: name, to: 'locket' }, { do: 'stall', for: '2s' }])),
    () => session.set(pick([{ ttlMs: (2 + upTo(29)) * 1_000 }, { retryIntervalMs: (1 + upTo(20)) * 1_000 }])),
    () => session.set(pick([page.libraryNamed(pick(page.LIBRARY_NAMES)), { runner: { lease: { from: 'request' }, timeout: `${1 + upTo(9)}s` } }])),
    () => session.switchTo(pick(session.branches).id),
    () => session.undo(),
  ]);
  // Within an instant.
  session.seekEvent(upTo(session.timeline.events.length));
  step();
}

test(`${ADDRESSES} random addresses open the same run at the same place (LINK_SEED=${SEED})`, async () => {
  for (let number = 0; number < ADDRESSES; number += 1) {
    const session = new page.Session();
    await session.load({ story: pick(page.stories) });
    for (let steps = upTo(4); steps > 0; steps -= 1) doSomething(session);
    if (!session.isFreshAction) session.seek(upTo(session.endMs + 1));
    const address = page.writeAddress({ view: 'diagram', ...session.address });
    assert.ok(address.length < 4_000, address);
    const opened = new page.Session();
    await opened.load(page.readAddress(address));
    assert.deepEqual({ ...shown(opened), problem: opened.problem }, { ...shown(session), problem: undefined }, address);
    // What is done there next falls into the same step of the instant.
    assert.equal(...[session, opened].map((one) => (one.act({ do: 'crash', node: one.cast.find(({ isRunner }) => isRunner).name }), one.timeline.digest)), address);
  }
});
