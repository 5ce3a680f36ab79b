// For everybody: keys only, small screens, and the diagram in sentences.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

import { mapIsFull, menu, now, testPage, verdict } from './support/page.mjs';

/** Screenshots of every view, kept to be looked at. */
const SHOTS = fileURLToPath(new URL('../../target/page-shots/', import.meta.url));
const VIEWS = ['diagram', 'map', 'editor', 'logs', 'live'];
const site = await testPage();
mkdirSync(SHOTS, { recursive: true });

async function openView(view, options) {
  const page = await site.open(`?still#view=${view}`, options);
  if (view === 'map') await mapIsFull(page);
  if (view === 'diagram') await Promise.all([verdict(page), page.locator('[data-danger="known"]').waitFor()]);
  if (view === 'logs') await page.getByRole('heading', { name: 'Explain an incident from its logs' }).waitFor();
  if (view === 'editor') await page.getByRole('textbox', { name: 'Scenario, as JSON' }).waitFor();
  return page;
}

const SCREENS = [[320, 800], [768, 800], [1440, 800]];
const PHONES = [[320, 700], [700, 320]];
for (const view of VIEWS) {
  test(`${view}: nothing needs horizontal scrolling on any screen, and buttons are large enough for a finger`, async () => {
    for (const [sizes, options, schemes] of [[SCREENS, {}, ['light', 'dark']], [PHONES, { hasTouch: true, isMobile: true }, ['light']]]) {
      const page = await openView(view, { viewport: { width: 320, height: 800 }, ...options });
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height });
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme });
          await page.screenshot({ path: `${SHOTS}${view}-${options.isMobile ? 'phone-' : ''}${width}-${colorScheme}.png`, fullPage: true });
        }
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(over <= 0, `${width}: ${over} px`);
        // What belongs to the text editor is text.
        const small = await page.locator('button:visible, select:visible, input:visible, summary:visible').evaluateAll((elements) =>
          elements.filter((element) => element.getBoundingClientRect().height < 43.5).map((element) => element.outerHTML));
        if (options.isMobile) assert.deepEqual(small, [], String(width));
      }
    }
  });
}

test('keys reach the content at once, and then every control', async () => {
  const page = await openView('diagram');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'To the content');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  const reached = new Set();
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const { activeElement: it } = document;
      return it.dataset.menu ?? it.getAttribute('aria-label') ?? it.textContent.trim();
    });
    reached.add(name);
  }
  for (const name of ['row:bbs', 'node:bbs-0', 'Freeze: Client A', 'Delete: The lock', 'An event on', 'Play', 'Time', 'Copy link']) {
    assert.ok(reached.has(name), `${name} is reached; ${[...reached].join(', ')}`);
  }
});

test('actions opened by a key stay open when the browser reports an earlier scroll, and close once the page scrolls', async () => {
  const page = await openView('diagram', { viewport: { width: 1440, height: 500 } });
  const actions = page.getByRole('dialog', { name: /^Actions on/ });
  await menu(page, 'node:bbs-1').focus();
  await page.keyboard.press('Enter');
  await actions.waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event('scroll')));
  assert.equal(await actions.count(), 1, 'nothing has moved');
  await page.evaluate(() => scrollBy(0, 40));
  await actions.waitFor({ state: 'detached' });
});

test('the diagram is mirrored as an ordered list of sentences that keys walk', async () => {
  const page = await openView('diagram');
  assert.equal(await page.locator('[data-caption]').getAttribute('aria-live'), 'polite', 'the sentence is announced');
  await page.getByText(/^All \d+ events/).click();
  const items = page.locator('details ol > li');
  assert.equal(await items.count(), 51);
  await items.first().getByRole('button').click();
  assert.equal(await now(page), '0.0 s');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.index), '2');
  assert.equal(await page.locator('ol [aria-current]').count(), 1);
});
