// What is there before and without scripts.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { testPage } from './support/page.mjs';
import { CAPTIONS } from './support/story.mjs';

const HTML = readFileSync(new URL('../../target/www/index.html', import.meta.url), 'utf8');
const site = await testPage();

/** A tab that gets the page and nothing else. */
async function onlyDocument() {
  const page = await site.browser.newPage();
  await page.route('**/*', (route) => (route.request().isNavigationRequest() ? route.continue() : route.abort()));
  await page.goto(site.base);
  return page;
}

test('the first picture needs no script, style sheet, font or other request', async () => {
  const page = await onlyDocument();
  assert.equal(await page.locator('[data-caption]').textContent(), CAPTIONS[0]);
  const box = await page.locator('svg.stage.wide').boundingBox();
  assert.ok(box.width > 600 && box.height > 250, JSON.stringify(box));
  assert.equal(await page.locator('svg.stage.narrow').isVisible(), false);
  assert.equal(await page.locator('.caption .A').first().evaluate((letter) => getComputedStyle(letter).color), 'rgb(31, 95, 174)');
});

test('the first picture is dark where the system is', async () => {
  const page = await site.browser.newPage({ colorScheme: 'dark', javaScriptEnabled: false });
  await page.goto(site.base);
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), 'rgb(21, 23, 26)');
});

test('the script takes the first picture over as it is', async () => {
  const page = await site.browser.newPage();
  // The page has been read, and its script has not run.
  await page.addInitScript(() => document.addEventListener('readystatechange', () => {
    globalThis.first ??= document.querySelector('svg.stage.wide');
  }));
  await page.goto(site.base);
  await page.locator('main[aria-busy="false"]').waitFor();
  assert.equal(await page.evaluate(() => globalThis.first === document.querySelector('svg.stage')), true);
});

test('without scripts beat 1 is drawn at its end, above the five sentences', async () => {
  const page = await site.browser.newPage({ javaScriptEnabled: false });
  await page.goto(site.base);
  const pictures = page.getByRole('img').filter({ visible: true });
  assert.equal(await pictures.count(), 1);
  assert.match(await pictures.getAttribute('aria-label'), /1 by A, 2 empty/);
  assert.deepEqual(await page.locator('ol:visible > li').allTextContents(), CAPTIONS);
});

test('an address of the instrument does not flash the first picture', async () => {
  const page = await site.browser.newPage();
  await page.route('**/*.js', (route) => route.abort());
  await page.goto(`${site.base}#story=holder-crashes`);
  assert.equal(await page.locator('[data-caption]').isVisible(), false);
});

test('the page allows no inline script or style but its own, by their hashes', () => {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(HTML)[1];
  assert.doesNotMatch(policy, /unsafe-inline|;unsafe-eval|unsafe-hashes/);
  assert.equal([...policy.matchAll(/sha256-/g)].length, [...HTML.matchAll(/<script>|<style>/g)].length);
  assert.doesNotMatch(HTML, /\sstyle="/);
});

test('on a still page nothing moves from one colour to another', async () => {
  const page = await site.open('?still#beat=5');
  await page.locator('main[aria-busy="false"] .stage').waitFor();
  for (const colorScheme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await page.evaluate(() => document.getAnimations().map(({ effect }) => effect.target.className.baseVal ?? effect.target.className)), []);
  }
});
