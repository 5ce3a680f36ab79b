// What the page asks the checker: the verdict on the current settings, and the map of settings. Compared with the package's own answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { advise, explore, mapSettings } from 'locket-wasm/check';

import { mapIsFull, testPage, status, verdict } from './support/page.mjs';

const site = await testPage();

const TTLS = [10, 12, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30].map((seconds) => `${seconds}s`);
const RETRIES = [1, 2, 3, 4, 5, 6].map((seconds) => `${seconds}s`);
const NO_FAULT = /no freeze, no message lost, no other fault$/;
const TWO_OWNERS = /^⚠ Two owners/;
const outcome = async (page) => (await status(page)).words;
/** The numbers of cells. */
const amounts = (cells) => cells.locator('[data-amount]').allTextContents();
const cell = (page, ttl, retry) => page.getByRole('button', { name: `TTL ${ttl} s, retry ${retry} s:` });

/** Moves a slider. */
async function slide(page, name, value) {
  const slider = page.getByRole('slider', { name });
  await slider.fill(String(value));
}

/** The number beside it. */
const typed = (page, name) => page.getByRole('spinbutton', { name });

async function openMap() {
  const page = await site.open('?still#view=map');
  await mapIsFull(page);
  return page;
}

test('the verdict on safe settings says what was tried', async () => {
  const page = await site.open();
  await slide(page, 'Freeze', 5);
  const { is, words } = await verdict(page, 'one freeze ≤ 5 s');
  const { states } = await explore({ runner: 'upstream', profile: 'upstream', ttl: '15s', retryInterval: '5s', latency: '1s', faults: { pause: { length: '5s', count: 1 } } });
  assert.equal(is, 'safe');
  assert.match(words, new RegExp(`Safe within these bounds .*States checked ${states.toLocaleString('en')} messages ≤ 1 s freeze ≤ 5 s 2 clients, 1 Locket allow more`));
  assert.deepEqual(await status(page), { tone: 'green', words: '✓ Safe within these bounds: messages ≤ 1 s, one freeze ≤ 5 s, no message lost, no other fault.' });
  assert.equal(await page.getByRole('button', { name: 'Show the schedule' }).count(), 0);
});

test('the verdict on unsafe settings shows the schedule with two owners, at its moment', async () => {
  const page = await site.open();
  await slide(page, 'Freeze', 8);
  await page.getByText('Shortest freeze that breaks it').waitFor();
  const { is, words } = await verdict(page, 'one freeze ≤ 8 s');
  const { longest } = await explore({ runner: 'upstream', profile: 'upstream', ttl: '15s', retryInterval: '5s', latency: '1s', faults: { pause: { length: '8s', count: 1 } } });
  assert.equal(is, 'unsafe');
  assert.match(words, new RegExp(`Shortest freeze that breaks it 8 s Longest time with two owners ${longest.lastedMs / 1000} s`));
  assert.deepEqual(await status(page), { tone: 'red-outline', words: `⚠ One owner at a time in this run. These settings allow two for up to ${longest.lastedMs / 1000} s.` });
  await page.getByRole('button', { name: 'Show the schedule' }).click();
  assert.match((await status(page, /Two owners/)).words, TWO_OWNERS);
  assert.equal(await page.getByLabel('Now', { exact: true }).textContent(), `${(longest.timeMs / 1000).toFixed(1)} s`);
  assert.equal((await verdict(page)).is, 'unsafe', 'its settings are as unsafe');
});

test('typed settings are searched as they are, and what Locket does not take changes nothing', async () => {
  const page = await site.open('?still#own=1&within=2000');
  for (const [name, seconds] of [['TTL', 20], ['Retry', 4.5], ['Freeze', 12]]) {
    await typed(page, name).fill(String(seconds));
    await typed(page, name).press('Enter');
  }
  const { words } = await verdict(page, 'messages ≤ 2 s, one freeze ≤ 12 s');
  const { longest } = await explore({ runner: 'upstream', profile: 'upstream', ttl: '20s', retryInterval: '4500ms', latency: '2s', faults: { pause: { length: '12s', count: 1 } } });
  assert.match(words, new RegExp(`Unsafe.*Longest time with two owners ${longest.lastedMs / 1000} s`));
  const before = page.url();
  for (const wrong of ['1.5', '0', '']) {
    await typed(page, 'TTL').fill(wrong);
    await typed(page, 'TTL').press('Enter');
  }
  assert.equal(await typed(page, 'TTL').evaluate((field) => field.validity.valid), false);
  assert.equal(page.url(), before);
});

