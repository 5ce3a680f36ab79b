// Taking hold of time: keys, mouse and touch; steps back, branches, and what can be done to things.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { boxes, branches, caption, digest, lane, menu, now, startPage, status } from './support/page.mjs';

const FIRST_ATTEMPT = '?still#story=first-attempt-has-no-deadline&t=3000';
const ONE = /^(⚠ )?One owner at a time|^✓ Safe/;
const TWO = /^⚠ Two owners/;
let site;
before(async () => (site = await startPage()));
after(() => site?.close());

test('keys move by event, by second, to the ends, and play', async () => {
  const page = await site.open(FIRST_ATTEMPT);
  await page.keyboard.press('ArrowRight');
  assert.equal(await now(page), '7.0 s');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await now(page), '2.0 s');
  await page.keyboard.press('Shift+ArrowRight');
  assert.equal(await now(page), '3.0 s');
  await page.keyboard.press('Shift+ArrowLeft');
  assert.equal(await now(page), '2.0 s');
  await page.keyboard.press('End');
  assert.equal(await now(page), '28.0 s');
  await page.keyboard.press('Home');
  assert.equal(await now(page), '0.0 s');
  await page.keyboard.press(' ');
  await page.clock.runFor(500);
  assert.ok(parseFloat(await now(page)) > 0);
  await page.keyboard.press(' ');
  const stopped = await now(page);
  await page.clock.runFor(500);
  assert.equal(await now(page), stopped);
  await page.done();
});

test('the help names every key, and Escape closes it', async () => {
  const page = await site.open(FIRST_ATTEMPT);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys and marks' });
  await help.waitFor();
  for (const key of ['Space', '← →', 'Shift + ← →', 'Home End', '[ ]', '?']) {
    assert.ok(await help.getByText(key, { exact: true }).isVisible(), key);
  }
  await page.keyboard.press('Escape');
  assert.equal(await help.count(), 0);
  await page.done();
});

test('every key is also a button', async () => {
  const page = await site.open(FIRST_ATTEMPT);
  const steps = [['An event on', '7.0 s'], ['An event back', '2.0 s'], ['A second on', '3.0 s'], ['A second back', '2.0 s'],
    ['To the end', '28.0 s'], ['To the start', '0.0 s']];
  for (const [name, time] of steps) {
    await page.getByRole('button', { name, exact: true }).click();
    assert.equal(await now(page), time, name);
  }
  await page.done();
});

test('the mouse drags time, on the plot and on the handle', async () => {
  const page = await site.open(FIRST_ATTEMPT);
  const [box] = await boxes(page, '.plot');
  await page.mouse.move(box.x + 20, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 100, { steps: 5 });
  await page.mouse.up();
  assert.equal(await now(page), '14.0 s');
  const [handle] = await boxes(page, 'input[data-time]');
  await page.mouse.click(handle.x + handle.width - 10, handle.y + handle.height / 2);
  assert.ok(parseFloat(await now(page)) > 27.5);
  await page.done();
});

test('a touch takes a lane and does something to it', async () => {
  const page = await site.open(FIRST_ATTEMPT, { hasTouch: true, viewport: { width: 390, height: 800 } });
  await menu(page, 'node:bbs-1').tap();
  await page.getByRole('button', { name: 'crash B', exact: true }).tap();
  assert.match(await branches(page).nth(1).textContent(), /B crashes, 3\.0 s/);
  assert.match(await lane(page, 'node:bbs-1').textContent(), /down/);
  await page.done();
});

test('a finger moves time wherever it begins to drag, also on the name of a lane', async () => {
  const page = await site.open(FIRST_ATTEMPT, { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } });
  const box = await menu(page, 'node:bbs-1').boundingBox();
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const [x, y] = [box.x + 20, box.y + box.height / 2];
  await touch('touchStart', { x, y });
  for (let step = 1; step <= 10; step++) await touch('touchMove', { x: x + step * 18, y });
  await touch('touchEnd');
  assert.ok(parseFloat(await now(page)) > 10, await now(page));
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.done();
});

test('an action in the past starts a branch, and the old branch stays', async () => {
  const page = await site.open(FIRST_ATTEMPT);
  const before = await digest(page);
  await menu(page, 'node:bbs-1').click();
  await page.getByRole('button', { name: 'freeze B for 20 s' }).click();
  const changed = await digest(page);
  assert.notEqual(changed, before);
  assert.equal(await now(page), '3.0 s');
  await page.keyboard.press('[');
  assert.equal(await digest(page), before);
  await page.keyboard.press(']');
  assert.equal(await digest(page), changed);
  await branches(page).first().click();
  assert.equal(await digest(page), before);
  await page.done();
});

