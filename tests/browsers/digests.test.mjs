// The package tells the same in Chromium and in Firefox as natively: every shipped scenario, and 5,000 random runs of one with many
// faults. A browser is started with an address, and the page there sends back what it saw: no driver stands between.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { text } from 'node:stream/consumers';

import { findChromium } from '../serve/support/page.mjs';

const SCENARIOS = new URL('../../sim/scenarios/', import.meta.url);
const DATA = new URL('../../sim/tests/data/', import.meta.url);
const DIST = new URL('../../pkg/dist/', import.meta.url);
const DIGESTS = JSON.parse(readFileSync(new URL('digests.json', SCENARIOS), 'utf8'));
const ANSWER_MS = 120_000;

/** The program of each browser, and how it is started without a window, with a profile of its own. */
const BROWSERS = {
  Chromium: { program: findChromium(), options: (profile) => ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`] },
  Firefox: { program: process.env.FIREFOX ?? ['firefox-esr', 'firefox'].find(isThere), options: (profile) => ['--headless', '--no-remote', '--profile', profile] },
};

const SCRIPT = `
  async function told() {
    const [{ init, runScenario }, check] = await Promise.all([import('/web.js'), import('/check-web.js')]);
    await Promise.all([init(), check.init()]);
    const [scenarios, faulty] = await (await fetch('/questions')).json();
    const stories = Object.fromEntries(Object.entries(scenarios).map(([name, scenario]) => [name, runScenario(scenario).digest]));
    return { stories, random: (await check.sweepSeeds(faulty, { seeds: 5000 })).digest };
  }
  await fetch('/answer', { method: 'POST', body: JSON.stringify(await told().catch((error) => ({ error: String(error) }))) });`;

for (const [name, browser] of Object.entries(BROWSERS)) {
  test(`${name} gives each shipped scenario, and 5,000 random runs, the digests that they have natively`, async () => {
    assert.ok(browser.program, `${name} was not found: .ci/setup browser firefox`);
    const { stories, random, error } = await answerOf(browser);
    assert.equal(error, undefined);
    assert.deepEqual(stories, DIGESTS);
    assert.equal(random, readFileSync(new URL('faulty.digest', DATA), 'utf8').trim());
  });
}

/** What the page in a browser sends. */
async function answerOf({ program, options }) {
  const profile = mkdtempSync(join(tmpdir(), 'locket-browser-'));
  const { promise, resolve, reject } = withResolvers();
  const server = createServer((request, response) => respond(request, response, resolve).catch(reject));
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const child = spawn(program, [...options(profile), `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore', detached: true });
  const ended = new Promise((done) => child.once('close', done));
  const timer = setTimeout(() => reject(new Error(`${program} sent nothing in ${ANSWER_MS / 1000} s`)), ANSWER_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    // With its children, which else keep the profile open.
    process.kill(-child.pid, 'SIGKILL');
    await ended;
    server.close();
    server.closeAllConnections();
    rmSync(profile, { recursive: true, maxRetries: 10 });
  }
}

async function respond(request, response, resolve) {
  const { url, method } = request;
  if (method === 'POST') {
    resolve(JSON.parse(await text(request)));
    response.end();
  } else if (url === '/questions') response.setHeader('content-type', 'application/json').end(JSON.stringify(questions()));
  else if (/^\/[\w-]+\.js$/.test(url)) response.setHeader('content-type', 'text/javascript').end(readFileSync(new URL(`.${url}`, DIST)));
  else response.setHeader('content-type', 'text/html').end(`<!doctype html><script type="module">${SCRIPT}</script>`);
}

function questions() {
  const read = (name, folder) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  return [Object.fromEntries(Object.keys(DIGESTS).map((name) => [name, read(name, SCENARIOS)])), read('faulty.json', DATA)];
}

function isThere(program) {
  try {
    execFileSync('sh', ['-c', 'command -v "$0"', program]);
    return true;
  } catch {
    return false;
  }
}

function withResolvers() {
  let [resolve, reject] = [];
  const promise = new Promise((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}
