// The stage for everybody: on small and large screens; the other stories; without a network.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

import { now, testPage } from './support/page.mjs';
import { button, CAPTIONS, openBeat, openTour, sentence, showBeat, stage } from './support/story.mjs';

const SHOTS = fileURLToPath(new URL('../../target/page-shots/', import.meta.url));
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const site = await testPage();
mkdirSync(SHOTS, { recursive: true });

for (const [width, height] of [[360, 740], [390, 844], [768, 1024], [1024, 768], [1440, 900], [2560, 1440]]) {
  test(`at ${width} px no beat needs horizontal scrolling, no text is cut, and the stage does not jump`, async () => {
    const page = await openBeat(site, 1, { viewport: { width, height } });
    const tops = new Set();
    for (const number of CAPTIONS.keys()) {
      await showBeat(page, number + 1);
      tops.add((await stage(page).boundingBox()).y);
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${SHOTS}beat${number + 1}-${width}-${colorScheme}.png` });
      }
      const { over, cut } = await page.evaluate(() => ({
        over: document.documentElement.scrollWidth - window.innerWidth,
        cut: [...document.querySelectorAll('svg.stage text, svg.plot text')].filter((text) => {
          const { left, right, width: wide } = text.getBoundingClientRect();
          return wide > 0 && (left < 0 || right > window.innerWidth);
        }).map((text) => text.textContent),
      }));
      assert.ok(over <= 0, `beat ${number + 1}: ${over} px`);
      assert.deepEqual(cut, []);
    }
    assert.equal(tops.size, 1, [...tops].join());
  });
}

test('a phone holds the last beat and all three ways on without scrolling, and its buttons are large enough', async () => {
  const page = await openBeat(site, 5, PHONE);
  for (const part of [page.locator('[data-caption]'), stage(page), page.getByRole('link', { name: 'Now you: freeze A' })]) {
    const { y, height } = await part.boundingBox();
    assert.ok(y >= 0 && y + height <= 844, `${y} + ${height}`);
  }
  for (const number of [5, 1]) {
    await showBeat(page, number);
    const small = await page.locator('main button:visible, main .ending a:visible').evaluateAll((elements) =>
      elements.filter((element) => element.getBoundingClientRect().height < 51.5).map((element) => element.outerHTML));
    assert.deepEqual(small, []);
  }
});

test('the instrument goes on behind the stage, and is as it was when one comes back', async () => {
  const page = await site.open('?still#story=holder-crashes&t=7000');
  await button(page, 'Story').click();
  assert.equal(await sentence(page), CAPTIONS[0]);
  await button(page, 'Diagram').click();
  assert.equal(await now(page), '7.0 s');
  await page.goBack();
  assert.equal(await sentence(page), CAPTIONS[0]);
});

test('after the first visit the page works without a network, the instrument included', async () => {
  const page = await site.open('?still#beat=1', { runs: true, serviceWorkers: 'allow' });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await page.reload();
  assert.equal(await sentence(page), CAPTIONS[0]);
  await button(page, 'Editor').click();
  await page.getByRole('textbox', { name: 'Scenario, as JSON' }).waitFor();
});

test('the page names its picture for links, and the picture has the size that is said', async () => {
  const page = await site.open('');
  const said = await page.locator('meta[property^="og:image"]').evaluateAll((all) => all.map(({ content }) => content));
  const size = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, said[0]);
  assert.deepEqual(said.slice(1, 3).map(Number), size);
  const manifest = await page.evaluate(async () => await (await fetch(document.querySelector('link[rel=manifest]').href)).json());
  assert.equal(manifest.display, 'standalone');
});

test('the stage grows into the instrument, and does not where less motion is asked for', async () => {
  for (const [options, count] of [[{}, 1], [{ reducedMotion: 'reduce' }, 0]]) {
    const page = await openTour(site, '#tour=crash&beat=4', { runs: true, ...options });
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => {
      const start = document.startViewTransition.bind(document);
      document.startViewTransition = (show) => {
        globalThis.names = ['.trace', '.diagram'].map((part) => document.querySelector(part) && getComputedStyle(document.querySelector(part)).viewTransitionName);
        return start(show);
      };
    });
    await page.getByRole('link', { name: /Break it yourself/ }).click();
    await page.locator('.diagram').waitFor();
    assert.deepEqual(await page.evaluate(() => globalThis.names ?? []), ['run', null].slice(0, 2 * count));
  }
});

test('the foot says what Locket is and how to install the package, and only a frame in another page is without it', async () => {
  const page = await site.open('');
  const foot = page.getByRole('contentinfo');
  assert.match(await foot.innerText(), /Locket is the lock service of Cloud Foundry\..*nothing is published yet.*npm pack/s);
  assert.equal(await foot.getByRole('link', { name: 'Locket' }).getAttribute('href'), 'https://github.com/cloudfoundry/locket');
  const framed = await site.open('?still&embed#story=holder-crashes&t=7000');
  for (const part of ['contentinfo', 'navigation', 'complementary']) assert.equal(await framed.getByRole(part).count(), 0, part);
  assert.equal(await now(framed), '7.0 s');
});
