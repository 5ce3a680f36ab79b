// Every view of the page in every state that a visitor meets, each opened as a visitor comes there: for checks and pictures of all of them.

import { Simulation } from 'locket-wasm';

import { logsOf } from '../../node/support/diagnose-logs.mjs';
import { mapIsFull, menu, verdict } from './page.mjs';
import { button, openTour } from './story.mjs';

/** What an address shows once this is visible. */
const at = (address, selector) => async (site, options) => {
  const page = await site.open(address, options);
  await page.locator(selector).first().waitFor();
  return page;
};

/** The stage, once the script has taken over from the first picture. */
const STAGE = 'main[aria-busy="false"] .stage';

/** A state, and what is done to come to the next one. */
const then = (before, act) => async (site, options) => {
  const page = await before(site, options);
  await act(page);
  return page;
};

const diagram = (hash) => at(`?still#${hash}`, '[data-status]:not([data-search="searching"])');
const instrument = then(diagram('story=holder-paused-longer-than-its-ttl&t=24000'), verdict);

/** A search without an end: the Worker's module never comes. */
const searching = (address, selector) => async (site, options) => {
  const page = await site.open(address, { ...options, blocked: /checker-.*\.wasm$/ });
  await page.locator(selector).first().waitFor();
  return page;
};

const MANY = new Simulation({
  name: 'many', until: '300s', clients: Array.from({ length: 40 }, (_, index) => ({ name: `c${index}`, key: `k${index % 5}`, retryInterval: '5s', runner: 'upstream', startAt: `${index * 50}ms` })),
}).link();

const logs = then(at('?still#view=logs', '#about-logs'), async (page) => {
  const files = logsOf('k-operator-delete').map(({ name, data }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(data) }));
  await page.locator('input[type=file]').setInputFiles(files);
  await page.locator('[data-summary]').waitFor();
});

const connect = (endpoint) => then(at('?still#view=live', 'input[type=url]'), async (page) => {
  await page.getByLabel('gRPC-Web endpoint').fill(endpoint);
  await page.getByRole('button', { name: 'Connect' }).click();
});

