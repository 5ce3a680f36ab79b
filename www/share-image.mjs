// Draws the pictures that others show: `public/og.png`, the stage at the end of the first visit, and the icon of the installed page.
// Both are kept in the repository; `make share-image` draws them anew from the built page.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { startPage } from '../tests/page/support/page.mjs';

const PUBLIC = new URL('./public/', import.meta.url);
const fileOf = (name) => fileURLToPath(new URL(name, PUBLIC));

/** The frame: the first line of the page as a headline, what it is about, and the stage; nothing that is to be pressed. */
const FRAME = `
  #app main { padding: 44px 64px 0; max-width: none; }
  #app header { position: absolute; top: 52px; right: 64px; border: 0; padding: 0; }
  #app header h1 { font-size: 28px; }
  #app :is(nav, header .row, header .menu, .caption, .trace, .ending) { display: none; }
  #app .tour { max-width: none; margin: 0; gap: 0; }
  #app .hook { text-align: left; font-size: 44px; font-weight: 700; letter-spacing: -0.02em; line-height: 1.25; color: var(--ink); }
  #app .about { font-size: 25px; color: var(--ink-soft); margin-bottom: 16px; }
  #app .tour .stage { max-height: 448px; }
`;

const site = await startPage();
try {
  const page = await site.open('#beat=5', { viewport: { width: 1200, height: 630 }, bypassCSP: true, runs: true, colorScheme: 'light' });
  await page.addStyleTag({ content: FRAME });
  await page.locator('.hook').evaluate((hook) => {
    const about = document.createElement('p');
    about.className = 'about';
    about.textContent = 'Why a lock with a TTL is not a mutex';
    hook.after(about);
  });
  // The last line of the file has come to rest.
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: fileOf('og.png') });

  await page.setViewportSize({ width: 512, height: 512 });
  await page.setContent(`<body style="margin: 0; background: #fbfaf7">${readFileSync(fileOf('icon.svg'), 'utf8')}`);
  await page.screenshot({ path: fileOf('icon-512.png') });
} finally {
  await site.close();
}
