// A presence on the stage: a cell that is cut off leaves the list, its work starts elsewhere, and it comes back by itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Simulation } from 'locket-wasm';
import { explore, questionOfRun, safetyMargin } from 'locket-wasm/check';
import { stories } from 'locket-wasm/stories';

import { loadCore } from './support/core.mjs';
import { caption, digest, gameOf, openGame, outcome, RANDOM, randomHolds, seconds } from './support/game.mjs';
import { testPage } from './support/page.mjs';

const site = await testPage();
const own = await loadCore('play/acts', 'play/made', 'play/presence', 'play/result');

/** What the package's run of the game in the address has: how long A was not in the list, how long the BBS knew it, and the shortest cut that is enough. */
async function known(page) {
  const game = gameOf(page, own);
  return { ...knownOf(game), neededMs: await neededOf(game) };
}

async function neededOf({ settings, acts: [{ atMs }] }) {
  const { moments } = await safetyMargin(own.scenarioOf(settings, atMs), { fault: 'isolation', node: 'cell-1', step: `${atMs}ms`, maxPause: '60s', pauseStep: '100ms' });
  return moments.findLast((moment) => moment.atMs === atMs).smallestMs;
}

/** What the line has to say. */
function lineOf({ missingMs, twiceMs, cutMs, neededMs }) {
  if (missingMs === 0) return `You let go ${seconds(neededMs - cutMs)} too early. A stayed in the list.`;
  const twice = twiceMs === 0 ? 'The BBS did not read it in that time.' : `Its work ran twice for ${seconds(twiceMs)}.`;
  return `A was missing from the list for ${seconds(missingMs)}. ${twice} You cut A off for ${seconds(cutMs)}; it leaves the list from ${seconds(neededMs)} on.`;
}

function knownOf({ settings, acts }, endMs = own.endOf(acts)) {
  const simulation = new Simulation(own.scenarioOf(settings, own.endOf(acts)));
  own.perform(simulation, acts);
  const { holders, events, digest } = simulation.timeline();
  const listed = holders.filter(({ owner }) => owner === 'cell-1');
  const within = (fromMs, toMs) => Math.max(Math.min(toMs, endMs) - fromMs, 0);
  const missingMs = listed.reduce((sum, { toMs }, index) => sum + within(toMs, listed[index + 1]?.fromMs ?? endMs), 0);
  let [twiceMs, fromMs] = [0, undefined];
  for (const { timeMs, answer } of [...events.filter(({ kind, who }) => kind === 'answered' && who === 'bbs'), { timeMs: endMs, answer: 'cell-1' }]) {
    if (answer.includes('cell-1') && fromMs !== undefined) twiceMs += within(fromMs, timeMs);
    fromMs = answer.includes('cell-1') ? undefined : (fromMs ?? timeMs);
  }
  return { digest, cutMs: acts[0].untilMs - acts[0].atMs, missingMs, twiceMs };
}

test('a cell that is held leaves the list, the BBS starts its work on the other cell, and it comes back by itself', async () => {
  const page = await openGame(site, '#play=15-5-p');
  assert.equal(await caption(page), 'Hold A to cut it off. Will its work run twice?');
  const { x, y, width, height } = await page.getByRole('button', { name: 'Hold to cut A off' }).boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.clock.runFor(1_000);
  assert.match(await caption(page), /^A is cut off\. It stays in the list for \d+\.\d s without a renewal\.$/);
  await page.clock.runFor(7_000);
  assert.equal(await caption(page), 'A is cut off. The BBS has started its work on B.');
  assert.match(await page.getByRole('main').getByRole('img').getAttribute('aria-label'), /^A is not in the list\. A is cut off\. A’s work runs twice, on A and on B\.$/);
  await page.mouse.up();
  await page.clock.fastForward(10_000);
  const line = await outcome(page);
  const facts = await known(page);
  assert.equal(await digest(page), facts.digest);
  assert.ok(facts.missingMs > 0 && facts.twiceMs > 0);
  assert.equal(line, lineOf(facts));
});

