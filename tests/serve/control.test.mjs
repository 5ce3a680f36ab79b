// The control endpoint: the clock and the processes, over plain HTTP.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';

import { serve } from 'locket-wasm/serve';

import { control, startServe } from './support/serve-process.mjs';

/** What changes or shows a server: the body, the call that it is, and what is answered. */
const CALLS = {
  '/table': [undefined, 'table', [], []],
  '/stats': [undefined, 'stats', [], { activeLocks: 0, activePresences: 0 }],
  '/stop': [{ process: 0 }, 'stop', [0], { changed: true }],
  '/start': [{ process: 0 }, 'start', [0], { changed: true }],
  '/restart': [{}, 'restart', [undefined], { changed: true }],
  '/latency': [{ latency: '3s' }, 'setLatency', ['3s'], {}],
  '/lose-insert-race': [{ owner: 'rival' }, 'loseInsertRace', ['rival'], {}],
  '/stall-database': [{ duration: '5s' }, 'stallDatabase', ['5s'], {}],
  '/stop-database': [{}, 'stopDatabase', [], { changed: true }],
  '/start-database': [{}, 'startDatabase', [], { changed: true }],
  '/lose-replies': [{ count: 1 }, 'loseReplies', [1], {}],
  '/drop-table': [{}, 'dropTable', [], {}],
};

describe('a virtual clock', () => {
  let serving;
  before(async () => (serving = await serve({ port: 0, controlPort: 0, clock: 'virtual', profile: 'upstream' })));
  after(() => serving?.close());
  const ask = (path, body) => control(serving.controlUrl, path, body);

  it('is frozen until a call moves it', async () => {
    assert.deepEqual(await ask('/now'), { status: 200, answer: { now: 0 } });
    assert.deepEqual((await ask('/advance', { duration: '15s' })).answer, { now: 15_000 });
    assert.deepEqual((await ask('/advance-to', { time: '20s' })).answer, { now: 20_000 });
  });

  it('goes to what is due next', async () => {
    serving.server.clock.setTimeout(() => {}, '2s');
    assert.deepEqual((await ask('/next', {})).answer, { now: 22_000 });
  });

  it('lets as much time pass as all who ask want together', async () => {
    const { now } = (await ask('/now')).answer;
    await Promise.all(Array.from({ length: 5 }, () => ask('/advance', { duration: '1s' })));
    assert.equal((await ask('/now')).answer.now, now + 5000);
  });

  for (const [path, [body, method, args, expected]] of Object.entries(CALLS)) {
    it(`goes with ${path}, which is ${method} of the server`, async (t) => {
      const called = t.mock.method(serving.server, method);
      const { status, answer } = await ask(path, body);
      assert.deepEqual([status, called.mock.calls.map((call) => call.arguments)], [200, [args]]);
      assert.deepEqual(Array.isArray(answer) ? answer : Object.fromEntries(Object.keys(expected).map((name) => [name, answer[name]])), expected);
    });
  }

  it('goes with a list of what there is', async () => {
    const { answer } = await ask('/');
    for (const path of ['/now', '/advance', '/advance-to', '/next', ...Object.keys(CALLS)]) assert.ok(answer.includes(`${path} `), path);
  });

  for (const [path, body, status, problem] of [
    ['/nope', undefined, 404, /GET \/ lists/],
    ['/advance', undefined, 405, /takes POST/],
    ['/now', {}, 405, /takes GET/],
    ['/advance', {}, 400, /duration: missing/],
    ['/advance', { duration: 'soon' }, 400, /not a duration/],
    ['/advance', { duration: -1 }, 400, /duration/],
    ['/advance', { duration: 5 }, 400, /duration: 5 has no unit; write 5s or 5000ms/],
    ['/latency', { latency: 5 }, 400, /latency: 5 has no unit; write 5s or 5000ms/],
    ['/advance-to', { time: '1' }, 400, /time: 1 has no unit; write 1s or 1000ms/],
    ['/advance', [], 400, /not a JSON object/],
    ['/stop', { process: 1 }, 400, /process/],
    ['/stall-database', {}, 400, /duration: missing/],
    ['/lose-replies', { count: -1 }, 400, /count/],
    ['/advance', { duration: 'x'.repeat(70_000) }, 413, /too large/],
  ]) {
    it(`refuses ${path} ${JSON.stringify(body)?.slice(0, 30) ?? ''}`, async () => {
      const { status: actual, answer } = await ask(path, body);
      assert.equal(actual, status);
      assert.match(answer.error, problem);
    });
  }

  it('is not for pages', async () => {
    assert.equal((await control(serving.controlUrl, '/stop', {}, { origin: 'https://example.org' })).status, 403);
    // As of an image or a script in a page.
    for (const site of ['cross-site', 'same-site', 'same-origin']) {
      assert.equal((await askedWith({ 'sec-fetch-site': site })).status, 403, site);
    }
    assert.equal((await askedWith({ 'sec-fetch-site': 'none' })).status, 200);
  });

  it('answers others while a slow client is still asking', async () => {
    const { port } = new URL(serving.controlUrl);
    const slow = request({ port, path: '/advance', method: 'POST', headers: { 'content-length': 20 } });
    const refused = new Promise((resolve) => slow.once('error', resolve));
    slow.write('{');
    await new Promise((resolve) => slow.once('socket', (socket) => socket.once('connect', resolve)));
    let isCutOff = false;
    slow.once('close', () => (isCutOff = true));
    assert.equal((await ask('/now')).status, 200);
    assert.equal((await ask('/advance', { duration: '0s' })).status, 200);
    assert.equal(isCutOff, false, 'the others waited until the slow one was cut off');
    slow.destroy();
    await refused;
  });

  it('is not for other names of this machine', async () => {
    assert.equal((await askedWith({ host: 'rebound.example.org' })).status, 403);
  });

  /** With headers that fetch does not let anyone set. */
  function askedWith(headers) {
    const sent = request(`${serving.controlUrl}/now`, { headers }).end();
    return new Promise((resolve) => sent.once('response', (response) => resolve({ status: response.resume().statusCode })));
  }
});

describe('a real clock', () => {
  it('is not moved', async () => {
    const serving = await startServe('--port', '0', '--control-port', '0');
    const { status, answer } = await control(serving.controlUrl, '/advance', { duration: '1s' });
    assert.deepEqual([status, /--clock virtual/.test(answer.error)], [409, true]);
    assert.equal(await serving.end(), 0);
  });

  it('has no control endpoint unless asked for', async () => {
    const serving = await startServe('--port', '0');
    assert.equal(serving.controlUrl, null);
    assert.equal(await serving.end(), 0);
  });
});