test('safe settings are searched for, equal the advice of the package, and are applied with a press', async () => {
  const page = await site.open();
  await page.getByRole('button', { name: 'Which settings are safe?' }).click();
  const { alternatives } = await advise({ runner: 'upstream', profile: 'upstream', ttl: '15s', retryInterval: '5s', latency: '1s', faults: { pause: { length: '20s', count: 1 } } });
  const longer = alternatives.find(({ runner, ttlMs }) => runner === 'upstream' && ttlMs > 15_000);
  await page.getByRole('button', { name: `TTL ${longer.ttlMs / 1000} s`, exact: true }).click();
  assert.equal(await typed(page, 'TTL').inputValue(), String(longer.ttlMs / 1000));
  await page.locator('[data-verdict="safe"]').waitFor();
  assert.match(await outcome(page), /^✓ Safe within these bounds/);
});

test('a fault that is outside of the bounds is included with a press', async () => {
  const page = await site.open('?still#story=collision-while-the-holder-renews&t=6000');
  await page.getByRole('button', { name: 'Crash: Client A' }).click();
  assert.match((await status(page, /crash/)).words, /^One owner at a time in this run\. Outside the bounds of the check: 1 crash\.$/);
  await page.getByRole('button', { name: 'Include this run' }).click();
  assert.deepEqual(await status(page, /Safe/), { tone: 'green', words: '✓ Safe within these bounds: messages ≤ 1 s, no freeze, no message lost, one crash, no other fault.' });
  await page.getByLabel('Story').selectOption('collision-while-the-holder-renews');
  await verdict(page);
  assert.equal(await page.getByRole('button', { name: 'Only what is planned' }).count(), 0, 'another story begins with what it plans');
});

test('a search is ended when the settings change, and what it found is not shown', async () => {
  const page = await site.open();
  await verdict(page);
  const said = await page.evaluate(async () => {
    const said = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
      said.push(`${message.do} ${message.number}`);
      post.call(this, message);
    };
    const slider = [...document.querySelectorAll('input[type=range]')].find((input) => input.ariaLabel === 'Freeze');
    // Between the two the page runs its effects, but no answer of the Worker comes in.
    for (const seconds of ['60', '0']) {
      slider.value = seconds;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    }
    return said;
  });
  // The safety margin has searches of its own. A search begins with the question of the run.
  const [first, second, ...others] = said.filter((words) => words.startsWith('question'));
  assert.ok(second !== undefined && others.length === 0, said.join(', '));
  const cancelled = said.indexOf(first.replace('question', 'cancel'));
  assert.ok(said.indexOf(first) < cancelled && cancelled < said.indexOf(second), said.join(', '));
  assert.equal((await verdict(page, 'no freeze')).is, 'safe');
});

test('the map says what the package says of each cell, where the visitor is, and what each retry interval costs', async () => {
  const page = await openMap();
  const { cells, bounds } = await mapSettings({ runner: 'upstream', profile: 'upstream', ttl: TTLS, retryInterval: RETRIES, latency: '1s' });
  assert.equal(await page.locator('[data-bounds]').innerText(), `Proved for any number of clients. ${bounds.split('. ')[0].replace('pause', 'freeze')}.`);
  const shown = await amounts(page.getByRole('gridcell'));
  assert.deepEqual(shown.map((text) => text.trim()), cells.map(({ breaksAt }) => `${breaksAt / 1000} s`));
  assert.equal(page.workers().length, Math.min(4, await page.evaluate(() => navigator.hardwareConcurrency)), 'as many Workers as cores search, four at most');
  // A bar is as long as the freeze that breaks its cell, on one scale, and the tick is the worst freeze.
  const { breaksAt } = cells.find(({ ttlMs, retryIntervalMs }) => ttlMs === 24_000 && retryIntervalMs === 4_000);
  const shares = await cell(page, 24, 4).evaluate((button) => {
    const track = button.querySelector('.track').getBoundingClientRect();
    const at = (part) => button.querySelector(part).getBoundingClientRect();
    return { bar: at('.bar').width / track.width, tick: (at('.tick').x + at('.tick').width / 2 - track.x) / track.width };
  });
  assert.ok(Math.abs(shares.bar - breaksAt / 30_000) < 0.02 && Math.abs(shares.tick - 20 / 30) < 0.02, JSON.stringify(shares));
  const { handoverMaxMs } = await advise({ ttl: '28s', retryInterval: '5s', latency: '1s' });
  const row = page.getByRole('row', { name: /^28 s \/ 5 s/ });
  await row.getByText(`≤ ${handoverMaxMs / 1000} s`).waitFor();
  assert.match(await row.textContent(), /720$/);
  assert.match(await cell(page, 15, 5).getAttribute('aria-label'), /you are here$/);
  assert.match(await page.getByRole('region', { name: /^Your TTL 15 s/ }).textContent(), /Unsafe: two owners with a freeze of 8 s.*Proved for any number of clients: safe with every freeze up to 7 s\./);
  assert.ok(cells.every(({ clients }) => clients === 'any' || clients === null));
  assert.match(await cell(page, 15, 5).getAttribute('class'), /some/);
  await slide(page, 'Your worst freeze', 7);
  assert.match(await cell(page, 15, 5).getAttribute('class'), /safe/);
  assert.equal(await page.locator('progress').evaluate(({ value, max }) => value === max), true, 'the slider needs no search');
});

