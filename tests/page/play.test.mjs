// Your turn: what a visitor does by mouse, touch and keys, and the line that says what came of it, compared with the package.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Simulation } from 'locket-wasm';
import { explore, questionOfRun, safetyMargin } from 'locket-wasm/check';

import { loadCore } from './support/core.mjs';
import { caption, digest, gameOf, openGame, outcome, RANDOM, randomHolds, seconds } from './support/game.mjs';
import { now, testPage, verdict } from './support/page.mjs';

const site = await testPage();
const own = await loadCore('play/acts', 'play/made', 'play/result');

const disc = (page, letter) => page.getByRole('button', { name: `Hold to freeze ${letter}` });
const phase = (page) => page.locator('[data-play]').getAttribute('data-play');
/** The game that the address has, with its freeze. */
function played(page) {
  const game = gameOf(page, own);
  return { ...game, freeze: game.acts.find((act) => act.do === 'freeze') };
}

function simulationOf({ settings, acts }, untilMs = own.endOf(acts)) {
  const simulation = new Simulation(own.scenarioOf(settings, untilMs));
  own.perform(simulation, acts);
  return simulation;
}

/** For how long the run has two owners, and the shortest freeze that gives two from the same moment. */
async function known({ settings, acts, freeze }) {
  const twoOwnersMs = simulationOf({ settings, acts }).timeline().twoOwners.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const before = simulationOf({ settings, acts: acts.filter(({ atMs }) => atMs < freeze.atMs) }, freeze.atMs);
  const { moments } = await safetyMargin(before, { step: `${freeze.atMs}ms`, maxPause: '60s', pauseStep: '100ms', node: 'bbs-0' });
  const { smallestMs } = moments.findLast(({ atMs }) => atMs === freeze.atMs);
  return { twoOwnersMs, heldMs: freeze.untilMs - freeze.atMs, neededMs: smallestMs };
}

/** What the line has to say. */
function lineOf({ twoOwnersMs, heldMs, neededMs }) {
  if (twoOwnersMs === 0) return neededMs === null ? /^No freeze up to 60 s from there gives two owners\./ : new RegExp(`^You let go ${seconds(neededMs - heldMs)} too early\\. (A renewed in time|The lock had expired, and A took it again first)\\.$`.replaceAll('.0 s', ' s'));
  return new RegExp(`^Two owners for ${seconds(twoOwnersMs)}\\. You froze A for ${seconds(heldMs)}; ${neededMs === heldMs ? `${seconds(neededMs)} is the shortest` : `${seconds(neededMs)} were enough`}\\.$`);
}

/** Presses and holds client A, and gives the way to let go of it. */
const HANDS = {
  'the mouse': {
    async hold(page, { x, y }) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      return () => page.mouse.up();
    },
  },
  'a finger': {
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    async hold(page, point) {
      const browser = await page.context().newCDPSession(page);
      await browser.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
      return () => browser.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    },
  },
  ...Object.fromEntries(['Space', 'Enter'].map((key) => [`the key ${key}`, {
    async hold(page) {
      await disc(page, 'A').focus();
      await page.keyboard.down(key);
      return () => page.keyboard.up(key);
    },
  }])),
};
for (const [hand, { hold, options }] of Object.entries(HANDS)) {
  test(`a freeze by ${hand} that is long enough gives two owners, and the line has the numbers of the package`, async () => {
    const page = await openGame(site, '#play', options);
    assert.equal(await caption(page), 'Hold A to freeze it. Can you make two owners?');
    await disc(page, 'A').scrollIntoViewIfNeeded();
    const { x, y, width, height } = await disc(page, 'A').boundingBox();
    const letGo = await hold(page, { x: x + width / 2, y: y + height / 2 });
    await page.clock.runFor(1_000);
    assert.equal(await phase(page), 'held');
    assert.match(await caption(page), /^A is frozen\. Its lock has \d+\.\d s left\.$/);
    await page.clock.runFor(6_000);
    await letGo();
    await page.clock.fastForward(10_000);
    const line = await outcome(page);
    const facts = await known(played(page));
    assert.ok(facts.twoOwnersMs > 0);
    assert.match(line, lineOf(facts));
    assert.equal(await digest(page), simulationOf(played(page)).timeline().digest);
  });
}

