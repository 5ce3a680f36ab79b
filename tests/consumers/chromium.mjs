// Runs a project's index.html in Chromium, without a server: requests are answered from the folder.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { findChromium } from '../serve/support/page.mjs';

const ORIGIN = 'http://consumer.test';

/** The first thing that the page prints; an error if the page has one, or asks for a file that is not there. */
export async function inChromium(folder) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--headless', '--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    return await new Promise((resolve, reject) => {
      // A page that stays silent is a failure, too. Long, as nothing waits for it otherwise.
      setTimeout(() => reject(new Error('printed nothing')), 60_000).unref();
      page.on('console', (message) => (message.type() === 'error' ? reject(new Error(message.text())) : resolve(message.text())));
      page.on('pageerror', reject);
      const answer = (route) => {
        const path = join(folder, new URL(route.request().url()).pathname);
        if (existsSync(path)) return route.fulfill({ path });
        reject(new Error(`asks for ${path}`));
        return route.abort();
      };
      page.route('**/*', answer).then(() => page.goto(`${ORIGIN}/index.html`)).catch(reject);
    });
  } finally {
    await browser.close();
  }
}
