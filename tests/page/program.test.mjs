// The figure of a search of one's own program: what it draws and plays is what the package finds in the same program, written here again.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { everyFault } from 'locket-wasm/testing';

import { testPage } from './support/page.mjs';

const FAULTS = ['pause:20s', 'crash:5s', 'lostMessage', 'lostReply', 'lateReply:20s'];
const site = await testPage();

const election = everyFault({ latency: '100ms', onUnawaited: 'ignore' }, async ({ host, clock, oneAtATime }) => {
  const leading = oneAtATime('leading');
  for (const name of ['A', 'B']) {
    let leave;
    const campaign = async (client) => {
      const leads = await client.lock({ key: 'leader', ttl: '15s' }).then(() => true, () => false);
      if (leads) leave ??= leading.enter();
      else leave = leave?.();
      setTimeout(campaign, 5_000, client);
    };
    host(name, ({ client }) => campaign(client));
  }
  await clock.advanceAsync('1m');
});

/** What a plan gives, or a whole search without one: a report, or nothing. */
async function reportOf(plan = '') {
  process.env.LOCKET_FAULTS = plan;
  return election().then(() => '', ({ message }) => message).finally(() => delete process.env.LOCKET_FAULTS);
}

test('the figure has a dot for each fault at each call, red where it breaks the program, and plays the one that the search finds', async () => {
  const page = await site.open('');
  const places = async (kind) => (await page.locator(`[data-program] path.${kind}`).first().getAttribute('d')).slice(1).split('M');
  const [all, broken, [chosen]] = [await places('held'), await places('broken'), await places('chosen')];
  const names = Array.from({ length: all.length / FAULTS.length }, (_, index) => `${'AB'[index % 2]}:lock${Math.floor(index / 2) + 1}:sent`);
  const plans = names.flatMap((name) => FAULTS.map((fault) => `${name}=${fault}`));
  for (const [index, plan] of plans.entries()) assert.equal(broken.includes(all[index]), /One fault is enough/.test(await reportOf(plan)), plan);
  assert.match(await reportOf(`A:lock${names.length / 2 + 1}:sent=crash:5s`), /does not come to/);
  const report = await reportOf();
  const [, sentence, plan] = /^ {2}at 0 s, the (.*)\.$[^]*LOCKET_FAULTS='(.*):11s'/m.exec(report);
  assert.equal(all.indexOf(chosen), plans.findIndex((one) => one.startsWith(plan)));
  const figure = page.locator('[data-program]');
  assert.equal(await figure.locator('figcaption').innerText(), `Your own program: ${names.length} calls × 5 faults are ${all.length} runs. ${broken.length} break this one.`);
  await figure.getByRole('button').click();
  await page.clock.runFor(17_500 / 4 - 500);
  assert.equal(await figure.getByText('two lead').count(), 1);
  assert.equal(await figure.getByRole('status').innerText(), `The ${sentence}.`);
  assert.match(report, /two at a time in 'leading' at 15\.4 s: A since 11\.1 s, B since 15\.4 s/);
  const [belief] = await figure.locator('.belief').evaluateAll((bars) => bars.map((bar) => Number.parseFloat(bar.getAttribute('x'))));
  assert.ok(Math.abs(belief - 100 * (11.1 / 17.4)) < 0.01, String(belief));
});
