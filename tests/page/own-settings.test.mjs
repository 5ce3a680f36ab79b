// Settings of one's own: what is typed, what is asked back, and the verdict on it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { explore } from 'locket-wasm/check';

import { branches, ownSettings, testPage, status, verdict } from './support/page.mjs';

const site = await testPage();

const card = (page) => page.locator('details.card', { hasText: 'Your settings' });

async function type(page, name, text) {
  await ownSettings(page);
  await card(page).getByLabel(name).fill(text);
  await card(page).getByLabel(name).press('Enter');
}

test('a number without a unit is asked back as seconds or milliseconds, and neither is guessed', async () => {
  const page = await site.open();
  await type(page, 'Worst freeze', '5');
  const offered = await card(page).getByRole('status').getByRole('button').allTextContents();
  assert.deepEqual(offered, ['5 s', '5 ms']);
  assert.equal(await branches(page).count(), 0, 'nothing was changed yet');
  await card(page).getByRole('button', { name: '5 s', exact: true }).click();
  assert.match((await verdict(page, 'pause ≤ 5 s')).words, /Safe within these bounds/);
});

test('the verdict on typed settings is the search’s: worst overlap, shortest freeze, safe alternatives', async () => {
  const page = await site.open();
  await type(page, 'TTL', '20s');
  await type(page, 'Retry interval', '4 s');
  await type(page, 'Worst reply delay', '2s');
  await type(page, 'Worst freeze', '12000ms');
  const { words } = await verdict(page, 'messages ≤ 2 s');
  const { longest } = await explore({ runner: 'upstream', profile: 'upstream', ttl: '20s', retryInterval: '4s', latency: '2s', faults: { pause: { length: '12s', count: 1 } } });
  if (longest === null) assert.match(words, /Safe within these bounds/);
  else assert.match(words, new RegExp(`Unsafe.*Longest time with two owners ${longest.lastedMs / 1000} s`));
  assert.match((await status(page)).words, /owner|Safe/);
});

test('an invalid duration gets a message with the remedy, and changes nothing', async () => {
  const page = await site.open();
  for (const [name, text, remedy] of [['TTL', 'soon', /TTL: “soon” is not a duration; write 5s or 5000ms/], ['TTL', '1500ms', /TTL: Locket takes whole seconds/],
    ['Retry interval', '5 weeks', /the unit “weeks” is unknown/], ['Worst reply delay', '1h', /the search takes up to 10 s/]]) {
    await type(page, name, text);
    assert.match(await card(page).getByRole('status').textContent(), remedy);
  }
  assert.equal(await branches(page).count(), 0);
});
