// A page in Chromium, of an origin of its own.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { execFileSync } from 'node:child_process';

import { chromium } from 'playwright-core';

/**
 * The program, or `undefined` where there is none; CHROME overrides. The shell is the same engine without windows, of which
 * Chromium makes one for each context even if none is shown: a test takes it a quarter of the work.
 */
export function findChromium() {
  for (const name of [process.env.CHROME, 'chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']) {
    if (name === undefined) continue;
    try {
      return execFileSync('sh', ['-c', 'command -v "$0"', name]).toString().trim();
    } catch {
      // The next one, then.
    }
  }
  return undefined;
}

/** The origin of an empty page, with the package's files beside it, such as /web.js: `{ origin, close }`. */
export async function servePage() {
  const server = createServer(({ url }, response) => {
    if (/^\/[\w-]+\.js$/.test(url)) response.setHeader('content-type', 'text/javascript').end(readFileSync(new URL(`../../../pkg/dist${url}`, import.meta.url)));
    else response.setHeader('content-type', 'text/html').end('<!doctype html>');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, close };
}

/** Opens it and evaluates `script` with `argument` there. */
export async function inPage(executablePath, origin, script, argument) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: 30_000 });
  try {
    const page = await browser.newPage();
    await page.goto(origin);
    return await page.evaluate(script, argument);
  } finally {
    await browser.close();
  }
}
