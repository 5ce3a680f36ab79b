// The live view with the real client against the reference server on a port.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { LocketClient } from 'locket-wasm';
import { serve } from 'locket-wasm/serve';

import { testPage } from './support/page.mjs';

const site = await testPage();
const serving = await serve({ port: 0, clock: 'virtual', profile: 'upstream', closeTimeout: '500ms' });
const endpoint = serving.url;
const other = new LocketClient({ baseUrl: endpoint });
after(() => serving.close());

async function connect() {
  const page = await site.open('?still#view=live', { runs: true, allow: endpoint });
  await page.getByLabel('gRPC-Web endpoint').fill(endpoint);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByText('up to date').waitFor();
  return page;
}

test('locks and presences are listed, and the list follows', async () => {
  await other.lock({ key: 'cell-1', owner: 'cell-1', kind: 'presence', ttl: '60s' });
  const page = await connect();
  await page.getByRole('row', { name: /cell-1.*presence/ }).waitFor();
  await other.lock({ key: 'bbs', owner: 'bbs-0', ttl: '60s' });
  await page.getByRole('row', { name: /bbs.*bbs-0.*lock/ }).waitFor();
  // Between two polls nothing is known: the bar of the key fades there.
  await page.locator('[data-live-lane="bbs"] rect[mask="url(#live-in)"]').waitFor({ state: 'attached' });
  await other.release({ key: 'bbs', owner: 'bbs-0' });
  await page.getByRole('row', { name: /bbs/ }).waitFor({ state: 'detached' });
});

/** Starts a client of the page that keeps a key. */
async function keep(page, key, owner) {
  await page.getByLabel('Key to keep').fill(key);
  await page.getByLabel('As owner').fill(owner);
  await page.getByRole('button', { name: 'Run it' }).click();
}

test('a lock that a client of this page keeps is released without a question', async () => {
  const page = await connect();
  await keep(page, 'auctioneer', 'me');
  await page.getByRole('button', { name: 'Release auctioneer' }).click();
  await page.getByText('auctioneer is released').waitFor();
});

test('deleting the lock of another owner asks first, in place, and Keep keeps it', async () => {
  await other.lock({ key: 'evicted', owner: 'bbs-1', ttl: '60s' });
  const page = await connect();
  const row = page.getByRole('row', { name: /evicted/ });
  const holder = async () => (await other.fetchAll({ kind: 'lock' })).some(({ key }) => key === 'evicted');
  await row.getByRole('button', { name: 'Delete evicted' }).click();
  await row.getByText('Delete the lock of bbs-1? Another client can take it at once.').waitFor();
  assert.ok(await holder(), 'nothing was done yet');
  await row.getByRole('button', { name: 'Keep', exact: true }).click();
  assert.ok(await holder());
  await row.getByRole('button', { name: 'Delete evicted' }).click();
  await row.getByRole('button', { name: 'Delete', exact: true }).click();
  await row.waitFor({ state: 'detached' });
});

test('a presence is kept by its runner, which survives a change of view with all that was seen', async () => {
  const page = await connect();
  await page.getByRole('combobox', { name: /^Keep/ }).selectOption('presence');
  await keep(page, 'cell-9', 'cell-9');
  const believes = page.locator('[data-live-lane="cell-9"]').getByText('believes it holds it').first();
  await believes.waitFor();
  await page.getByRole('row', { name: /cell-9.*presence/ }).waitFor();
  await page.getByRole('button', { name: 'Diagram', exact: true }).click();
  await page.locator('.plot').waitFor();
  await page.getByRole('banner').getByRole('button', { name: '1 client runs' }).click();
  await believes.waitFor();
  await page.getByRole('button', { name: 'Stop cell-9' }).click();
  await page.getByRole('button', { name: '1 client runs' }).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /cell-9/ }).waitFor({ state: 'detached' });
});

test('a runner keeps a lock, another one waits for it, and takes it when the first is stopped', async () => {
  const page = await connect();
  await page.getByLabel('TTL, s').fill('60');
  await page.getByLabel('Retry, s').fill('1');
  const lane = (owner) => page.locator(`[data-live-lane="${owner}"]`);
  await keep(page, 'tps', 'one');
  await lane('one').getByText('believes it holds it').waitFor();
  await page.getByRole('row', { name: /tps.*one.*lock/ }).waitFor();
  assert.equal(await lane('one').locator('rect').count(), 1, 'its belief is drawn');
  await keep(page, 'tps', 'two');
  await page.getByRole('listitem').filter({ hasText: 'two wants tps' }).getByText(/one holds it/).waitFor();
  assert.equal(await lane('two').getByText('tries').count(), 1);
  await page.getByRole('button', { name: 'Stop one' }).click();
  await lane('two').getByText('believes it holds it').waitFor();
  await lane('one').getByText('has ended').waitFor();
  await page.getByRole('button', { name: 'Crash two' }).click();
  await lane('two').getByText('crashed').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'two ran for tps' }).waitFor();
  await page.getByRole('row', { name: /tps.*two.*lock/ }).waitFor();
});
