// Branches: everything that is changed opens one, none is lost, and undo and the browser's Back lead back.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Simulation } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';

import { branches, caption, chip, digest, lane, menu, now, status, testPage } from './support/page.mjs';

const COLLISION = '?still#story=collision-while-the-holder-renews&t=6000';
const PAUSED = '?still#story=holder-paused-longer-than-its-ttl&t=12000';
const site = await testPage();

const scrollOf = (page) => page.evaluate(() => [scrollX, scrollY]);

test('a chip acts at the cursor, opens a branch, and the caption says what follows', async () => {
  const page = await site.open(COLLISION);
  await chip(page, 'node:bbs-0', 'Crash').click();
  assert.deepEqual([await caption(page), await now(page)], ['6.0 s: A crashes. The lock expires at 20.0 s.', '6.0 s']);
  assert.match(await branches(page).nth(1).textContent(), /^A crashes, 6\.0 s/);
});

test('a second press takes the fault back, and later ends it instead', async () => {
  const page = await site.open(COLLISION);
  const before = await digest(page);
  for (const label of ['Freeze', 'Crash', 'Cut off']) {
    await chip(page, 'node:bbs-0', label).click();
    assert.notEqual(await digest(page), before, label);
    await chip(page, 'node:bbs-0', { Freeze: 'Wake', Crash: 'Restart', 'Cut off': 'Reconnect' }[label]).click();
    assert.equal(await digest(page), before, label);
    assert.equal(await branches(page).count(), 0, label);
  }
  await chip(page, 'node:bbs-0', 'Cut off').click();
  await page.keyboard.press('Shift+ArrowRight');
  await chip(page, 'node:bbs-0', 'Reconnect').click();
  assert.match(await branches(page).nth(2).textContent(), /A is connected again, 7\.0 s/);
  assert.equal(await chip(page, 'node:bbs-0', 'Cut off').count(), 1);
});

test('a slider opens one branch however far it is dragged, and what was there stays', async () => {
  const page = await site.open(PAUSED);
  const before = await digest(page);
  for (const value of ['20', '24', '28']) await page.getByRole('slider', { name: /TTL/ }).fill(value);
  assert.equal(await branches(page).count(), 2);
  assert.match(await branches(page).nth(1).textContent(), /TTL 28 s/);
  await branches(page).first().click();
  assert.equal(await digest(page), before);
});

test('other settings keep the faults that were done by hand, and those that a link brought', async () => {
  const sim = new Simulation(stories['collision-while-the-holder-renews']);
  sim.seek({ timeMs: 6_000 });
  sim.act({ do: 'crash', node: 'bbs-0' });
  for (const [address, label, count] of [[COLLISION, 'Crash', 3], [`?still#sim=${sim.link({ stories })}`, undefined, 2]]) {
    const page = await site.open(address);
    if (label !== undefined) await chip(page, 'node:bbs-0', label).click();
    await page.getByRole('slider', { name: /TTL/ }).fill('30');
    assert.match(await lane(page, 'node:bbs-0').textContent(), /down/);
    assert.equal(await branches(page).count(), count);
  }
});

test('settings, verdict and bounds are those of the branch, whatever moment is looked at', async () => {
  const page = await site.open(PAUSED);
  await page.keyboard.press('End');
  await page.getByRole('slider', { name: 'Time' }).fill('26000');
  await chip(page, 'node:bbs-0', 'Crash').click();
  const settings = page.getByRole('group', { name: 'Settings of the clients' });
  const there = [(await status(page)).words, await settings.textContent()];
  for (const key of ['Shift+ArrowLeft', 'Home', 'End']) {
    await page.keyboard.press(key);
    assert.deepEqual([(await status(page)).words, await settings.textContent()], there, key);
  }
});

