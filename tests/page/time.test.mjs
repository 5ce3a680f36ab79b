// Taking hold of time: keys, mouse and touch; steps back, branches, and what can be done to things.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { boxes, branches, caption, menu, now, testPage } from './support/page.mjs';

const FIRST_ATTEMPT = '?still#story=first-attempt-has-no-deadline&t=3000';
const site = await testPage();

const STEPS = [['ArrowRight', '7.0 s', 'An event on'], ['ArrowLeft', '2.0 s', 'An event back'], ['Shift+ArrowRight', '3.0 s'], ['Shift+ArrowLeft', '2.0 s'], ['End', '28.0 s'], ['Home', '0.0 s']];

test('keys, and buttons, move by event, by second and to the ends', async () => {
  const page = await site.open(FIRST_ATTEMPT);
  for (const [key, time] of STEPS) {
    await page.keyboard.press(key);
    assert.equal(await now(page), time, key);
  }
  await page.getByRole('slider', { name: 'Time' }).fill('3000');
  for (const [, time, name] of STEPS.slice(0, 2)) {
    await page.getByRole('button', { name, exact: true }).click();
    assert.equal(await now(page), time, name);
  }
});

test('space plays and stops', async () => {
  const page = await site.open(FIRST_ATTEMPT);
  await page.keyboard.press(' ');
  await page.clock.runFor(500);
  const stopped = await now(page);
  assert.ok(parseFloat(stopped) > 3);
  await page.keyboard.press(' ');
  await page.clock.runFor(500);
  assert.equal(await now(page), stopped);
});

test('the help names every key, and Escape closes it', async () => {
  const page = await site.open(FIRST_ATTEMPT);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys and marks' });
  await help.waitFor();
  for (const key of ['Space', '← →', 'Shift + ← →', 'Home End', '?']) assert.ok(await help.getByText(key, { exact: true }).isVisible(), key);
  await page.keyboard.press('Escape');
  assert.equal(await help.count(), 0);
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
});

test('an event leads to its cause, and a link has the event that is looked at', async () => {
  const page = await site.open('?still#story=first-attempt-has-no-deadline&t=21000');
  await page.getByText(/^All \d+ events/).click();
  const before = await caption(page);
  await page.getByRole('button', { name: /because at/ }).click();
  assert.notEqual(await caption(page), before);
  await page.clock.runFor(1_000);
  const other = await site.open(`?still${new URL(page.url()).hash}`);
  assert.equal(await caption(other), await caption(page));
});

for (const [what, thing, act, branch] of [
  ['a client is crashed, by touch', 'node:bbs-0', 'crash A', /^A crashes, 6\.0 s/],
  ['the next call of a client is lost', 'node:bbs-0', 'lose the next call of A', /^The next message from A to Locket is lost/],
  ['the lock is deleted', 'row:bbs', 'delete the lock bbs', /^An operator deletes the lock bbs, 6\.0 s 2 owners/],
  ['a message is lost before it was sent', 10_000, 'lose it', /^The call from A to locket-0 is lost/],
  ['a message takes longer', 5_000, 'delay it by 20 s', /takes 20 s longer/],
  ['the very first call is lost, although it leaves at the moment of the start', 0, 'lose it', /^The call from A to locket-0 is lost/],
]) {
  test(`in the menu of what is pressed: ${what}`, async () => {
    const page = await site.open('?still#story=collision-while-the-holder-renews&t=6000', { hasTouch: true });
    if (typeof thing === 'string') await menu(page, thing).tap();
    else {
      const [box, client] = await boxes(page, '.plot', '[data-lane="node:bbs-0"]');
      await page.mouse.click(box.x + 10 + ((box.width - 20) * thing) / 20_000, client.y + client.height);
    }
    await page.getByRole('button', { name: act, exact: true }).tap();
    assert.match(await branches(page).nth(1).textContent(), branch);
  });
}
