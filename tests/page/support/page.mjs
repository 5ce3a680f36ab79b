// The built page, served under a path that it does not know, and a Chromium that complains about everything.

import assert from 'node:assert/strict';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { after, afterEach } from 'node:test';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

import { listen } from '../../net/support/listen.mjs';
import { findChromium } from '../../serve/support/page.mjs';

const ROOT = fileURLToPath(new URL('../../../target/www/', import.meta.url));
const PREFIX = '/some/where/';
const TYPES = { '.svg': 'image/svg+xml', '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.png': 'image/png', '.wasm': 'application/wasm', '.webmanifest': 'application/manifest+json' };
const ARGUMENTS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

/** Later than any time that passes between two lines. */
const PAUSED_AT_MS = 60_000;
/** No worker keeps files between tests, unless a test is about that. */
const BLOCKED = 'Service Worker registration blocked by Playwright';

/** A browser with the page; close it when done. */
export async function startPage() {
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    const file = join(ROOT, normalize(path.slice(PREFIX.length) || 'index.html'));
    const isThere = path.startsWith(PREFIX) && file.startsWith(ROOT) && existsSync(file);
    if (!isThere) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  const { url, close } = await listen(server);
  const browser = await chromium.launch({ executablePath: findChromium(), args: ARGUMENTS });
  const base = `${url}${PREFIX}`;
  return {
    base,
    browser,
    async close() {
      await browser.close();
      await close();
    },
    /**
     * A tab at an address, on a clock that stands still unless `runs`; what is `blocked` never arrives, or not in one piece if it
     * `isBroken`; `problems()` takes out errors, violations of the page's policy, and requests to anywhere else, but those that are
     * `expected` whenever they come: a page that calls nobody goes on calling while it is closed.
     */
    async open(address = '?still#view=diagram', { runs = false, blocked, isBroken = false, expected, ...options } = {}) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block', ...options });
      const page = await context.newPage();
      if (blocked !== undefined) await page.route(blocked, (route) => (isBroken ? route.fulfill({ status: 404 }) : undefined));
      const problems = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && message.text() !== BLOCKED && !expected?.test(message.text())) problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('request', (request) => {
        const url = request.url();
        const isOwn = url.startsWith(base) || url.startsWith('data:') || url.startsWith('blob:');
        if (!isOwn && !(options.allow && url.startsWith(options.allow))) problems.push(`request to ${url}`);
      });
      if (!runs) {
        await page.clock.install({ time: 0 });
        // Until then it runs as any clock does, and a busy machine would be seen in what a test counts.
        await page.clock.pauseAt(PAUSED_AT_MS);
      }
      await page.goto(base + address);
      await page.locator('main[aria-busy="false"]').waitFor();
      return Object.assign(page, {
        problems: () => problems.splice(0),
        async done() {
          await context.close();
          assert.deepEqual(problems, []);
        },
      });
    },
  };
}

/** The page for the tests of a file. After each test its tabs are closed, and none of them may have complained of what the test has not read. */
export async function testPage() {
  const site = await startPage();
  const { open } = site;
  let tabs = [];
  after(() => site.close());
  afterEach(async () => {
    const opened = tabs;
    tabs = [];
    for (const tab of opened) await tab.done();
  });
  return Object.assign(site, {
    async open(...how) {
      const tab = await open(...how);
      tabs.push(tab);
      return tab;
    },
  });
}

/** What the page says, as people and screen readers find it. */
export const now = (page) => page.getByLabel('Now', { exact: true }).textContent();
export const caption = (page) => page.locator('[data-caption]').textContent();
export const digest = (page) => page.locator('[data-digest]').textContent();
export const lane = (page, name) => page.locator(`[data-lane="${name}"]`);
/** What opens the menu of a lane. */
export const menu = (page, name) => page.locator(`[data-menu="${name}"]`);
/** The faults beside a lane. */
export const chip = (page, name, label) => lane(page, name).getByRole('button', { name: new RegExp(`^${label}:`) });
/** The branches beneath the diagram, in their order. */
export const branches = (page) => page.getByRole('list', { name: 'Branches' }).getByRole('button');

/** Where elements of the diagram are, by selector; asked in one turn. */
export function boxes(page, ...selectors) {
  return page.evaluate((names) => names.map((name) => document.querySelector(name).getBoundingClientRect().toJSON()), selectors);
}

/** Waits until every cell of the settings map is known. */
export const mapIsFull = (page) => page.locator('output', { hasText: /^(\d+) of \1$/ }).waitFor();

/** What the card says of the current settings, once it is known, or about certain bounds. Of each chip it has what is chosen. */
export async function verdict(page, about = '') {
  const pattern = (about instanceof RegExp ? about.source : about.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).replaceAll(', ', ' ');
  const card = page.locator('[data-verdict]:not([data-verdict="running"])');
  await page.waitForFunction((words) => {
    const shown = document.querySelector('[data-verdict]:not([data-verdict="running"])');
    return shown !== null && new RegExp(words).test(shown.dataset.bounds.replaceAll(', ', ' '));
  }, pattern);
  const words = await card.evaluate((shown) => [...shown.querySelectorAll('select')].reduce((text, list) => text.replace(list.innerText, ` ${list.selectedOptions[0].text} `), shown.innerText));
  return { is: await card.getAttribute('data-verdict'), words: words.replace(/\s+/g, ' ').trim() };
}

/** What the status line says, once the search has ended, or once it says something certain. */
export async function status(page, about = /./) {
  const line = page.locator('[data-status]:not([data-search="searching"])', { hasText: about });
  await line.waitFor();
  return { tone: await line.getAttribute('data-status'), words: (await line.getByRole('status').innerText()).replace(/\s+/g, ' ').trim() };
}
