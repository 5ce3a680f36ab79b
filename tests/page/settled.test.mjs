// A run goes on until everything that was done to it has had its effect.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Simulation } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';

import { openCore } from './support/core.mjs';
import { chip, digest, startPage } from './support/page.mjs';

let site;
let core;
let settledOf;
before(async () => {
  [site, core] = await Promise.all([startPage(), openCore()]);
  ({ settledOf } = await core.load('core/settled'));
});
after(async () => {
  await site?.close();
  await core?.close();
});

const endMs = async (page) => Number(await page.getByRole('slider', { name: 'Time' }).getAttribute('max'));

const expiresForever = ({ events, endMs: untilMs }) => events.filter(({ kind, timeMs }) => kind === 'expired' && timeMs > untilMs - 60_000).length > 3;

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
  await page.done();
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
  await page.done();
});

test('nothing is open at the end of a changed run: a lock has one owner, who has renewed it since, or its time is over', () => {
  for (const id of Object.keys(stories)) {
    const simulation = new Simulation(stories[id]);
    const runner = simulation.state().nodes.find((node) => node.isRunner);
    if (runner === undefined || runner.ttlMs > 60_000) continue;
    const { endMs: untilMs } = simulation.timeline();
    simulation.seek({ timeMs: untilMs });
    simulation.act({ do: 'pause', node: runner.name, for: '20s' });
    const { timeline, isSettled } = settledOf(simulation, stories[id], [{ atMs: untilMs }]);
    // A lock that expires before each renewal never settles.
    if (!expiresForever(timeline)) assert.ok(isSettled, id);
    assert.ok(timeline.outages.every(({ status, toMs }) => status !== 'paused' || toMs < timeline.endMs), `${id}: the freeze is over`);
  }
});