const TEXTS = { latency: (ms) => `${ms / 1000} s`, lostMessage: String };
for (const [axis, label] of [['latency', 'slow messages'], ['lostMessage', 'lost messages']]) {
  test(`the map can be of ${label}, and an unsafe cell of it opens as a schedule`, async () => {
    const page = await openMap();
    await page.getByRole('combobox', { name: 'Fault' }).selectOption(label);
    await page.getByRole('combobox', { name: 'Client' }).selectOption('before Oct. 2025');
    await mapIsFull(page);
    const question = { ttl: ['10s'], retryInterval: RETRIES, runner: 'upstream-before-2025-10', profile: 'upstream', axis };
    const { cells } = await mapSettings({ ...question, latency: axis === 'lostMessage' ? '1s' : '0s', maxSteps: { lostMessage: 3 }[axis] ?? 6 }, { maxStates: 100_000 });
    const shown = await amounts(page.getByRole('row', { name: /^10 s/ }).getByRole('gridcell'));
    const text = ({ breaksAt, because }) => (breaksAt === null ? (because === null ? '✓' : '?') : `${because === null ? '' : '≤'}${TEXTS[axis](breaksAt)}`);
    assert.deepEqual(shown.map((cell) => cell.trim()), cells.map(text));
    const breaking = cells.find(({ breaksAt }) => breaksAt > 0) ?? cells.find(({ breaksAt }) => breaksAt === 0);
    await cell(page, 10, breaking.retryIntervalMs / 1000).click();
    assert.match(await outcome(page), TWO_OWNERS);
  });
}

test('clocks that drift are a choice of the map: what is then unknown is said', async () => {
  const page = await openMap();
  await page.getByLabel('Clocks').selectOption('drift ≤ 1 %');
  await mapIsFull(page);
  const { cells, bounds } = await mapSettings({ runner: 'upstream', profile: 'upstream', ttl: ['15s'], retryInterval: RETRIES, latency: '1s', drift: '1%' });
  const text = ({ breaksAt, because }) => `${because === null ? '' : '≤'}${breaksAt / 1000} s`;
  assert.deepEqual((await amounts(page.getByRole('row', { name: /^15 s/ }).getByRole('gridcell'))).map((shown) => shown.trim()), cells.map(text));
  assert.ok(cells.some(({ because }) => because === 'drift') && bounds.includes('drift'));
  assert.match(await page.locator('[data-bounds]').innerText(), /clocks may drift by up to 1 %/);
});

