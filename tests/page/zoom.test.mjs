// Zoom by keys and buttons, and how much detail there is room for.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Simulation } from 'locket-wasm';

import { testPage } from './support/page.mjs';

const COLLISION = '?still#story=collision-while-the-holder-renews&t=6000';
const site = await testPage();

/** The first and the last moment in view, in seconds, as the axis' ticks have them. */
async function axis(page) {
  const ticks = await page.locator('.axis text').evaluateAll((all) => all.map((tick) => [parseFloat(tick.textContent), Number(tick.getAttribute('x'))]));
  const width = await page.locator('.plot').evaluate((plot) => plot.clientWidth);
  const [[t1, x1], [t2, x2]] = [ticks[0], ticks.at(-1)];
  const per = (t2 - t1) / (x2 - x1);
  return { from: t1 - (x1 - 10) * per, to: t1 + (width - 10 - x1) * per };
}
const near = (a, b, by = 0.05) => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b}`);
const isWhole = async (page) => (await page.getByRole('button', { name: 'Fit' }).isDisabled());

test('the keys + − 0 zoom around the cursor, and so do their buttons', async () => {
  const page = await site.open(COLLISION);
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  const { from, to } = await axis(page);
  near(to - from, 20 / 2.25, 0.1);
  near((6 - from) / (to - from), 6 / 20, 0.02);
  await page.keyboard.press('-');
  near((await axis(page)).to - (await axis(page)).from, 20 / 1.5, 0.1);
  await page.keyboard.press('0');
  assert.ok(await isWhole(page));
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.getByRole('button', { name: 'Zoom out' }).click();
  assert.ok(await isWhole(page));
});

test('an event that is stepped to is in view', async () => {
  const page = await site.open(COLLISION);
  for (let press = 0; press < 8; press++) await page.keyboard.press('+');
  await page.keyboard.press('End');
  const { from, to } = await axis(page);
  assert.ok(from <= 20 && 20 <= to + 0.01, `${from} to ${to}`);
});

function long(clients, until) {
  const list = Array.from({ length: clients }, (_, index) => ({ name: `c${index}`, key: `k${index % 10}`, retryInterval: '5s', runner: 'upstream', startAt: `${index * 50}ms` }));
  return new Simulation({ name: 'long', until, clients: list }).link();
}

for (const [until, detail] of [['60s', 'messages'], ['300s', 'ticks'], ['2000s', 'density']]) {
  test(`a run of ${until} shows ${detail}, and all of its messages once it is zoomed`, async () => {
    const page = await site.open(`?still#sim=${long(2, until)}`);
    const svg = page.locator('.run');
    assert.equal(await svg.getAttribute('data-detail'), detail);
    for (let press = 0; press < 20; press++) await page.keyboard.press('+');
    assert.equal(await svg.getAttribute('data-detail'), 'messages');
  });
}

test('a hundred clients keep time in sight, and cost no more elements than two', async () => {
  const page = await site.open(`?still#sim=${long(100, '300s')}`);
  assert.ok((await page.locator('.plot *').count()) < 400, String(await page.locator('.plot *').count()));
  const time = await page.getByRole('slider', { name: 'Time' }).boundingBox();
  assert.ok(time.y + time.height <= 900, JSON.stringify(time));
});
