// Five visitors with a question each, from the first view to their answer in at most three acts. target/walks/ then has a picture of
// each act's end.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';

import { explore } from 'locket-wasm/check';

import { digest, testPage } from './support/page.mjs';
import { BEAT_MS, CAPTIONS } from './support/story.mjs';

const PICTURES = new URL('../../target/walks/', import.meta.url);
const ACTS_MAX = 3;
const site = await testPage();
mkdirSync(PICTURES, { recursive: true });

/** A page that is opened without an address, and a function that does the next act on it and takes a picture of what it has led to. */
async function visitor(question, options) {
  const page = await site.open('', { permissions: ['clipboard-read', 'clipboard-write'], ...options });
  let acts = 0;
  const act = async (done, seen) => {
    acts += 1;
    assert.ok(acts <= ACTS_MAX, `${question} takes ${acts} acts`);
    await done();
    await page.locator(seen).first().waitFor();
    await page.screenshot({ path: new URL(`${question.replaceAll(/\W+/g, '-')}${acts}.png`, PICTURES).pathname, fullPage: true });
  };
  return { page, act };
}

const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const playAll = async (page) => {
  await press(page, 'Play all');
  for (let beat = 0; beat < CAPTIONS.length; beat += 1) await page.clock.runFor(BEAT_MS);
};

test('what is this?', async () => {
  const { page, act } = await visitor('what is this?');
  await act(() => playAll(page), 'text=A lock with a TTL is not a mutex.');
  assert.equal(await page.locator('[data-caption]').innerText(), CAPTIONS.at(-1));
});

test('break it', async () => {
  const { page, act } = await visitor('break it');
  await act(() => playAll(page), 'text=Now you: freeze A');
  await act(() => page.getByRole('link', { name: 'Now you: freeze A' }).click(), '[data-play="plays"]');
  await act(async () => {
    const hold = page.getByRole('button', { name: 'Hold to freeze A' });
    await page.clock.runFor(500);
    await hold.dispatchEvent('pointerdown', { button: 0, pointerId: 1 });
    for (let wait = 0; wait < 40 && !(await page.locator('[data-caption]').innerText()).includes('Let go.'); wait += 1) await page.clock.runFor(250);
    await hold.dispatchEvent('pointerup');
    for (let wait = 0; wait < 40 && (await page.locator('[data-play="over"]').count()) === 0; wait += 1) await page.clock.runFor(250);
  }, '[data-outcome="known"]');
  assert.match(await page.locator('[data-outcome]').innerText(), /^Two owners for .* You froze A for /);
});

test('is my setting safe?', async () => {
  const { page, act } = await visitor('is my setting safe?');
  await act(() => press(page, 'Diagram'), '[data-verdict="unsafe"]');
  await act(async () => {
    await page.getByRole('spinbutton', { name: 'TTL' }).fill('28');
    await page.keyboard.press('Enter');
  }, '[data-verdict="safe"]');
  const { verdict, clients } = await explore({ runner: 'upstream', profile: 'upstream', ttl: '28s', retryInterval: '5s', latency: '1s', faults: { pause: { length: '20s', count: 1 } } });
  assert.deepEqual([verdict, clients], ['safe', 'any']);
  assert.match(await page.locator('[data-verdict]').innerText(), /Safe within these bounds[^]*any number of clients/);
});

test('show my colleague this run', async () => {
  const { page, act } = await visitor('show my colleague this run');
  await act(() => press(page, 'Diagram'), '[data-verdict="unsafe"]');
  await act(() => page.getByRole('button', { name: 'Crash: Client A' }).click(), '[aria-label="Branches"]');
  await act(() => press(page, 'Copy link'), 'text=Link copied');
  const colleague = await site.open(`?still${new URL(await page.evaluate(() => navigator.clipboard.readText())).hash}`);
  assert.equal(await digest(colleague), await digest(page));
});

test('is my own rule safe?', async () => {
  const { page, act } = await visitor('is my own rule safe?');
  await act(() => press(page, 'Diagram'), '[data-verdict="unsafe"]');
  await act(() => page.getByRole('combobox', { name: 'Client' }).selectOption('own rule'), '[data-verdict="unsafe"]');
  await act(() => page.getByLabel('Lease counts from').selectOption('request'), '[data-verdict="safe"]');
  assert.match(await page.locator('[data-verdict]').innerText(), /any number of clients/);
});
