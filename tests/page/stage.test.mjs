// The stage for everybody: on small and large screens; the other stories; without a network.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';

import { now, startPage } from './support/page.mjs';
import { BEAT_MS, button, CAPTIONS, openBeat, openTour, sentence, stage } from './support/story.mjs';

const SHOTS = fileURLToPath(new URL('../../target/page-shots/', import.meta.url));
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const SCHEMES = ['light', 'dark'];
let site;
before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  site = await startPage();
});
after(() => site?.close());

for (const [width, height] of [[360, 740], [768, 1024], [1024, 768], [1440, 900], [2560, 1440]]) {
  test(`no beat needs horizontal scrolling at ${width} px, and no text is cut`, async () => {
    for (const colorScheme of SCHEMES) {
      for (const number of CAPTIONS.keys()) {
        const page = await openBeat(site, number + 1, { viewport: { width, height }, colorScheme });
        const { over, cut } = await page.evaluate(() => ({
          over: document.documentElement.scrollWidth - window.innerWidth,
          cut: [...document.querySelectorAll('svg.stage text, svg.plot text')].filter((text) => {
            const { left, right, width: wide } = text.getBoundingClientRect();
            return wide > 0 && (left < 0 || right > window.innerWidth);
          }).map((text) => text.textContent),
        }));
        assert.ok(over <= 0, `beat ${number + 1}: ${over} px`);
        assert.deepEqual(cut, []);
        await page.screenshot({ path: `${SHOTS}beat${number + 1}-${width}-${colorScheme}.png` });
        await page.done();
      }
    }
  });
}

test('the stage does not jump from beat to beat', async () => {
  for (const viewport of [PHONE.viewport, { width: 1440, height: 900 }]) {
    const tops = new Set();
    for (const number of CAPTIONS.keys()) {
      const page = await openBeat(site, number + 1, { viewport });
      tops.add((await stage(page).boundingBox()).y);
      await page.done();
    }
    assert.equal(tops.size, 1, `${viewport.width} px: ${[...tops]}`);
  }
});

test('a phone holds the last beat and all three ways on without scrolling', async () => {
  const page = await openBeat(site, 5, PHONE);
  for (const part of [page.locator('[data-caption]'), stage(page), page.getByRole('link', { name: 'Now you: freeze A' })]) {
    const { y, height } = await part.boundingBox();
    assert.ok(y >= 0 && y + height <= 844, `${y} + ${height}`);
  }
  await page.done();
});

test('buttons are large enough on a phone', async () => {
  for (const number of [1, 5]) {
    const page = await openBeat(site, number, PHONE);
    const small = await page.locator('main button:visible, main .ending a:visible').evaluateAll((elements) =>
      elements.filter((element) => element.getBoundingClientRect().height < 51.5).map((element) => element.outerHTML));
    assert.deepEqual(small, []);
    await page.done();
  }
});

test('every story below the stage plays to its end, sentence by sentence', async () => {
  const page = await openBeat(site, 1);
  const links = await page.getByRole('navigation', { name: 'Stories' }).getByRole('link').evaluateAll((all) => all.map(({ hash }) => hash));
  assert.equal(links.length, 7);
  assert.equal(links.at(-1), '#play=15-5-p', 'presences have a turn instead');
  await page.done();
  for (const hash of links.slice(0, -1)) {
    const tour = hash === links[0] ? await site.open(hash) : await openTour(site, hash);
    const said = new Set();
    for (let step = 0; step < 6; step += 1) {
      await tour.clock.runFor(BEAT_MS);
      said.add(await sentence(tour));
      if (await tour.getByRole('link', { name: /Break it yourself|Now you: freeze A/ }).isVisible()) break;
      await tour.keyboard.press('Space');
    }
    assert.ok(await tour.getByRole('link', { name: /Break it yourself|Now you: freeze A/ }).isVisible(), hash);
    assert.ok(said.size >= 3 && !said.has('Time passes.'), [...said].join(' '));
    assert.ok([...said].every((caption) => caption.split(' ').length <= 12), [...said].join(' '));
    await tour.done();
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
  await page.done();
});

test('after the first visit the page works without a network, the instrument included', async () => {
  const page = await site.open('?still#beat=1', { runs: true, serviceWorkers: 'allow' });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await page.reload();
  assert.equal(await sentence(page), CAPTIONS[0]);
  await button(page, 'Editor').click();
  await page.getByRole('textbox', { name: 'Scenario, as JSON' }).waitFor();
  await page.done();
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
  await page.done();
});

/** By then the diagram is where it belongs. */
const FRAMES_MAX = 40;

/** Whether the trace is on its way to the diagram when somebody leaves the stage. */
async function grows(options) {
  const page = await openTour(site, '#tour=crash&beat=4', { runs: true, ...options });
  await page.waitForLoadState('networkidle');
  // Looked at in the page, frame by frame: from outside, it may be over between two looks.
  const seen = page.evaluate((frames) => new Promise((resolve) => {
    const isMoving = () => document.getAnimations().some(({ effect }) => effect?.pseudoElement === '::view-transition-group(run)');
    const look = () => {
      if (isMoving()) return resolve(true);
      if (document.querySelector('.diagram') !== null && (frames -= 1) === 0) return resolve(false);
      requestAnimationFrame(look);
    };
    look();
  }), FRAMES_MAX);
  await page.getByRole('link', { name: /Break it yourself/ }).click();
  const isSeen = await seen;
  await page.done();
  return isSeen;
}

test('the stage grows into the instrument, and does not where less motion is asked for', async () => {
  assert.equal(await grows({}), true);
  assert.equal(await grows({ reducedMotion: 'reduce' }), false);
});

test('the foot says what Locket is and how to install the package, and only a frame in another page is without it', async () => {
  const page = await site.open('');
  const foot = page.getByRole('contentinfo');
  assert.match(await foot.innerText(), /Locket is the lock service of Cloud Foundry\..*nothing is published yet.*npm pack/s);
  assert.equal(await foot.getByRole('link', { name: 'Locket' }).getAttribute('href'), 'https://github.com/cloudfoundry/locket');
  const framed = await site.open('?still&embed#story=holder-crashes&t=7000');
  assert.equal(await framed.getByRole('contentinfo').count(), 0);
  await page.done();
  await framed.done();
});