test('Ctrl+Z takes back one change after the other', async () => {
  const page = await site.open(COLLISION);
  const first = await digest(page);
  await chip(page, 'node:bbs-0', 'Crash').click();
  const second = await digest(page);
  await chip(page, 'node:bbs-1', 'Freeze').click();
  // At the end there is nothing left to take back.
  for (const before of [second, first, first]) {
    await page.keyboard.press('Control+z');
    assert.equal(await digest(page), before);
  }
});

test('what takes a setting back leaves the cursor where it is, also while the slider has the focus', async () => {
  const page = await site.open(PAUSED);
  const before = await digest(page);
  await page.getByRole('slider', { name: /TTL/ }).focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.getByRole('spinbutton', { name: 'TTL' }).inputValue(), '16', 'keys move the slider, and not time');
  await page.keyboard.press('Control+z');
  assert.deepEqual([await digest(page), await now(page)], [before, '12.0 s']);
});

test('Back returns to the branch before, and then to the view before', async () => {
  const page = await site.open(COLLISION);
  const first = await digest(page);
  const view = (name) => page.getByRole('button', { name, exact: true });
  for (const pressed of [view('Map'), view('Diagram'), chip(page, 'node:bbs-0', 'Crash')]) {
    await page.clock.runFor(1_000);
    await pressed.click();
  }
  await page.clock.runFor(1_000);
  const second = await digest(page);
  await page.goBack();
  await page.waitForFunction((is) => document.querySelector('[data-digest]').textContent === is, first);
  assert.equal(await branches(page).count(), 2, 'the branch is still there');
  await page.goBack();
  await page.getByRole('grid').waitFor();
  await page.goForward();
  await page.goForward();
  await page.waitForFunction((is) => document.querySelector('[data-digest]')?.textContent === is, second);
});

test('Back leads to the address before, however soon it is pressed', async () => {
  const page = await site.open('?still#story=holder-crashes&t=7000');
  await page.evaluate(() => (location.hash = '#story=holder-crashes&t=9000'));
  await page.getByLabel('Now', { exact: true }).getByText('9.0 s').waitFor();
  await page.goBack();
  await page.getByLabel('Now', { exact: true }).getByText('7.0 s').waitFor();
});

test('a menu covers neither its lane nor moves the page', async () => {
  const page = await site.open(COLLISION, { viewport: { width: 1024, height: 700 } });
  await page.mouse.wheel(0, 60);
  await page.waitForFunction(() => scrollY === 60); // the browser scrolls after the wheel's event was answered
  const before = await scrollOf(page);
  await menu(page, 'row:bbs').click();
  const [dialog, head] = await Promise.all([page.getByRole('dialog').boundingBox(), lane(page, 'row:bbs').boundingBox()]);
  assert.deepEqual(await scrollOf(page), before);
  assert.ok(dialog.x >= head.x + head.width, JSON.stringify([dialog, head]));
  assert.ok(dialog.x + dialog.width <= 1024 && dialog.y >= 0 && dialog.y + dialog.height <= 700, JSON.stringify(dialog));
});

test('a chip moves neither the diagram nor the page', async () => {
  const page = await site.open(COLLISION, { viewport: { width: 1024, height: 800 } });
  await status(page);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  const look = () => page.evaluate(() => [document.querySelector('.plot').getBoundingClientRect().toJSON(), scrollY, document.querySelector('.axis').textContent]);
  const before = await look();
  await chip(page, 'node:bbs-1', 'Crash').click();
  await status(page, /crash/);
  assert.deepEqual(await look(), before);
});

test('forty branches are a list that scrolls, and take no more room than some rows', async () => {
  const page = await site.open(COLLISION);
  for (let press = 0; press < 40; press++) {
    await page.keyboard.press(press % 10 === 9 ? 'Home' : 'Shift+ArrowRight');
    await chip(page, 'row:bbs', 'Restart Locket').click();
  }
  assert.equal(await branches(page).count(), 41);
  const { height } = await page.getByRole('list', { name: 'Branches' }).boundingBox();
  assert.ok(height > 100 && height < 240, String(height));
});

// A run goes on until everything that was done to it has had its effect.

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