for (const [where, address, options, task, press] of [
  ['nothing may move, a number takes the place of the hand', '?still#play', {}, /^Press A to freeze it for 18 s\./, (page) => page.getByRole('button', { name: 'Freeze', exact: true }).click()],
  ...[['a click', (button) => button.click()], ['the key Enter', (button) => button.press('Enter')]].map(([hand, act]) => [`less motion is wanted, ${hand} on A freezes it for the length that is written`, '#play', { reducedMotion: 'reduce' },
    /^Press A to freeze it for 18 s\. Can you make two owners\?$/, (page) => act(page.getByRole('button', { name: 'Press to freeze A' }))]),
]) {
  test(`where ${where}`, async () => {
    const page = await site.open(address, options);
    await page.getByLabel('Freeze A for').waitFor();
    assert.match(await caption(page), task);
    await page.getByLabel('Freeze A for').fill('20');
    await press(page);
    const line = await outcome(page);
    const game = played(page);
    assert.equal(game.freeze.untilMs - game.freeze.atMs, 20_000);
    assert.match(line, lineOf(await known(game)));
  });
}

test('the safe client cannot be beaten, and the line under it is the verdict of the search', async () => {
  const page = await site.open('?still#play');
  await page.getByLabel('safe client').check();
  await page.getByLabel('Freeze A for').fill('25');
  await page.getByRole('button', { name: 'Freeze', exact: true }).click();
  assert.match(await outcome(page), /^No freeze up to 60 s from there gives two owners\. A saw that its lease had ended, and did not write\.$/);
  const verdict = page.locator('[data-verdict-line]');
  await verdict.waitFor();
  const simulation = simulationOf(played(page), 60_000);
  const { question } = questionOfRun(simulation, { faults: 'happened', bounds: { latency: '1s' } });
  const { summary } = await explore(question);
  assert.match(summary, /^Safe within these bounds/);
  assert.equal(await verdict.innerText(), summary.replaceAll('paused', 'frozen').replaceAll('pause', 'freeze'));
});

