// The package tells the same in Chromium and in Firefox as natively: every shipped scenario, and 5,000 random runs of one with many
// faults; and a search for faults what it tells in Node. A browser is started with an address, and the page there sends back what it saw: no driver stands between.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { text } from 'node:stream/consumers';

import { everyFault } from 'locket-wasm/testing';

import { failureOf } from '../node/support/helpers.mjs';
import { findChromium, findFirefox, servePage } from '../serve/support/page.mjs';

const SCENARIOS = new URL('../../sim/scenarios/', import.meta.url);
const DATA = new URL('../../sim/tests/data/', import.meta.url);
const DIGESTS = JSON.parse(readFileSync(new URL('digests.json', SCENARIOS), 'utf8'));
const ANSWER_MS = 120_000;

/** The program of each browser, and how it is started without a window, with a profile of its own. */
const BROWSERS = {
  Chromium: { program: findChromium(), options: (profile) => ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`] },
  Firefox: { program: findFirefox(), options: (profile) => ['--headless', '--no-remote', '--profile', profile] },
};

/** Programs that take their timers from their machine, as they have to where no platform tells which program runs. */
async function campaigns({ host, clock, fail }) {
  for (const name of ['a', 'b']) {
    host(name, async ({ client, clock: own }) => {
      for (let missing = 0; ; await own.sleep('4s')) {
        const { outcome } = await client.lock({ key: 'k', ttl: '15s' }, { timeout: '5s' }).catch((error) => error) ?? {};
        missing = outcome === 'unknown' ? missing + 1 : 0;
        if (missing === 2) fail('no answer');
      }
    });
  }
  await clock.advanceAsync('30s');
}

const usesRealTime = ({ host }) => host('a', () => void setTimeout(() => {}));
const isAlone = ({ oneAtATime }) => oneAtATime('leading');

const SCRIPT = `
  async function told() {
    const [{ init, runScenario }, check] = await Promise.all([import('/web.js'), import('/check-web.js')]);
    await Promise.all([init(), check.init()]);
    const { everyFault } = await import('/testing.js');
    const searches = [];
    for (const body of [${campaigns}, ${usesRealTime}, ${isAlone}]) await everyFault(body)().catch(({ message }) => searches.push(message));
    const [scenarios, faulty] = await (await fetch('/questions')).json();
    const stories = Object.fromEntries(Object.entries(scenarios).map(([name, scenario]) => [name, runScenario(scenario).digest]));
    return { stories, random: (await check.sweepSeeds(faulty, { seeds: 5000 })).digest, searches };
  }
  await fetch('/answer', { method: 'POST', body: JSON.stringify(await told().catch((error) => ({ error: String(error) }))) });`;

for (const [name, browser] of Object.entries(BROWSERS)) {
  test(`${name} gives each shipped scenario, 5,000 random runs and a search for faults the digests that they have natively and in Node`, async () => {
    assert.ok(browser.program, `${name} was not found: .ci/setup browser firefox`);
    const { stories, random, searches, error } = await answerOf(browser);
    assert.equal(error, undefined);
    assert.deepEqual(stories, DIGESTS);
    assert.equal(searches[0], (await failureOf(everyFault(campaigns)())).message);
    assert.match(searches[1], /^a program makes a real timer, .* Take those of its argument's clock\.$/);
    assert.match(searches[2], /^oneAtATime needs AsyncLocalStorage/);
    assert.equal(random, readFileSync(new URL('faulty.digest', DATA), 'utf8').trim());
  });
}

/** What the page in a browser sends. */
async function answerOf({ program, options }) {
  const profile = mkdtempSync(join(tmpdir(), 'locket-browser-'));
  const answers = new EventEmitter();
  const { origin, close } = await servePage(`<!doctype html><script type="importmap">{ "imports": { "locket-wasm": "/web.js" } }</script><script type="module">${SCRIPT}</script>`, (request, response) => respond(request, response, answers));
  const child = spawn(program, [...options(profile), origin], { stdio: 'ignore', detached: true });
  const ended = once(child, 'close');
  try {
    const [answer] = await once(answers, 'answer', { signal: AbortSignal.timeout(ANSWER_MS) });
    return answer;
  } finally {
    // With its children, which else keep the profile open.
    if (child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
    close();
    rmSync(profile, { recursive: true, maxRetries: 10 });
  }
}

/** Answers what is not of the package; says whether it does. */
function respond(request, response, answers) {
  if (request.url === '/questions') response.setHeader('content-type', 'application/json').end(JSON.stringify(questions()));
  else if (request.method === 'POST') {
    void text(request).then((sent) => answers.emit('answer', JSON.parse(sent)));
    response.end();
  } else return false;
  return true;
}

function questions() {
  const read = (name, folder) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  return [Object.fromEntries(Object.keys(DIGESTS).map((name) => [name, read(name, SCENARIOS)])), read('faulty.json', DATA)];
}
