// The first visit: five beats at the visitor's pace, then three ways on.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { runScenario } from 'locket-wasm';
import { advise, mapSettings } from 'locket-wasm/check';

import { now, startPage } from './support/page.mjs';
import { beat, BEAT_MS, button, CAPTIONS, openBeat, openTour, playAnswer, redElements, sentence, stage } from './support/story.mjs';

const STORY = JSON.parse(readFileSync(new URL('../../sim/scenarios/holder-paused-longer-than-its-lease.json', import.meta.url), 'utf8'));
let site;
before(async () => (site = await startPage()));
after(() => site?.close());

test('beat 1 plays by itself, and the page then waits for the visitor', async () => {
  const page = await site.open('');
  assert.equal(await sentence(page), CAPTIONS[0]);
  await page.clock.runFor(BEAT_MS);
  assert.match(await stage(page).getAttribute('aria-label'), /^A holds the lock, 14\.0 s left\..*Lines of the file: 1 by A, 2 empty/);
  await page.clock.runFor(60_000);
  assert.equal(await beat(page), 1);
  await page.done();
});

test('the sentences are those of the storyboard, at most twelve words each', async () => {
  const page = await site.open('');
  const said = [await sentence(page)];
  for (let next = 2; next <= 5; next += 1) {
    await button(page, 'Next').click();
    said.push(await sentence(page));
    await page.clock.runFor(BEAT_MS);
  }
  assert.deepEqual(said, CAPTIONS);
  assert.ok(said.every((caption) => caption.split(' ').length <= 12));
  await page.done();
});

test('the sentences follow the run: with another TTL they have its seconds', async () => {
  const page = await openTour(site, '?still#tour=longer-ttl&beat=1');
  assert.equal(await sentence(page), 'A takes the lock for 28 seconds. Only A may write.');
  await page.done();
});

test('the run on the stage is the run that the package plays', async () => {
  const page = await openBeat(site, 1);
  assert.equal(await page.locator('[data-digest]').getAttribute('data-digest'), runScenario(JSON.stringify(STORY)).digest);
  const clients = STORY.clients.map((client) => ({ ...client, ttl: '28s' }));
  const longer = { ...STORY, clients, actions: STORY.actions.filter((action) => action.do !== 'note'), expect: [] };
  const other = await openTour(site, '?still#tour=longer-ttl&beat=1');
  assert.equal(await other.locator('[data-digest]').getAttribute('data-digest'), runScenario(JSON.stringify(longer)).digest);
  await page.done();
  await other.done();
});

test('the pins stand at the moments that the beats are about', async () => {
  const page = await openBeat(site, 5);
  assert.deepEqual(await page.locator('.plot .time').allTextContents(), ['0 s', '6.0 s', '20.3 s', '23.2 s', '26.0 s']);
  await page.done();
});

test('each beat plays for about three seconds, and "Play all" leaves time to read after it', async () => {
  const page = await site.open('');
  await page.clock.runFor(BEAT_MS);
  const playAll = await button(page, 'Play all');
  const nowMs = () => page.evaluate(() => performance.now());
  await playAll.click();
  const began = [await nowMs()];
  for (let step = 0; step < 400 && began.length < 5; step += 1) {
    if (await beat(page) > began.length + 1) began.push(await nowMs());
    if (began.length === 4) break;
    await page.clock.runFor(50);
  }
  const lengths = began.slice(1).map((ms, index) => ms - began[index]);
  assert.ok(lengths.every((ms) => ms > 1_500 + 2_500 && ms < 1_500 + 4_000), lengths.join(', '));
  await page.clock.runFor(BEAT_MS);
  assert.ok(await page.getByText('A lock with a TTL is not a mutex').isVisible());
  await page.done();
});

test('quiet time passes at four seconds of the run in a second', async () => {
  const page = await site.open('#beat=2');
  const leftAt = async () => {
    const [, left] = /holds the lock, ([\d.]+) s left/.exec(await stage(page).getAttribute('aria-label'));
    return { atMs: await page.evaluate(() => performance.now()), leftMs: 1000 * Number(left) };
  };
  await button(page, 'Next').click();
  await page.clock.runFor(800);
  const before = await leftAt();
  await page.clock.runFor(1_000);
  const later = await leftAt();
  const speed = (before.leftMs - later.leftMs) / (later.atMs - before.atMs);
  assert.ok(speed > 3.6 && speed < 4.4, String(speed));
  await page.done();
});

test('before beat 5 nothing is red, and nothing of the future is drawn', async () => {
  for (const number of [1, 2, 3, 4]) {
    const page = await openBeat(site, number);
    assert.deepEqual(await redElements(page), [], `beat ${number}`);
    assert.equal(await page.locator('.overlap').count(), 0);
    assert.equal(await page.locator('.plot .time').count(), number);
    await page.done();
  }
  const last = await openBeat(site, 5);
  assert.ok((await redElements(last)).length > 3);
  await last.done();
});

test('no sentence of a beat has words of the trade', () => {
  for (const caption of CAPTIONS) assert.doesNotMatch(caption, /\b(TTL|lease|retry|interval|runner|row)\b/i);
});

test('the end shows the harm: which line was overwritten, and when it was written', async () => {
  const page = await openBeat(site, 5);
  const text = await stage(page).textContent();
  assert.match(text, /overwritten/);
  assert.match(text, /B wrote line 4 at 24\.0 s/);
  assert.match(await stage(page).getAttribute('aria-label'), /4 by A\. A has overwritten the line that B wrote\.$/);
  assert.equal(await page.locator('.overlap').count(), 2);
  await page.done();
});

