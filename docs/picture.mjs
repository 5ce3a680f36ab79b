// Draws the picture of the README: the page's diagram at the moment of two owners, in both colour schemes, from the built page.
//
//   node docs/picture.mjs   (through `make docs`)

import { fileURLToPath } from 'node:url';

import { startPage } from '../tests/page/support/page.mjs';

/** The moment at which two clients believe they hold the lock of a shipped story. */
const MOMENT = '?still#story=holder-paused-longer-than-its-ttl&t=24700&view=diagram';

const site = await startPage();
try {
  for (const colorScheme of ['light', 'dark']) {
    const page = await site.open(MOMENT, { viewport: { width: 1200, height: 614 }, runs: true, colorScheme });
    // Until every search has answered, the picture would say so.
    await page.getByText(/^(Searching|Trying)/).first().waitFor({ state: 'hidden', timeout: 120_000 });
    await page.screenshot({ path: fileURLToPath(new URL(`images/page-${colorScheme}.png`, import.meta.url)) });
    await page.done();
  }
} finally {
  await site.close();
}
