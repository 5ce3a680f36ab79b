// A page in Chromium, of an origin of its own.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { execFileSync } from 'node:child_process';

import { chromium } from 'playwright-core';

import { listen } from '../../net/support/listen.mjs';

/**
 * The program, or `undefined` where there is none; CHROME overrides. The shell is the same engine without windows, of which
 * Chromium makes one for each context even if none is shown: a test takes it a quarter of the work.
 */
export function findChromium() {
  return findProgram([process.env.CHROME, 'chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']);
}

/** The program of Firefox, or `undefined` where there is none; FIREFOX overrides. */
export function findFirefox() {
  return findProgram([process.env.FIREFOX, 'firefox-esr', 'firefox']);
}

function findProgram(names) {
  for (const name of names) {
    if (name === undefined) continue;
    try {
      return execFileSync('sh', ['-c', 'command -v "$0"', name]).toString().trim();
    } catch {
      // The next one, then.
    }
  }
  return undefined;
}

/** The origin of a page, with the package's files beside it, such as /web.js: `{ origin, close }`. `answer` may take a request, and says whether it does. */
export async function servePage(html = '<!doctype html>', answer = () => false) {
  const server = createServer((request, response) => {
    const { url } = request;
    if (answer(request, response)) return;
    if (/^\/[\w-]+\.js$/.test(url)) response.setHeader('content-type', 'text/javascript').end(readFileSync(new URL(`../../../pkg/dist${url}`, import.meta.url)));
    else response.setHeader('content-type', 'text/html').end(html);
  });
  const { url, close } = await listen(server);
  return { origin: url, close };
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
