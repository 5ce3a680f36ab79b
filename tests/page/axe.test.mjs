// For everybody: in every view and state axe finds nothing, nothing needs horizontal scrolling, and every text can be read on what stands
// behind it, however wide the page is and whatever colours it has.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { LocketClient } from 'locket-wasm';
import { serve } from 'locket-wasm/serve';

import { violations } from './support/axe.mjs';
import { hardToRead } from './support/contrast.mjs';
import { testPage } from './support/page.mjs';
import { states } from './support/states.mjs';

/** What axe finds depends on the width; how well a text can be read, on the colours as well. These have both colours, and both the width of a screen and of a phone. */
const LOOKS = [
  { width: 1440, colorScheme: 'light', forcedColors: 'none', asksAxe: true },
  { width: 320, colorScheme: 'dark', forcedColors: 'none', asksAxe: true },
];
/** What `make test-looks` tries besides, with LOOKS=all: forced colours, the other pairs, and a very wide screen. */
const MORE_LOOKS = [
  { width: 1440, colorScheme: 'dark', forcedColors: 'active', asksAxe: false },
  { width: 2560, colorScheme: 'light', forcedColors: 'none', asksAxe: true },
  { width: 1440, colorScheme: 'dark', forcedColors: 'none', asksAxe: false },
  { width: 320, colorScheme: 'light', forcedColors: 'none', asksAxe: false },
];
const looks = process.env.LOOKS === 'all' ? [...LOOKS, ...MORE_LOOKS] : LOOKS;
const serving = await serve({ port: 0, clock: 'virtual', profile: 'upstream', closeTimeout: '500ms' });
await new LocketClient({ baseUrl: serving.url }).lock({ key: 'other', owner: 'bbs-1', ttl: '60s' });
const site = await testPage();
after(() => serving.close());

for (const [name, open] of Object.entries(states(serving.url))) {
  test(`axe finds nothing in ${name}, every text can be read and nothing needs horizontal scrolling, at any width and in any colours`, async () => {
    // The browser says itself what did not load: in some states nobody answers.
    const page = await open(site, { runs: true, allow: 'http://127.0.0.1:', expected: /ERR_|Failed to load|404/ });
    const found = [];
    for (const { width, asksAxe, ...colours } of looks) {
      await page.setViewportSize({ width, height: 1200 });
      await page.emulateMedia(colours);
      const wrong = [...(asksAxe ? await violations(page) : []), ...(await hardToRead(page))];
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (over > 0) wrong.push(`${over} px too wide`);
      found.push(...wrong.map((one) => `${width} ${colours.colorScheme}${colours.forcedColors === 'active' ? ' forced' : ''}: ${one}`));
    }
    assert.deepEqual(found, []);
  });
}