test('a link to a map opens the same map', async () => {
  const page = await openMap();
  await slide(page, 'Your worst freeze', 7);
  await page.getByLabel('Clocks').selectOption('drift ≤ 0.1 %');
  await page.getByRole('combobox', { name: 'Fault' }).selectOption('lost messages');
  await page.getByRole('combobox', { name: 'Client' }).selectOption('before Oct. 2025');
  await page.getByLabel('Replies within').selectOption('0 s');
  await mapIsFull(page);
  const there = await amounts(page.getByRole('gridcell'));
  await page.clock.runFor(1_000);
  const { hash } = new URL(page.url());
  const other = await site.open(`?still${hash}`);
  await mapIsFull(other);
  assert.deepEqual(await amounts(other.getByRole('gridcell')), there);
  assert.match(await other.getByRole('heading', { level: 2 }).first().textContent(), /How many lost messages are safe/);
  assert.deepEqual(await Promise.all(['Fault', 'Client', 'Replies within', 'Clocks'].map((name) => other.getByRole('combobox', { name }).locator('option:checked').textContent())),
    ['lost messages', 'before Oct. 2025', '0 s', 'drift ≤ 0.1 %']);
  await other.getByRole('combobox', { name: 'Fault' }).selectOption('one freeze');
  assert.equal(await other.getByRole('slider', { name: /^Your worst freeze/ }).inputValue(), '7');
});

test('arrow keys walk the map, Tab reaches one cell of it, and Enter opens that', async () => {
  const page = await openMap();
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  assert.equal(await page.locator('[role=grid] [tabindex="0"]').count(), 1);
  await cell(page, 10, 1).focus();
  for (const [key, at] of [['ArrowDown', '12 s, retry 1 s'], ['ArrowRight', '12 s, retry 2 s'], ['ArrowUp', '10 s, retry 2 s'], ['End', '10 s, retry 6 s'],
    ['ArrowRight', '10 s, retry 6 s'], ['Home', '10 s, retry 1 s'], ['Control+End', '30 s, retry 6 s'], ['ArrowLeft', '30 s, retry 5 s']]) {
    await page.keyboard.press(key);
    assert.match(await focused(), new RegExp(`^TTL ${at}: two owners are possible`), key);
  }
  assert.equal(await page.locator('[role=grid] [tabindex="0"]').count(), 1);
  assert.match(await page.locator('[data-cell]').textContent(), /TTL 30 s, retry 5 s: [^]* states checked/);
  await cell(page, 12, 4).focus();
  await page.keyboard.press('Enter');
  assert.match(await outcome(page), TWO_OWNERS);
  assert.deepEqual([await typed(page, 'TTL').inputValue(), await typed(page, 'Retry').inputValue()], ['12', '4']);
  assert.equal((await verdict(page)).is, 'unsafe');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main', 'the focus goes along');
});

test('the search for the map can be ended, and begun again', async () => {
  const page = await openMap();
  const known = await page.evaluate(async () => {
    const settle = async () => {
      for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    };
    const client = [...document.querySelectorAll('select')].find((select) => select.closest('label').textContent.includes('Client'));
    // Another search begins, and no answer of the Worker comes in before it is ended.
    client.value = client.options[1].value;
    client.dispatchEvent(new Event('change', { bubbles: true }));
    await settle();
    [...document.querySelectorAll('button')].find((button) => button.textContent === 'Cancel').click();
    await settle();
    return document.querySelector('progress').value;
  });
  assert.equal(known, 0);
  await page.getByRole('button', { name: 'Search again' }).click();
  await mapIsFull(page);
});

test('each bound is a chip that changes it, and the scenario stays', async () => {
  const page = await site.open('?still#story=collision-while-the-holder-renews');
  const chips = page.getByRole('list', { name: 'Bounds' });
  assert.equal((await verdict(page, 'messages ≤ 1 s, no freeze')).is, 'safe');
  await chips.getByLabel('Freeze').selectOption('freeze ≤ 20 s');
  assert.equal((await verdict(page, 'one freeze ≤ 20 s')).is, 'unsafe');
  await chips.getByLabel('Freeze').selectOption('no freeze');
  await chips.getByLabel('Allow more').selectOption('1 failover');
  const { is } = await verdict(page, 'no freeze, no message lost, one failover');
  assert.equal(is, (await explore({ runner: 'upstream', profile: 'upstream', ttl: '15s', retryInterval: '5s', latency: '1s', faults: { failover: 1 } })).verdict);
  await chips.getByLabel('Failovers').selectOption('no failovers');
  assert.equal((await verdict(page, NO_FAULT)).is, 'safe');
  assert.equal(await page.getByRole('list', { name: 'Branches' }).count(), 0);
  await chips.getByLabel('Freeze').selectOption('freeze ≤ 20 s');
  await page.getByRole('combobox', { name: 'Client' }).selectOption('safe');
  await page.locator('[data-verdict="safe"]').waitFor();
});
