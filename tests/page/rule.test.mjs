// Clients with a rule: known libraries by name, fields, the map and the address, beside what the package says.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Simulation } from 'locket-wasm';
import { explore, mapSettings } from 'locket-wasm/check';

import { loadCore } from './support/core.mjs';
import { digest, mapIsFull, testPage, verdict } from './support/page.mjs';

const site = await testPage();
const { LIBRARY_NAMES, libraryNamed, ruleLabel } = await loadCore('core/rule');
const FREEZE = { profile: 'upstream', latency: '1s', faults: { pause: { length: '20s', count: 1 } } };
const client = (page) => page.getByRole('combobox', { name: 'Client', exact: true });
const chosen = (page) => client(page).locator('option:checked').textContent();

const statesIn = (words) => Number(/States checked ([\d,]+)/.exec(words)[1].replaceAll(',', ''));

/** Fills a field of the rule. */
async function fill(page, label, text) {
  await page.getByLabel(label, { exact: true }).fill(text);
  await page.keyboard.press('Enter');
}

test('each known library is a choice, with the TTL and the verdict that it has by its name', async () => {
  const page = await site.open();
  for (const name of LIBRARY_NAMES) {
    await client(page).selectOption(name);
    const { verdict: expected, states, summary } = await explore({ runner: name, ...FREEZE });
    const { is, words } = await verdict(page, 'one freeze ≤ 20 s');
    assert.deepEqual([is, statesIn(words), await page.getByRole('spinbutton', { name: 'TTL' }).inputValue(), await chosen(page)], [expected, states, /TTL (\d+) s/.exec(summary)[1], name]);
    assert.equal(ruleLabel(Object.fromEntries(Object.entries(libraryNamed(name).runner).reverse())), name, 'in any order');
  }
});

test('a field changes the rule, which is then the visitor’s own, and the address opens the same run', async () => {
  const page = await site.open();
  await client(page).selectOption('client-go@0138c828');
  for (const [label, text] of [['Lease lasts', '10s'], ['Deadline', 'ttl'], ['Failures tolerated', '2']]) await fill(page, label, text);
  const { verdict: expected, states } = await explore({ runner: { lease: { from: 'reply', length: '10s' }, timeout: 'ttl', toleratedFailures: 2, onCollision: 'count' }, ttl: '15s', retryInterval: '2s', ...FREEZE });
  const { is, words } = await verdict(page, 'one freeze ≤ 20 s');
  assert.deepEqual([is, statesIn(words), await chosen(page)], [expected, states, 'own rule']);
  await page.getByRole('button', { name: 'Which settings are safe?' }).click();
  await page.getByText('Safe instead, within the same bounds').waitFor();
  assert.doesNotMatch(await page.locator('.remedies').innerText(), /object/, 'a rule that stays is not named');
  await page.clock.runFor(1_000);
  const other = await site.open(`?still${new URL(page.url()).hash}`);
  assert.equal(await digest(other), await digest(page));
  const fields = other.getByRole('group', { name: 'Rule of the clients' });
  assert.deepEqual(await fields.locator('input, select').evaluateAll((all) => all.map(({ value }) => value)), ['reply', '10s', '', '', '', '', 'ttl', '', '', '2', 'count', '']);
  assert.match(await fields.innerText(), /As a file for --runner: \{.*"length":"10s".*"toleratedFailures":2.*\}/);
  await page.getByRole('button', { name: /^Undo/ }).click();
  assert.deepEqual(await Promise.all(['Deadline', 'Failures tolerated'].map((label) => page.getByLabel(label, { exact: true }).inputValue())), ['ttl', ''], 'of one field');
});

test('what is wrong with a field is said as the package says it, and changes nothing', async () => {
  const page = await site.open();
  await client(page).selectOption('own rule');
  const before = await digest(page);
  for (const [label, text, problem] of [['Deadline', 'never', /runner\.timeout: "never" is not a duration; write a number with its unit/], ['Failures tolerated', '16', /runner: toleratedFailures: expected at most 15/]]) {
    await fill(page, label, text);
    assert.match(await page.getByRole('alert').innerText(), problem);
  }
  assert.deepEqual([await digest(page), await page.getByLabel('Deadline', { exact: true }).inputValue()], [before, ''], 'a field shows what holds');
  assert.ok(await page.getByLabel('Margin', { exact: true }).isDisabled(), 'without a lease nothing has a margin');
});

test('a link to clients with a rule shows it, its verdict, and its map, which has a place for settings that all clients have', async () => {
  for (const lease of [{ from: 'request' }, undefined]) {
    const runner = { ...(lease && { lease }), timeout: 'retry-interval' };
    const clients = [...['a', 'b'].map((name) => ({ name, key: 'k', ttl: '15s', runner: { ...runner, retry: { every: '3s' } } })), ...(lease ? [] : [{ name: 'c', key: 'of another', ttl: '9s', retryInterval: '3s' }])];
    const page = await site.open(`?still#sim=${new Simulation({ name: 'own rule', until: '40s', network: { latency: '100ms' }, clients, actions: [{ at: '6s', do: 'pause', node: 'a', for: '20s' }] }).link()}`);
    const { verdict: expected } = await explore({ ...FREEZE, profile: 'documented', runner, ttl: '15s', retryInterval: '3s' });
    assert.deepEqual([(await verdict(page)).is, await chosen(page)], [expected, 'own rule']);
    assert.equal(await page.getByText('The clients differ: this is A.').count(), lease ? 0 : 1);
    await page.getByRole('button', { name: 'Map', exact: true }).click();
    await mapIsFull(page);
    const { cells } = await mapSettings({ runner, profile: 'upstream', ttl: ['15s'], retryInterval: [1, 2, 3, 4, 5, 6].map((seconds) => `${seconds}s`), latency: '1s' });
    const shown = [await page.getByRole('row', { name: /^15 s/ }).getByRole('gridcell').locator('[data-amount]').allTextContents(), await page.getByRole('region', { name: /^Your TTL/ }).count()];
    assert.deepEqual(shown, [cells.map(({ breaksAt }) => (breaksAt === null ? '✓' : `${breaksAt / 1_000} s`)), lease ? 1 : 0]);
  }
});
