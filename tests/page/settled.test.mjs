// A run goes on until everything that was done to it has had its effect.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Simulation } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';

import { chip, digest, testPage } from './support/page.mjs';

const site = await testPage();

const endMs = async (page) => Number(await page.getByRole('slider', { name: 'Time' }).getAttribute('max'));

test('a fault at the end of a run is followed to the next owner, and the handle of time goes as far', async () => {
  const page = await site.open('?still#story=collision-while-the-holder-renews&t=20000');
  const [before, shown] = [await endMs(page), await digest(page)];
  await chip(page, 'node:bbs-0', 'Crash').click();
  const after = await endMs(page);
  assert.ok(after > before + 15_000, `${before} became ${after}`);
  const simulation = new Simulation(stories['collision-while-the-holder-renews']);
  simulation.seek({ timeMs: 20_000 });
  simulation.act({ do: 'crash', node: 'bbs-0' });
  simulation.seek({ timeMs: after });
  assert.equal(await digest(page), simulation.timeline().digest);
  assert.equal(simulation.timeline().holders.at(-1).owner, 'bbs-1');
  await page.keyboard.press('Control+z');
  assert.deepEqual([await endMs(page), await digest(page)], [before, shown], 'the run before ends where it did');
});

test('with a longer TTL the run goes on to the takeover, and with a shorter one it is as short as before', async () => {
  const page = await site.open('?still#story=holder-crashes&t=12000');
  const before = await endMs(page);
  const ttl = page.getByRole('slider', { name: /TTL/ });
  await ttl.fill('30');
  assert.ok((await endMs(page)) > 40_000);
  assert.match(await page.locator('details').filter({ hasText: 'as a list' }).textContent(), /bbs-1 believes it holds the lock/);
  await ttl.fill('14');
  assert.equal(await endMs(page), before);
});
