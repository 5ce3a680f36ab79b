// Runs a page in Chromium: a project's index.html, without a server, or one that a server has.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { findChromium } from '../serve/support/page.mjs';

const ORIGIN = 'http://consumer.test';

/** The first thing that a project's page prints; an error if the page has one, or asks for a file that is not there. */
export function inChromium(folder) {
  return visit(`${ORIGIN}/index.html`, (page, reject) =>
    page.route('**/*', (route) => {
      const path = join(folder, new URL(route.request().url()).pathname);
      if (existsSync(path)) return route.fulfill({ path });
      reject(new Error(`asks for ${path}`));
      return route.abort();
    }),
  );
}

/** The first thing that the page at an address prints that is no chatter of a tool. */
export async function visit(address, prepare = async () => {}) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--headless', '--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    return await new Promise((resolve, reject) => {
      // A page that stays silent is a failure, too. Long, as nothing waits for it otherwise.
      setTimeout(() => reject(new Error('printed nothing')), 60_000).unref();
      page.on('console', (message) => {
        if (message.type() === 'error') reject(new Error(message.text()));
        else if (message.type() === 'log') resolve(message.text());
      });
      page.on('pageerror', reject);
      prepare(page, reject).then(() => page.goto(address)).catch(reject);
    });
  } finally {
    await browser.close();
  }
}