test('a link shows the run of its sender, then it is the visitor’s turn beside it, and their own game stays theirs', async () => {
  const page = await site.open('?still#play=15-5-u.fA6050-24550');
  assert.equal(await page.locator('.hook').innerText(), 'The sender of this link froze A for 18.5 s. Watch.');
  assert.equal(await page.getByRole('button', { name: /to freeze A$/ }).count(), 0, 'it is not the visitor’s turn');
  assert.match(await outcome(page), /The sender froze A for 18\.5 s/);
  assert.equal(await digest(page), simulationOf(own.readPlayed('15-5-u.fA6050-24550')).timeline().digest);
  await page.getByRole('button', { name: 'Your turn: shorter?' }).click();
  assert.deepEqual(await page.locator('.whose').allInnerTexts(), ['Theirs', 'Yours']);
  await page.getByLabel('Freeze A for').fill('17.2');
  await page.getByRole('button', { name: 'Freeze', exact: true }).click();
  assert.match(await outcome(page), /^Two owners for .* You froze A for 17\.2 s; .* 1\.3 s shorter than theirs\.$/);
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.getByRole('button', { name: 'Copy link' }).click();
  assert.equal(await page.getByLabel('Copy the link from here').inputValue(), page.url());
  await page.reload();
  await page.locator('[data-play="over"]').waitFor();
  assert.doesNotMatch(await page.getByRole('main').innerText(), /sender/i);
  assert.match(await outcome(page), / You froze A for 17\.2 s/);
  await page.getByRole('slider', { name: /TTL/ }).fill('30000');
  assert.match(await outcome(page), /^You let go .* too early\. A renewed in time/);
  assert.match(page.url(), /#play=30-5-u\./);
});

test('an address has every try at the wall, of both players, and opens with the same dots', async () => {
  const dots = async (page) => {
    await page.locator('[data-wall="known"]').waitFor();
    const all = await page.locator('[data-wall] circle').evaluateAll((circles) => circles.map((dot) => ['class', 'cx', 'cy'].map((name) => dot.getAttribute(name))));
    // The plot is as wide as the traces above it need.
    return all.map(([how, x, y]) => [/\bhit\b/.test(how), /\btheirs\b/.test(how), (parseFloat(x) / parseFloat(all[0][1])).toFixed(2), y]);
  };
  const page = await site.open('?still#play=15-5-u.fA6050-24550~fA6050-12550');
  for (const length of ['17.2', '9', '17.2']) {
    await page.getByRole('button', { name: /^(Your turn: shorter\?|Again)$/ }).click();
    await page.getByLabel('Freeze A for').fill(length);
    await page.getByRole('button', { name: 'Freeze', exact: true }).click();
    await outcome(page);
  }
  const seen = await dots(page);
  assert.deepEqual(seen.map(([isHit, isTheirs]) => [isHit, isTheirs]), [[false, true], [true, true], [false, false], [true, false]], 'a hold that is tried again is no other dot');
  assert.match(page.url(), /#play=15-5-u\.fA4050-21250\*fA6050-12550\*fA6050-24550~fA4050-13050~fA4050-21250$/);
  await page.reload();
  await outcome(page);
  assert.deepEqual(await dots(page), seen, 'after a reload');
  const friend = await site.open(`?still${new URL(page.url()).hash}`);
  await outcome(friend);
  assert.deepEqual(await dots(friend), seen.map(([isHit, , ...place]) => [isHit, true, ...place]));
  for (const text of ['15-5-u~', '15-5-u~fA6050', '15-5-u.fA6050-24550~cA6050-12550', '15-5-u.d600001', `15-5-u${'~fA6050-12550'.repeat(21)}`]) assert.equal(own.readPlayed(text), undefined, text);
  assert.equal(own.readPlayed(`15-5-u${'.fA600000-660000'.repeat(100)}`).acts.length, 100, 'as many and as late as a game takes');
});

test('the wall is what the package says of each moment, two owners begin right there, and the safe client lifts it out of the picture', async () => {
  const page = await site.open('?still#play=15-5-u.fA6050-24550');
  const wall = page.locator('[data-wall="known"]');
  await wall.waitFor();
  const { settings } = own.readPlayed('15-5-u');
  const { moments } = await safetyMargin(simulationOf({ settings, acts: [] }, 28_000), { step: '400ms', maxPause: '40s', pauseStep: '100ms', node: 'bbs-0' });
  const known = moments.filter(({ smallestMs }) => smallestMs !== null);
  const needs = known.map(({ smallestMs }) => smallestMs);
  assert.match(await wall.innerText(), new RegExp(`gives two owners, tried every 0.4 s: ${seconds(Math.min(...needs))} to ${seconds(Math.max(...needs))},`));
  assert.equal(await wall.locator('.edge').count(), known.length);
  for (const { atMs, smallestMs } of known.filter((_, index) => index % 9 === 0)) {
    const isHit = (forMs) => simulationOf({ settings, acts: [{ do: 'freeze', client: 'A', atMs: atMs - 1, untilMs: atMs + forMs }] }).timeline().twoOwners.length > 0;
    assert.deepEqual([isHit(smallestMs), isHit(smallestMs - 100)], [true, false], `${atMs} ms`);
  }
  await page.getByRole('button', { name: 'Your turn: shorter?' }).click();
  await page.getByLabel('safe client').check();
  await page.locator('[data-wall="known"]', { hasText: 'No hold up to 40 s gives two owners' }).waitFor();
  assert.equal(await wall.locator('.edge').count(), 0);
});

test('in the diagram a game begins at its two owners, with bounds in which that happens', async () => {
  const page = await site.open('?still#play=15-5-u.fA6050-24550');
  await page.getByRole('link', { name: 'Every message' }).click();
  assert.match((await verdict(page)).is, /^unsafe$/);
  const [{ fromMs }] = simulationOf(own.readPlayed('15-5-u.fA6050-24550')).timeline().twoOwners;
  assert.equal(await now(page), `${fromMs / 1_000} s`);
});

test('at 1024 × 768 both traces of a challenge are in sight, and the stepper below them', async () => {
  const page = await site.open('?still#play=15-5-u.fA6050-24550', { viewport: { width: 1024, height: 768 } });
  await page.getByRole('button', { name: 'Your turn: shorter?' }).click();
  for (const part of ['svg.stage', '.trace >> nth=0', '.trace >> nth=1', '.stepper']) {
    const { y, height } = await page.locator(part).boundingBox();
    assert.ok(y >= 0 && y + height <= 768, `${part}: ${y} + ${height}`);
  }
});

test('on a short phone a game keeps the names of its traces and the numbers of their axis, and no two texts of the wall meet', async () => {
  const page = await site.open('?still#play=15-5-u.fA6050-24550', { viewport: { width: 390, height: 780 } });
  await page.locator('[data-wall="known"]').waitFor();
  assert.match(await page.locator('.trace .labels').innerText(), /^A\s+lock\s+B$/);
  assert.deepEqual(await page.locator('.trace .time').filter({ visible: true }).allTextContents(), ['0 s', '10 s', '20 s', '30 s']);
  const boxes = await page.locator('[data-wall] svg text').evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().toJSON()));
  assert.equal(boxes.length, 2);
  assert.ok(boxes[0].bottom <= boxes[1].top + 4 || boxes[0].right <= boxes[1].left, JSON.stringify(boxes));
});