test('a renewal that is seen to be lost is not beside the words about none', () => {
  const { presence, run } = own.make(own.readPlayed('15-5-p.cA6050-26050'));
  const scenes = Array.from({ length: 600 }, (_, index) => 4_000 + index * 40).map((timeMs) => own.presenceScene(presence, { fromMs: timeMs - 1_200, toMs: run.endMs, pinMs: 0, caption: '' }, timeMs));
  const says = scenes.map(({ clients, flights }) => [clients[0].misses, flights.some(({ client }) => client === 'A')]);
  assert.ok(says.some(([misses]) => misses));
  assert.deepEqual(says.filter(([misses, flies]) => misses && flies), []);
});

test('the verdict is the package’s answer about gaps of this presence', async () => {
  const page = await openGame(site, '?still#play=15-5-p.cA6050-26050');
  const line = page.locator('[data-verdict-line]');
  await line.waitFor();
  const { settings, acts } = own.readPlayed('15-5-p.cA6050-26050');
  const simulation = new Simulation(own.scenarioOf(settings, 60_000));
  own.perform(simulation, acts);
  simulation.seek({ timeMs: 60_000 });
  const { question } = questionOfRun(simulation, { faults: 'happened', bounds: { latency: '1s' } });
  const { summary } = await explore({ ...question, property: { is: 'presence-gap', allow: '0s' } });
  assert.equal(await line.innerText(), summary.split('. ')[0] + '.', 'its first sentence');
});

test('in the diagram a presence has words of its own: no lock, no two owners, no lane of a key that no client has', async () => {
  const page = await site.open('?still#story=presence-comes-back-after-a-gap&t=22000');
  await page.locator('[data-verdict]:not([data-verdict="running"])').waitFor();
  assert.deepEqual(await page.locator('[data-lane]').evaluateAll((heads) => heads.map((head) => head.dataset.lane)), ['row:cell-1', 'node:cell-1']);
  assert.match(await page.locator('[data-lane="row:cell-1"]').innerText(), /The presence.*missing/s);
  assert.equal(await page.locator('[data-caption]').innerText(), '22.0 s: A is cut off. The presence is missing.');
  assert.match(await page.locator('[data-verdict]').innerText(), /the presence can be missing|Safe within these bounds/);
  assert.match(await page.locator('[data-status]').innerText(), /No presence for 10\.0 s in this run/);
  assert.doesNotMatch(await page.locator('.diagram').innerText(), /\block\b|two owners/i);
});

test('the margin of a presence is the freeze after which it is missing, as the package has it', async () => {
  const id = 'presence-comes-back-after-a-gap';
  const { moments, harm } = await safetyMargin(stories[id]);
  assert.equal(harm, 'presence-gap');
  const page = await site.open(`?still#story=${id}&t=4000`);
  await page.locator('[data-danger="known"]').waitFor();
  assert.match(await page.getByRole('group', { name: 'Safety margin' }).innerText(), new RegExp(`At 4\\.0 s a freeze of A for ${moments[4].smallestMs / 1_000} s gives a gap\\.`));
});

test('a link shows the cut of its sender, and has no act that is not one of a presence', async () => {
  const page = await openGame(site, '#play=15-5-p.cA6050-26050');
  assert.equal(await page.locator('.hook').innerText(), 'The sender of this link cut A off for 20 s. Watch.');
  for (const text of ['15-5-p.fA6050-26050', '15-5-p.cB6050-26050', '15-5-u.cA6050-26050', '15-5-p.d9000']) assert.equal(own.readPlayed(text), undefined, text);
});

test(`the line is true of ${RANDOM}`, async () => {
  for (const { settings, atMs, untilMs } of randomHolds()) {
    const game = own.readPlayed(own.writePlayed({ settings: { ...settings, isSafe: false, isPresence: true }, acts: [{ do: 'cut', client: 'A', atMs, untilMs }] }));
    const made = own.make(game);
    const facts = { ...knownOf(game, made.overMs), neededMs: await neededOf(game) };
    assert.equal(facts.missingMs > 0, facts.cutMs >= facts.neededMs, own.writePlayed(game));
    assert.equal(own.resultLine(made, game.acts, 'You', { is: 'known', ms: facts.neededMs }), lineOf(facts), own.writePlayed(game));
  }
});
