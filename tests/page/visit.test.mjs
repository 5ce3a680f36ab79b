// The first visit: five beats at the visitor's pace, then three ways on.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { runScenario } from 'locket-wasm';
import { advise, explore, mapSettings } from 'locket-wasm/check';

import { testPage } from './support/page.mjs';
import { beat, BEAT_MS, button, CAPTIONS, openBeat, openTour, playAnswer, redElements, sentence, showBeat, stage } from './support/story.mjs';

const STORY = JSON.parse(readFileSync(new URL('../../sim/scenarios/holder-paused-longer-than-its-ttl.json', import.meta.url), 'utf8'));
const site = await testPage();

test('beat 1 plays by itself, and the page then waits for the visitor', async () => {
  const page = await site.open('');
  assert.equal(await sentence(page), CAPTIONS[0]);
  await page.clock.runFor(BEAT_MS);
  assert.match(await stage(page).getAttribute('aria-label'), /^A holds the lock, 14\.0 s left\..*Lines of the file: 1 by A, 2 empty/);
  await page.clock.runFor(60_000);
  assert.equal(await beat(page), 1);
});

test('the run on the stage is the run that the package plays', async () => {
  const page = await openBeat(site, 1);
  assert.equal(await page.locator('[data-digest]').getAttribute('data-digest'), runScenario(JSON.stringify(STORY)).digest);
  const clients = STORY.clients.map((client) => ({ ...client, ttl: '28s' }));
  const longer = { ...STORY, clients, actions: STORY.actions.filter((action) => action.do !== 'note'), expect: [] };
  const other = await openTour(site, '?still#tour=longer-ttl&beat=1');
  assert.equal(await other.locator('[data-digest]').getAttribute('data-digest'), runScenario(JSON.stringify(longer)).digest);
  assert.equal(await sentence(other), 'A takes the lock for 28 seconds. Only A may write.');
  const waiting = await site.open('?still#tour=crash', { blocked: /other-runs/ });
  assert.equal(await waiting.locator('.hook').textContent(), 'Only one may write. Watch two do it.', 'until another is there');
});

test('each beat plays for about three seconds, and "Play all" leaves time to read after it', async () => {
  const page = await site.open('');
  await page.clock.runFor(BEAT_MS);
  const playAll = await button(page, 'Play all');
  const nowMs = () => page.evaluate(() => performance.now());
  await playAll.click();
  const began = [await nowMs()];
  for (let step = 0; step < 400 && began.length < 4; step += 1) {
    if (await beat(page) > began.length + 1) began.push(await nowMs());
    await page.clock.runFor(50);
  }
  const lengths = began.slice(1).map((ms, index) => ms - began[index]);
  assert.ok(lengths.every((ms) => ms > 1_500 + 2_500 && ms < 1_500 + 4_000), lengths.join(', '));
  await page.clock.runFor(BEAT_MS);
  assert.ok(await page.getByText('A lock with a TTL is not a mutex').isVisible());
});

test('before beat 5 nothing is red and nothing of the future is drawn, and its end shows the harm', async () => {
  const page = await openBeat(site, 1);
  for (const number of [1, 2, 3, 4]) {
    await showBeat(page, number);
    assert.deepEqual(await redElements(page), [], `beat ${number}`);
    assert.equal(await page.locator('.overlap').count(), 0);
    assert.equal(await page.locator('.plot .time').count(), number);
  }
  await showBeat(page, 5);
  assert.ok((await redElements(page)).length > 3);
  assert.equal(await page.locator('.overlap').count(), 2);
  assert.deepEqual(await page.locator('.plot .time').allTextContents(), ['0 s', '6.0 s', '20.3 s', '23.2 s', '26.0 s'], 'pins stand at the moments that beats are about');
  assert.match(await stage(page).textContent(), /overwritten.*B wrote line 4 at 24\.0 s/);
  assert.match(await stage(page).getAttribute('aria-label'), /4 by A\. A has overwritten the line that B wrote\.$/);
});

