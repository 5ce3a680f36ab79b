// The ends of a freeze: dragged on the diagram, or moved by keys.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Simulation } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';

import { branches, caption, chip, digest, now, quickestAnswer, testPage } from './support/page.mjs';

const PAUSED = '?still#story=holder-paused-longer-than-its-lease&t=12000';
const COLLISION = '?still#story=collision-while-the-holder-renews&t=6000';
const site = await testPage();

const handle = (page, end) => page.getByRole('slider', { name: `A is frozen ${end === 'Start' ? 'from' : 'until'}` });
const ends = async (page) => await Promise.all(['Start', 'End'].map(async (end) => Number(await handle(page, end).getAttribute('aria-valuenow'))));

/** Drags a handle by so many milliseconds. */
async function drag(page, end, byMs) {
  const box = await handle(page, end).boundingBox();
  const [from, to, x1, x2] = await page.evaluate(() => {
    const [first, last] = ['from', 'to'].map((name) => document.querySelector(`[data-freeze$=${name}]`));
    return [first, last].map((it) => Number(it.getAttribute('aria-valuenow'))).concat([first.getBoundingClientRect().right - 6, last.getBoundingClientRect().left + 6]);
  });
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + (byMs * (x2 - x1)) / (to - from) - (end === 'Start' ? x - x1 : x - x2), y, { steps: 5 });
  await page.mouse.up();
}

test('dragging the end of a freeze changes its length in one branch, at once, and undo takes it back', async () => {
  const page = await site.open(PAUSED);
  const [before, [from, to]] = [await digest(page), await ends(page)];
  await drag(page, 'End', -8_000);
  const [sameFrom, newTo] = await ends(page);
  assert.equal(sameFrom, from);
  assert.ok(Math.abs(newTo - (to - 8_000)) <= 200 && newTo % 100 === 0, `${to} became ${newTo}`);
  assert.equal(await branches(page).count(), 2);
  assert.match(await branches(page).nth(1).textContent(), /A is frozen for \d/);
  assert.notEqual(await digest(page), before);
  assert.equal(await now(page), '12.0 s', 'the cursor stays');
  await page.keyboard.press('Control+z');
  assert.equal(await digest(page), before);
  assert.deepEqual(await ends(page), [from, to]);
});

test('dragging the start leaves the end where it is, which it does not pass, and the run is that of a scenario with this freeze', async () => {
  const page = await site.open(PAUSED);
  const [, to] = await ends(page);
  await drag(page, 'Start', 3_000);
  const [newFrom, sameTo] = await ends(page);
  assert.equal(sameTo, to);
  const { actions, expect: _, ...rest } = JSON.parse(stories['holder-paused-longer-than-its-lease']);
  const moved = actions.filter((action) => action.do !== 'note').map((action) => (action.do === 'pause' ? { ...action, at: `${newFrom}ms`, for: `${to - newFrom}ms` } : action));
  const until = `${await page.getByRole('slider', { name: 'Time' }).getAttribute('max')}ms`;
  assert.equal(await digest(page), new Simulation({ ...rest, until, actions: moved }).timeline().digest);
  await drag(page, 'Start', 60_000);
  assert.deepEqual(await ends(page), [to - 100, to]);
});

test('arrow keys move an end by 0.1 s, with Shift by 1 s, and the cursor and the zoom stay', async () => {
  const page = await site.open(PAUSED);
  const [from, to] = await ends(page);
  await handle(page, 'End').focus();
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual(await ends(page), [from, to - 100]);
  await page.keyboard.press('Shift+ArrowRight');
  assert.deepEqual(await ends(page), [from, to + 900]);
  await page.keyboard.press('-');
  assert.deepEqual(await ends(page), [from, to - 100]);
  assert.equal(await now(page), '12.0 s');
  assert.ok(await page.getByRole('button', { name: 'Fit' }).isDisabled());
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^A is frozen until/);
  assert.equal(await branches(page).count(), 2, 'one branch for all of it');
});

test('a freeze that was done by hand is moved like one of the scenario', async () => {
  const page = await site.open(COLLISION);
  await chip(page, 'node:bbs-0', 'Freeze').click();
  const [from] = await ends(page);
  assert.equal(from, 6_000);
  await handle(page, 'End').focus();
  for (let press = 0; press < 4; press++) await page.keyboard.press('Shift+ArrowLeft');
  await handle(page, 'Start').focus();
  await page.keyboard.press('Shift+ArrowLeft');
  assert.equal((await ends(page))[0], 5_000);
  assert.match(await caption(page), /\d\.\d s/);
});

test('a long freeze is answered within 100 ms of a key', async () => {
  const page = await site.open(PAUSED, { runs: true });
  const ms = await quickestAnswer(page, { on: '[data-freeze$=to]', key: 'ArrowLeft' }, '[data-freeze$=to]');
  assert.ok(ms <= 100, String(ms));
});