const game = (played, motion = '?still') => at(`${motion}#play${played}`, '[data-play]:not([data-play="loading"])');
/** Nothing can be held where nothing moves. */
const held = (played, act) => then(game(played, ''), async (page) => {
  await page.getByRole('button', { name: `Hold to ${act}` }).focus();
  await page.keyboard.down('Enter');
  await page.locator('[data-play="held"]').waitFor();
  // It stays held, and no colour is on its way to another one.
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

/** @param endpoint of a Locket that has a lock of another owner, with the key `other` */
export function states(endpoint) {
  const live = then(connect(endpoint), async (page) => {
    await page.getByLabel('Key to keep').fill('kept');
    await page.getByLabel('As owner').fill('me');
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.locator('[data-live-lane="me"] >> text=believes it holds it').waitFor();
  });
  return {
    ...Object.fromEntries([1, 2, 3, 4, 5].map((beat) => [`beat ${beat}`, at(`?still#beat=${beat}`, STAGE)])),
    'the search of a program, played': then(at('?still', STAGE), (page) => page.getByRole('button', { name: 'Play the shortest' }).click()),
    'the answer about a longer TTL': at('?still#tour=longer-ttl&beat=3', 'text=breaks it'),
    'the answer about the safe client': at('?still#tour=safe-client&beat=5', 'text=Safe within these bounds'),
    'an answer that is being searched': searching('?still#tour=safe-client&beat=5', 'text=Checking'),
    ...Object.fromEntries([['crash', 4], ['handover', 3], ['operator', 4], ['lost-renewal', 5], ['failover', 4]].map(([tour, beat]) => [`the end of the story ${tour}`, (site, options) => openTour(site, `?still#tour=${tour}&beat=${beat}`, options)])),
    'your turn': game(''),
    'your turn, with a frozen client': held('', 'freeze A'),
    'your turn, won': then(game('=15-5-u.fA6050-24550'), (page) => page.locator('[data-wall="known"]').waitFor()),
    'your turn, lost': then(game('=15-5-u.fA6050-12550'), (page) => page.locator('[data-outcome="known"]').waitFor()),
    'your turn, with the worst schedule': then(game('=15-5-u.fA6050-24550'), async (page) => {
      await page.getByRole('button', { name: 'Can it be shorter?' }).click();
      await page.locator('[data-outcome="shown"]').waitFor();
    }),
    'your turn, with the safe client': then(game('=15-5-s.fA6050-24550'), (page) => page.locator('[data-wall="known"]').waitFor()),
    'your turn with a presence, cut off': held('=15-5-p', 'cut A off'),
    'your turn with a presence that came back': then(game('=15-5-p.cA6050-26050'), (page) => page.locator('[data-wall="known"]').waitFor()),
    'your turn beside that of a link': then(game('=15-5-u.fA6050-24550'), (page) => page.getByRole('button', { name: 'Your turn: shorter?' }).click()),
    'the diagram, red': instrument,
    'the diagram, green': diagram('story=holder-hands-over-cleanly'),
    'the diagram, grey': diagram('story=presence-comes-back-after-a-gap'),
    'the diagram with a run outside of the bounds': diagram('story=all-locket-processes-restart'),
    'the diagram while it searches': searching('?still#story=holder-crashes', '[data-search="searching"]'),
    'the diagram with a failing verdict and branches': then(diagram('story=holder-crashes'), async (page) => {
      await page.getByRole('button', { name: /^Crash/ }).first().click();
      await page.getByRole('button', { name: 'Zoom in' }).click();
    }),
    'the diagram with a rule of one’s own': then(instrument, (page) => page.getByRole('combobox', { name: 'Client' }).selectOption('client-go@0138c828')),
    'the messages of a client': then(instrument, async (page) => {
      await menu(page, 'node:bbs-0').click();
      await page.getByText('One message').click();
    }),
    'the menu of a client': then(instrument, (page) => menu(page, 'node:bbs-0').click()),
    'the menu of the lock': then(instrument, (page) => menu(page, 'row:bbs').click()),
    'Locket and database': then(instrument, (page) => page.getByRole('button', { name: 'Locket and database' }).click()),
    'the list of events': then(instrument, (page) => page.locator('.scene details summary').click()),
    'forty clients': at(`?still#sim=${MANY}`, '[data-status]'),
    'a link that cannot be read': at('?still#sim=l9.abc', '[role=alert]'),
    'a simulator that does not load': async (site, options) => {
      const page = await site.open('?still', { ...options, blocked: /simulator-.*\.wasm$/, isBroken: true });
      await page.evaluate(() => [...document.querySelectorAll('nav button')].find(({ textContent }) => textContent === 'Diagram').click());
      await page.getByText(/simulator did not load/).waitFor();
      return page;
    },
    'the help': then(instrument, async (page) => {
      await page.keyboard.press('?');
      await page.locator('dialog[open]').waitFor();
    }),
    'a diagram in another page': at('?still&embed#story=holder-crashes', '[data-status]'),
    'the map': then(at('?still#view=map', 'output'), mapIsFull),
    'the map while it searches': searching('?still#view=map', 'progress'),
    ...Object.fromEntries(['lostMessage', 'latency'].map((axis) => [`the map of ${axis}`, then(at(`?still#view=map&axis=${axis}`, 'output'), mapIsFull)])),
    'the editor': at('?still#view=editor', '[role=textbox]'),
    'the editor with a validation error': then(at('?still#view=editor', '[role=textbox]'), async (page) => {
      await page.getByRole('textbox', { name: 'Scenario, as JSON' }).focus();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText('{ "name": "x", "until": 5 }');
      await page.locator('.cm-lint-marker-error').waitFor();
    }),
    'no logs yet': at('?still#view=logs', '#about-logs'),
    'an incident': logs,
    'an incident as a list': then(logs, (page) => page.getByText('All periods as a list').click()),
    'files without a line about locks': then(at('?still#view=logs', '#about-logs'), async (page) => {
      await page.locator('input[type=file]').setInputFiles([{ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('nothing\n') }]);
      await page.getByText(/no line/).first().waitFor();
    }),
    'Live before it is connected': at('?still#view=live', 'input[type=url]'),
    'Live with a runner': live,
    'Live with a question before a delete': then(live, (page) => page.getByRole('button', { name: 'Delete other' }).click()),
    'Live without a server': then(connect('http://127.0.0.1:9'), (page) => page.getByRole('alert').waitFor()),
    'the menu of a phone': then(at('?still#beat=5', STAGE), async (page) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await button(page, 'Menu').click();
    }),
  };
}
