// How near the run is to two owners, under the handle of time. Compared with the package's own profile.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Simulation } from 'locket-wasm';
import { safetyMargin } from 'locket-wasm/check';
import { stories } from 'locket-wasm/stories';

import { chip, now, testPage } from './support/page.mjs';

const STORY = 'holder-paused-longer-than-its-ttl';
const site = await testPage();

const danger = (page) => page.getByRole('group', { name: 'Safety margin' });
const words = async (page) => (await danger(page).getByRole('paragraph').last().textContent()).replace(/\s+/g, ' ').trim();

async function openAt(timeMs, story = STORY) {
  const page = await site.open(`?still#story=${story}&t=${timeMs}`);
  await page.locator('[data-danger="known"]').waitFor();
  return page;
}

test('the point of no return is a press away, and from there on nothing helps', async () => {
  const { pointOfNoReturnMs } = await safetyMargin(stories[STORY]);
  const page = await openAt(0);
  await danger(page).getByRole('button', { name: 'Point of no return: 23.001 s' }).click();
  assert.equal(await now(page), `${pointOfNoReturnMs / 1000} s`);
  assert.match(await words(page), /Past the point of no return/);
  await page.keyboard.press('Shift+ArrowLeft');
  assert.match(await words(page), /no further fault is needed/);
  await page.keyboard.press('End');
  assert.doesNotMatch(await words(page), /Past the point/, 'it is over');
});

test('a branch has a profile of its own', async () => {
  const page = await openAt(7_000);
  await chip(page, 'node:bbs-1', 'Crash').click();
  const simulation = new Simulation(stories[STORY]);
  simulation.seek({ timeMs: 7_000 });
  simulation.act({ do: 'crash', node: 'bbs-1' });
  simulation.seek({ timeMs: simulation.endMs });
  const { moments, pointOfNoReturnMs } = await safetyMargin(simulation);
  const bars = moments.filter(({ smallestMs }) => smallestMs !== null).length;
  await page.waitForFunction((count) => document.querySelector('[data-danger="known"] svg')?.dataset.moments === String(count), bars);
  assert.equal(pointOfNoReturnMs, null);
  assert.equal(await danger(page).getByRole('button').count(), 0);
});

test('with many clients it is drawn on request', async () => {
  const clients = Array.from({ length: 7 }, (_, index) => ({ name: `c${index}`, key: 'k', retryInterval: '5s', runner: 'upstream', startAt: `${index * 100}ms` }));
  const simulation = new Simulation({ name: 'many', until: '9s', clients });
  const page = await site.open(`?still#sim=${simulation.link()}`);
  await page.locator('[data-danger="waiting"]').waitFor();
  await danger(page).getByRole('button').click();
  await page.locator('[data-danger="known"]').waitFor();
});
