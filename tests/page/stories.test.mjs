// The shipped stories in the instrument.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { runScenario } from 'locket-wasm';

import { caption, digest, now, testPage, status } from './support/page.mjs';

const STORY_MS = 8_000;
const IN_BEATS = ['failover-loses-the-insert', 'holder-crashes', 'holder-hands-over-cleanly', 'holder-paused-longer-than-its-ttl', 'one-lost-renewal-before-october-2025', 'operator-evicts-the-holder'];
const site = await testPage();

test('an instrument that is opened without a moment moves within a second, says a sentence, and reaches the bad moment within ten', async () => {
  const page = await site.open('#view=diagram');
  await page.clock.runFor(1_000);
  const early = parseFloat(await now(page));
  assert.ok(early > 0, 'something moves');
  assert.ok((await caption(page)).length > 10, 'there is a sentence');
  await page.clock.runFor(9_000);
  assert.equal(await now(page), '26.0 s');
  assert.match(await caption(page), /^26\.0 s: A wakes\. A and B believe they hold the lock\.$/);
  assert.match((await status(page)).words, /Two owners for 3\.0 s in this run, from 23\.2 s to 26\.2 s\./);
});

test('every story plays and ends at its moment, under thirty seconds, with the digest that Node has, and those told in beats lead there', async () => {
  const page = await site.open();
  const ids = await page.getByLabel('Story').locator('option').evaluateAll((options) => options.map((option) => option.value));
  assert.equal(ids.length, 13);
  for (const id of ids) {
    await page.getByLabel('Story').selectOption(id);
    await page.clock.fastForward(STORY_MS / 2);
    const half = parseFloat(await now(page));
    await page.clock.fastForward(STORY_MS / 2 + 200);
    const moment = parseFloat(await now(page));
    assert.ok(half > 0 && half < moment, `${id} plays`);
    assert.ok(await page.getByRole('button', { name: 'Play', exact: true }).isVisible(), `${id} stops`);
    const scenario = readFileSync(new URL(`../../sim/scenarios/${id}.json`, import.meta.url), 'utf8');
    const run = runScenario(scenario);
    assert.equal(await digest(page), run.digest, id);
    assert.ok(run.events.some(({ timeMs }) => timeMs <= moment * 1000), id);
    const beats = page.getByRole('link', { name: 'Watch it in beats' });
    assert.equal(await beats.count(), IN_BEATS.includes(id) ? 1 : 0, id);
    if (!IN_BEATS.includes(id)) continue;
    await beats.click();
    await page.locator('.tour').waitFor();
    await page.goBack();
    await page.locator('.diagram').waitFor();
  }
});

test('play goes on from the moment to the end, and starts again from there', async () => {
  const page = await site.open();
  assert.equal(await now(page), '26.0 s');
  const play = page.getByRole('button', { name: 'Play', exact: true });
  await play.click();
  await page.clock.runFor(3_000);
  assert.equal(await now(page), '28.0 s');
  await play.click();
  await page.clock.runFor(1_000);
  const again = parseFloat(await now(page));
  assert.ok(again > 0 && again < 26, String(again));
});

test('with reduced motion nothing moves by itself, and play goes in jumps', async () => {
  const page = await site.open('#view=diagram', { reducedMotion: 'reduce' });
  await page.clock.runFor(1_000);
  assert.equal(await now(page), '26.0 s');
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const seen = new Set();
  for (let ms = 0; ms < STORY_MS + 1_000; ms += 200) {
    await page.clock.runFor(200);
    seen.add(await now(page));
  }
  assert.ok(seen.size < 30, `${seen.size} different moments`);
  assert.ok(seen.has('26.0 s'));
});

test('a story that is chosen while another one plays goes its own pace', async () => {
  const page = await site.open('#view=diagram');
  await page.clock.runFor(6_000);
  await page.getByLabel('Story').selectOption('failover-loses-the-insert');
  let before = 0;
  for (let ms = 0; ms < STORY_MS - 500; ms += 250) {
    await page.clock.runFor(250);
    const time = parseFloat(await now(page));
    assert.ok(time >= before && time - before < 0.5, `from ${before} to ${time}`);
    before = time;
  }
  await page.clock.runFor(1_000);
  assert.equal(await now(page), '4.5 s');
});

test('the file below the lanes has the harm: the line that a client overwrites once it has lost the lock', async () => {
  const page = await site.open('?still#story=holder-paused-longer-than-its-ttl&t=25000');
  const file = page.locator('[data-file]');
  assert.match(await file.innerText(), /^The file\s+4 lines/);
  assert.equal(await file.locator('.stale:not(.ahead)').count(), 0);
  await page.keyboard.press('End');
  assert.match(await file.innerText(), /A overwrote a line of B/);
  assert.equal(await file.locator('.stale:not(.ahead)').count(), 1);
  await page.getByLabel('Story', { exact: true }).selectOption('holder-hands-over-cleanly');
  await page.keyboard.press('End');
  assert.doesNotMatch(await file.innerText(), /overwrote/);
});

for (const [width, height] of [[1024, 768], [390, 844]]) {
  test(`at ${width} × ${height} the sentence, all lanes and on a phone the handle of time are in view`, async () => {
    const page = await site.open('?still#story=holder-paused-longer-than-its-ttl&t=24000', { viewport: { width, height } });
    // What comes late must push nothing out of view.
    await Promise.all([status(page), page.locator('[data-danger="known"]').waitFor()]);
    for (const part of ['[data-caption]', '[data-lane="node:bbs-1"]', '[data-file]', ...(width === 390 ? ['input[data-time]'] : [])]) {
      const { y, height: high } = await page.locator(part).boundingBox();
      assert.ok(y >= 0 && y + high <= height, `${part}: ${y} + ${high}`);
    }
  });
}
