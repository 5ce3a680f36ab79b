// The keyboard alone: the five beats, the two questions, every story, and a branch in the instrument. Nothing here presses anything but keys.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { branches, caption, now, testPage } from './support/page.mjs';
import { beat, BEAT_MS, CAPTIONS, openTour, sentence, stage } from './support/story.mjs';

const STOPS_MAX = 80;
const STORIES = ['Crash', 'Handover', 'Operator', 'Lost message', 'Failover'];
const site = await testPage();

/** What has the focus, as it is called, and whether its frame can be seen. */
const focused = (page) => page.evaluate(() => {
  const { activeElement: it } = document;
  const { outlineStyle, outlineWidth } = getComputedStyle(it);
  return { name: (it.getAttribute('aria-label') ?? it.textContent).replace(/\s+/g, ' ').trim(), hasFrame: it === document.body || (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || it.matches('svg a') };
});

/** Presses Tab until something is reached whose name begins so. */
async function tabTo(page, name) {
  const passed = [];
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    await page.keyboard.press('Tab');
    const { name: at, hasFrame } = await focused(page);
    assert.ok(hasFrame, `no frame around ${at}`);
    if (at.startsWith(name)) return;
    passed.push(at);
  }
  assert.fail(`${name} is not reached from ${passed.join(' | ')}`);
}

/** The digest of the run on the stage. */
const run = (page) => page.locator('.tour').getAttribute('data-digest');

/** Waits until another run is on the stage. */
const shows = (page, before) => page.waitForFunction((digest) => document.querySelector('.tour').dataset.digest !== digest, before);

async function follow(page, name) {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

/** Presses Space from the first beat to the last one. */
async function playToTheEnd(page) {
  const said = [await sentence(page)];
  await page.clock.fastForward(BEAT_MS);
  while (await page.getByRole('button', { name: 'Next' }).count() > 0 && said.length < 10) {
    await page.keyboard.press('Space');
    said.push(await sentence(page));
    await page.clock.fastForward(BEAT_MS);
  }
  return said;
}

test('the five beats are walked with Space and arrows, and the ways on with Tab and Enter', async () => {
  const page = await site.open('');
  assert.deepEqual(await playToTheEnd(page), CAPTIONS);
  await page.keyboard.press('ArrowLeft');
  assert.equal(await beat(page), 4);
  assert.match(await stage(page).getAttribute('aria-label'), /Client A is frozen.*Client B believes it holds the lock/, 'at its end');
  await page.keyboard.press('ArrowRight');
  await page.clock.fastForward(BEAT_MS);
  await follow(page, 'Now you: freeze A');
  await page.locator('[data-play="plays"]').waitFor();
  await page.goBack();
  assert.equal(await sentence(page), CAPTIONS[4]);
  const first = await run(page);
  await follow(page, 'Would a longer TTL help?');
  await shows(page, first);
});

test('each of the other stories is chosen and walked to its end, sentence by sentence', async () => {
  const page = await site.open('');
  const ends = new Set();
  for (const story of STORIES) {
    const before = await run(page);
    await follow(page, story);
    await shows(page, before);
    const said = await playToTheEnd(page);
    assert.ok(said.length >= 3 && !said.includes('Time passes.') && said.every((caption) => caption.split(' ').length <= 12), `${story}: ${said.join(' | ')}`);
    assert.ok(await page.getByRole('link', { name: 'Break it yourself' }).isVisible(), story);
    ends.add(await stage(page).getAttribute('aria-label'));
  }
  assert.equal(ends.size, STORIES.length);
  assert.deepEqual(await page.getByRole('navigation', { name: 'Stories' }).getByRole('link').allTextContents(), ['Freeze', ...STORIES, 'Presence']);
});

test('from the end of the story to the instrument, a branch, its undo, and back', async () => {
  const page = await openTour(site, '?still#tour=longer-ttl&beat=3');
  await page.getByRole('link', { name: 'Break it yourself' }).waitFor();
  await follow(page, 'Break it yourself');
  await page.locator('main[aria-busy="false"] [data-lane]').first().waitFor();
  assert.equal(await now(page), '26.3 s');
  await tabTo(page, 'Client B');
  await page.keyboard.press('c');
  assert.equal(await branches(page).count(), 2);
  assert.match(await caption(page), /^26\.3 s: B crashes\./);
  await page.keyboard.press('Control+z');
  assert.equal(await branches(page).count(), 0, 'the run alone needs no list');
  await page.keyboard.press('Home');
  assert.equal(await now(page), '0.0 s');
  await page.keyboard.press('Shift+ArrowRight');
  assert.equal(await now(page), '1.0 s');
});

test('one message is picked and lost with keys alone', async () => {
  const page = await site.open('?still#story=collision-while-the-holder-renews&t=6000');
  await tabTo(page, 'Client A bbs-0');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await follow(page, 'One message');
  await tabTo(page, 'call from A to');
  const { name } = await focused(page);
  await page.keyboard.press('Enter');
  await follow(page, 'lose it');
  const [, words] = /^(call from A to .*) at [\d.]+ s$/.exec(name);
  assert.ok((await branches(page).nth(1).textContent()).startsWith(`The ${words} is lost`), `${name}: ${await branches(page).nth(1).textContent()}`);
  assert.equal(await page.locator('[data-layer=message-lost]').count(), 1);
  assert.match((await focused(page)).name, /^Client A/);
});