test('a pin plays its beat, and the address then opens its end', async () => {
  const page = await site.open('');
  await page.getByRole('link', { name: 'Beat 4' }).press('Enter');
  assert.equal(await sentence(page), CAPTIONS[3]);
  await page.clock.runFor(BEAT_MS);
  const { hash } = new URL(page.url());
  assert.equal(hash, '#beat=4');
  const other = await site.open(hash);
  assert.equal(await stage(other).getAttribute('aria-label'), await stage(page).getAttribute('aria-label'));
});

test('a longer TTL: the same freeze does no harm, and a search names the freeze that does', async () => {
  const page = await openBeat(site, 5);
  await page.getByRole('link', { name: 'Would a longer TTL help?' }).click();
  await playAnswer(page, 3);
  await page.getByText('A wakes in time. It still holds the lock.').waitFor();
  const question = { runner: 'upstream', profile: 'upstream', latency: '1s' };
  const { cells: [cell] } = await mapSettings({ ...question, ttl: ['28s'], retryInterval: ['5s'] });
  const { handoverMaxMs } = await advise({ ...question, ttl: '28s', retryInterval: '5s', faults: { pause: { length: '20s', count: 1 } } });
  const answer = page.getByRole('status');
  await answer.filter({ hasText: 'breaks it' }).waitFor();
  assert.match(await answer.textContent(), new RegExp(`^A freeze of ${cell.breaksAt / 1000} s breaks it\\. After a crash, B waits ≤ ${handoverMaxMs / 1000} s\\.`));
  assert.deepEqual(await redElements(page), []);
});

test('the safe client: A wakes and does not write, and the answer is that of a search, for any number of clients', async () => {
  const page = await openBeat(site, 5);
  await page.getByRole('link', { name: 'Would the safe client help?' }).click();
  await playAnswer(page, 5);
  await page.getByText('A wakes, sees that its lease ended, and does not write.').waitFor();
  const { summary } = await explore({ runner: 'safe', profile: 'upstream', latency: '1s', ttl: '15s', retryInterval: '5s', faults: { pause: { length: '20s', count: 1 } } });
  assert.match(summary, /^Safe within these bounds.* That holds for any number of clients\./);
  await page.getByText(summary.replaceAll('paused', 'frozen').replaceAll('pause', 'freeze')).waitFor();
  assert.match(await stage(page).getAttribute('aria-label'), /4 by B\.$/);
});

test('with reduced motion each beat is a still of its end, and its curves are numbered', async () => {
  const page = await site.open('', { reducedMotion: 'reduce' });
  assert.match(await stage(page).getAttribute('aria-label'), /1 by A, 2 empty/);
  assert.deepEqual(await page.locator('.flight text').allTextContents(), ['1 “lock”', '2 yes', '3 write']);
  await button(page, 'Next').click();
  assert.match(await stage(page).getAttribute('aria-label'), /Client A is frozen.*3 by A/);
});

test('a screen reader gets one picture with a sentence, and each caption once', async () => {
  const page = await site.open('');
  assert.equal(await stage(page).count(), 1);
  assert.equal(await page.locator('main [aria-live]').count(), 1);
  assert.equal(await page.locator('[data-caption]').getAttribute('aria-live'), 'polite');
  await page.evaluate(() => {
    globalThis.changes = 0;
    new MutationObserver(() => (globalThis.changes += 1)).observe(document.querySelector('[data-caption]'), { childList: true, characterData: true, subtree: true });
  });
  await page.clock.runFor(BEAT_MS);
  await button(page, 'Next').click();
  await page.clock.runFor(BEAT_MS);
  assert.equal(await page.evaluate(() => globalThis.changes), 1);
});

test('the story plays without the simulator; the instrument then says what to do', async () => {
  const page = await site.browser.newPage();
  await page.route('**/*.wasm', (route) => route.fulfill({ status: 404 }));
  await page.goto(site.base);
  await button(page, 'Next').click();
  assert.equal(await sentence(page), CAPTIONS[1]);
  await button(page, 'Diagram').click();
  await page.getByText(/simulator did not load: .*404.*reload the page/).waitFor();
});