for (const [what, game, line, pressed = 'Can it be shorter?'] of [
  ['is shorter, and has two owners on the stage', 'fA6050-24550', /^A freeze of 8 s is enough in the worst schedule\. Bounds: messages ≤ 1 s, one freeze ≤ 8 s, no message lost, no other fault\. A frozen client that believes it holds the lock counts as an owner\.$/],
  ['names the faults that the visitor has added', 'lB7399.fA10550-40550', /in the worst schedule\. Bounds: .*one message lost/],
  ['is that of the dashed line of the wall', 'fA6050-12550', /^A freeze of 8 s is enough in the worst schedule\./, '8 s in the worst schedule'],
]) {
  test(`the schedule of the search ${what}`, async () => {
    const page = await site.open(`?still#play=15-5-u.${game}`);
    await page.getByRole('button', { name: pressed }).click();
    await page.locator('[data-outcome="shown"]').waitFor();
    assert.match(await page.locator('[data-outcome]').innerText(), line);
    assert.ok((await page.locator('.trace .overlap').count()) > 0);
  });
}

test('a message that is tapped is lost, a lock that is tapped is deleted, and no freeze begins while another one of its client lasts', async () => {
  const page = await openGame(site, '#play');
  const message = page.getByRole('button', { name: 'Lose “renew” of A' });
  for (let turn = 0; turn < 40 && (await message.count()) === 0; turn += 1) await page.clock.runFor(50);
  await message.click();
  await page.clock.runFor(500);
  assert.match(await caption(page), /^The network loses a renewal\. A waits for the answer\.$/);
  await page.getByRole('button', { name: 'Delete the lock, as an operator' }).click();
  await page.clock.runFor(300);
  assert.match(await caption(page), /^An operator deletes the lock\. A does not notice\.$/);
  await page.getByRole('button', { name: 'Freeze', exact: true }).click();
  await disc(page, 'A').press('Space');
  await page.clock.fastForward(30_000);
  assert.equal(await phase(page), 'over');
  assert.deepEqual(played(page).acts.map((act) => act.do), ['lose', 'delete', 'freeze']);
});

test(`the line is true of ${RANDOM}`, async () => {
  for (const { settings, atMs, untilMs } of randomHolds()) {
    const game = own.readPlayed(own.writePlayed({ settings, acts: [{ do: 'freeze', client: 'A', atMs, untilMs }] }));
    const facts = await known({ ...game, freeze: game.acts[0] });
    const made = own.make(game);
    const needed = facts.neededMs === null ? { is: 'none', upToMs: 60_000 } : { is: 'known', ms: facts.neededMs };
    const line = own.resultLine(made, game.acts, 'You', needed);
    const about = `${own.writePlayed(game)}: ${line}`;
    assert.equal(line.startsWith('Two owners for '), facts.twoOwnersMs > 0, about);
    assert.equal(facts.twoOwnersMs > 0, facts.neededMs !== null && facts.heldMs >= facts.neededMs, about);
    assert.match(line, lineOf(facts), about);
    assert.equal(own.resultLine(made, game.acts, 'The sender', needed), line.replaceAll('You ', 'The sender '), 'whoever did it');
    assert.match(own.resultLine(made, [...game.acts, { do: 'delete', atMs: untilMs }], 'You', needed), /^(One owner at a time|Two owners for [\d.]+ s)\.$/, 'of several acts no number is about one');
    if (/ renewed in time\.$/.test(line)) assert.equal(simulationOf(game).timeline().holders.length, 1, about);
    if (settings.isSafe) assert.equal(facts.twoOwnersMs, 0, about);
    assert.ok(made.twoOwners.every(({ toMs }) => toMs - 1 <= made.overMs), about);
  }
});