test('a message can be taken and lost before it was sent', async () => {
  const page = await site.open(FIRST_ATTEMPT);
  // The slow answer to bbs-0, half way between 1 s and 21 s, half way between the lanes of the lock and bbs-0.
  const [box, client, lock] = await boxes(page, '.plot', '[data-lane="node:bbs-0"]', '[data-lane="row:bbs"]');
  const x = box.x + 10 + ((box.width - 20) * 11) / 28;
  await page.mouse.click(x, (client.y + client.height / 2 + lock.y + lock.height / 2) / 2);
  const dialog = page.getByRole('dialog');
  assert.match(await dialog.textContent(), /answer from locket-0 to A/);
  await dialog.getByRole('button', { name: 'lose it' }).click();
  assert.match(await branches(page).nth(1).textContent(), /The answer from locket-0 to A is lost/);
  assert.match((await status(page)).words, ONE);
  await page.done();
});

test('a message can be delayed, and takes that much longer', async () => {
  const page = await site.open('?still#story=collision-while-the-holder-renews&t=6000');
  const [box, client] = await boxes(page, '.plot', '[data-lane="node:bbs-0"]');
  await page.mouse.click(box.x + 10 + ((box.width - 20) * 5) / 20, client.y + client.height);
  await page.getByRole('button', { name: 'delay it by 20 s' }).click();
  assert.match(await branches(page).nth(1).textContent(), /takes 20 s longer/);
  assert.match((await status(page)).words, /^One owner|^⚠ Two owners|^✓ Safe/);
  await page.done();
});

test('operators evict by deleting the row', async () => {
  const page = await site.open('?still#story=collision-while-the-holder-renews&t=6000');
  await menu(page, 'row:bbs').click();
  await page.getByRole('button', { name: 'delete the lock bbs' }).click();
  assert.match(await page.getByText('It has no rows').textContent(), /every lock is free/);
  assert.match((await status(page)).words, TWO);
  await page.done();
});

test('an event leads to its cause', async () => {
  const page = await site.open('?still#story=first-attempt-has-no-deadline&t=21000');
  const narration = page.getByRole('region', { name: 'Event' });
  const before = await narration.textContent();
  await narration.getByRole('button', { name: /because at/ }).click();
  assert.notEqual(await narration.textContent(), before);
  assert.ok((await caption(page)).length > 0);
  await page.done();
});

test('the sliders tell the run anew, and a longer TTL makes this one safe', async () => {
  const page = await site.open();
  const ttl = page.getByRole('slider', { name: /TTL/ });
  await ttl.fill('30');
  assert.match(await page.getByRole('group', { name: 'Settings of the clients' }).textContent(), /TTL 30 s/);
  assert.match((await status(page, /^(?!.*Two owners)/)).words, ONE);
  await page.getByRole('slider', { name: /Freeze/ }).fill('45');
  assert.match(await page.getByRole('group', { name: 'Settings of the clients' }).textContent(), /Freeze 45 s/);
  await page.done();
});

test('keys move a slider that has the focus, and not time', async () => {
  const page = await site.open(FIRST_ATTEMPT);
  await page.getByRole('slider', { name: 'TTL' }).focus();
  await page.keyboard.press('ArrowRight');
  assert.match(await page.getByRole('group', { name: 'Settings of the clients' }).textContent(), /TTL 16 s/);
  assert.equal(await now(page), '3.0 s');
  await page.getByRole('slider', { name: 'Time' }).focus();
  await page.keyboard.press('End');
  assert.equal(await now(page), '28.0 s');
  await page.done();
});

test('the safe client is one choice away, and stops what a freeze did', async () => {
  const page = await site.open();
  await page.getByRole('combobox', { name: 'Client' }).selectOption('safe');
  assert.match((await status(page, /^(?!.*Two owners)/)).words, ONE);
  await page.getByRole('combobox', { name: 'Client' }).selectOption('upstream');
  assert.match((await status(page, /Two owners/)).words, TWO);
  await page.done();
});

test('the very first call can be lost, although it leaves at the moment of the start', async () => {
  const page = await site.open('?still#story=collision-while-the-holder-renews&t=6000');
  const [box, client] = await boxes(page, '.plot', '[data-lane="node:bbs-0"]');
  await page.mouse.click(box.x + 10, client.y + client.height);
  await page.getByRole('button', { name: 'lose it' }).click();
  assert.match(await page.getByRole('listitem').filter({ hasText: 'a message from bbs-0 to locket-0 is lost' }).textContent(), /^\s*0\.0 s/);
  await page.done();
});

test('the next call of a client can be lost', async () => {
  const page = await site.open('?still#story=collision-while-the-holder-renews&t=6000');
  await menu(page, 'node:bbs-0').click();
  await page.getByRole('button', { name: 'lose the next call of A' }).click();
  assert.equal(await page.locator('ol').getByText('a message from bbs-0 to locket-0 is lost').count(), 1);
  await page.done();
});