test('keys go on and back: space and the right arrow on, the left arrow back to the end of the beat before', async () => {
  const page = await site.open('');
  await page.clock.runFor(BEAT_MS);
  await page.keyboard.press('Space');
  await page.clock.runFor(BEAT_MS);
  await page.keyboard.press('ArrowRight');
  assert.equal(await beat(page), 3);
  await page.keyboard.press('ArrowLeft');
  assert.equal(await beat(page), 2);
  assert.match(await stage(page).getAttribute('aria-label'), /Client A is frozen/);
  await page.done();
});

test('a swipe to the left goes on, one to the right goes back', async () => {
  const page = await site.open('', { hasTouch: true, viewport: { width: 390, height: 844 } });
  const swipe = (from, to) => page.evaluate(([fromX, toX]) => {
    const touch = (clientX) => [new Touch({ identifier: 1, target: document.body, clientX, clientY: 300 })];
    document.body.dispatchEvent(new TouchEvent('touchstart', { touches: touch(fromX), bubbles: true }));
    document.body.dispatchEvent(new TouchEvent('touchend', { changedTouches: touch(toX), bubbles: true }));
  }, [from, to]);
  await swipe(300, 100);
  assert.equal(await beat(page), 2);
  await swipe(100, 300);
  assert.equal(await beat(page), 1);
  await page.done();
});

test('a pin plays its beat, and the address then opens its end', async () => {
  const page = await site.open('');
  await page.getByRole('link', { name: 'Beat 4' }).click();
  assert.equal(await sentence(page), CAPTIONS[3]);
  await page.clock.runFor(BEAT_MS);
  const { hash } = new URL(page.url());
  assert.equal(hash, '#beat=4');
  const other = await site.open(hash);
  assert.equal(await stage(other).getAttribute('aria-label'), await stage(page).getAttribute('aria-label'));
  await page.done();
  await other.done();
});

test('the whole visit goes by keyboard alone, to the visitor’s own turn and back', async () => {
  const page = await site.open('');
  for (let next = 0; next < 4; next += 1) {
    await page.clock.runFor(BEAT_MS);
    await page.keyboard.press('Space');
  }
  await page.clock.runFor(BEAT_MS);
  assert.equal(await sentence(page), CAPTIONS[4]);
  for (let step = 0; step < 30; step += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.textContent.startsWith('Now you: freeze A'))) break;
  }
  await page.keyboard.press('Enter');
  await page.locator('[data-play="plays"]').waitFor();
  await page.goBack();
  assert.equal(await sentence(page), CAPTIONS[4]);
  await page.done();
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
  await page.done();
});

test('the safe client: A wakes and does not write, and a search finds it safe within bounds that it names', async () => {
  const page = await openBeat(site, 5);
  await page.getByRole('link', { name: 'Would the safe client help?' }).click();
  await playAnswer(page, 5);
  await page.getByText('A wakes, sees that its lease ended, and does not write.').waitFor();
  await page.getByText(/^Safe within these bounds: messages ≤ 1 s, one freeze ≤ 20 s, no message lost\. Checked all [\d,]+ states\.$/).waitFor();
  assert.match(await stage(page).getAttribute('aria-label'), /4 by B\.$/);
  await page.done();
});

test('while a search runs the page says that it checks', async () => {
  const page = await site.browser.newPage();
  let letGo;
  const isLate = new Promise((resolve) => (letGo = resolve));
  await page.route('**/*.wasm', async (route) => {
    await isLate;
    await route.continue();
  });
  await page.goto(`${site.base}?still#tour=safe-client&beat=5`);
  await page.getByText('Checking all schedules').waitFor();
  letGo();
  await page.getByText('Safe within these bounds').waitFor();
  await page.close();
});

test('the run of an answer opens in the instrument, too', async () => {
  const page = await site.open('?still#tour=longer-ttl&beat=3');
  await page.getByRole('link', { name: 'Break it yourself' }).click();
  await page.locator('main[aria-busy="false"] [data-lane]').first().waitFor();
  assert.equal(await now(page), '26.3 s');
  assert.match(await page.locator('[data-lane="node:bbs-0"]').textContent(), /bbs-0/);
  await page.done();
});

test('with reduced motion each beat is a still of its end, and its curves are numbered', async () => {
  const page = await site.open('', { reducedMotion: 'reduce' });
  assert.match(await stage(page).getAttribute('aria-label'), /1 by A, 2 empty/);
  assert.deepEqual(await page.locator('.flight text').allTextContents(), ['1 “lock”', '2 yes', '3 write']);
  await button(page, 'Next').click();
  assert.match(await stage(page).getAttribute('aria-label'), /Client A is frozen.*3 by A/);
  await page.done();
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
  await page.done();
});

test('the story plays without the simulator; the instrument then says what to do', async () => {
  const page = await site.browser.newPage();
  await page.route('**/*.wasm', (route) => route.fulfill({ status: 404 }));
  await page.goto(site.base);
  await button(page, 'Next').click();
  assert.equal(await sentence(page), CAPTIONS[1]);
  await button(page, 'Diagram').click();
  await page.getByText(/simulator did not load: .*404.*reload the page/).waitFor();
  await page.close();
});
