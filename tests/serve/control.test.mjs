// The control endpoint: the clock and the processes, over plain HTTP.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';

import { grpcJs, LOCK } from './support/clients.mjs';
import { control, startServe } from './support/serve-process.mjs';

describe('a virtual clock', () => {
  let serving, client;
  before(async () => {
    serving = await startServe('--port', '0', '--clock', 'virtual', '--profile', 'upstream', '--seed', '7');
    client = grpcJs(serving.url);
  });
  after(async () => {
    client?.close();
    await serving?.end();
  });
  const ask = (path, body) => control(serving.controlUrl, path, body);
  const lock = (key, ttl) => client.lock({ key, owner: 'o', typeCode: LOCK, ttl });

  it('is frozen until a call moves it', async () => {
    assert.deepEqual(await ask('/now'), { status: 200, answer: { now: 0 } });
    assert.deepEqual((await ask('/advance', { duration: '15s' })).answer, { now: 15_000 });
    assert.deepEqual((await ask('/advance-to', { time: '20s' })).answer, { now: 20_000 });
  });

  it('ends leases', async () => {
    await lock('k', '15s');
    const [row] = (await ask('/table')).answer;
    assert.deepEqual([row.path, row.owner, row.ttl, row.modified_index], ['k', 'o', 15, 1]);
    await ask('/advance', { duration: '15s' });
    assert.deepEqual((await ask('/table')).answer, []);
    assert.equal((await ask('/stats')).answer.locksExpired, 1);
  });

  it('goes to what is due next', async () => {
    const { now } = (await ask('/now')).answer;
    await lock('next', '2s');
    assert.ok((await ask('/next', {})).answer.now <= now + 2000);
  });

  it('lets as much time pass as all who ask want together', async () => {
    const { now } = (await ask('/now')).answer;
    await Promise.all(Array.from({ length: 5 }, () => ask('/advance', { duration: '1s' })));
    assert.equal((await ask('/now')).answer.now, now + 5000);
  });

  it('has a client lose a race for a free key', async () => {
    await ask('/lose-insert-race', { owner: 'rival' });
    await assert.rejects(lock('race', '15s'), ({ code, message }) => code === 2 && message === 'sql-resource-exists');
    assert.equal((await client.fetch('race')).owner, 'rival');
    await ask('/advance', { duration: '15s' });
  });

  it('delays answers', async () => {
    await ask('/latency', { latency: '3s' });
    let isAnswered = false;
    const call = client.fetchAll(LOCK).then(() => (isAnswered = true));
    // In flight once the server has counted it.
    while ((await ask('/stats')).answer.requests.fetchAll.started === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await ask('/advance', { duration: '2999ms' });
    assert.equal(isAnswered, false);
    await ask('/advance', { duration: '1ms' });
    await call;
    await ask('/latency', { latency: '0s' });
  });

  it('stalls the database, and calls are answered when that is over', async () => {
    await ask('/stall-database', { duration: '5s' });
    const { started } = (await ask('/stats')).answer.requests.fetch;
    let isAnswered = false;
    const call = client.fetch('nothing').catch(({ code }) => (isAnswered = code));
    while ((await ask('/stats')).answer.requests.fetch.started === started) await new Promise((resolve) => setTimeout(resolve, 5));
    await ask('/advance', { duration: '4999ms' });
    assert.equal(isAnswered, false);
    await ask('/advance', { duration: '1ms' });
    await call;
    assert.equal(isAnswered, 5);
  });

  it('stops the database and starts it', async () => {
    assert.deepEqual((await ask('/stop-database', {})).answer, { changed: true });
    await assert.rejects(client.fetch('k'), ({ code, message }) => code === 2 && message.includes('connection refused'));
    assert.deepEqual((await ask('/start-database', {})).answer, { changed: true });
    await assert.rejects(client.fetch('k'), ({ code }) => code === 5);
  });

  it('loses an answer, and what was asked is done', async () => {
    await ask('/lose-replies', { count: 1 });
    const { started } = (await ask('/stats')).answer.requests.lock;
    const call = assert.rejects(lock('lost', '60s'), ({ code }) => code === 4);
    while ((await ask('/stats')).answer.requests.lock.started === started) await new Promise((resolve) => setTimeout(resolve, 5));
    await ask('/advance', { duration: '10s' });
    await call;
    assert.equal((await client.fetch('lost')).owner, 'o');
  });

  it('drops the table, which ends the process that notices', async () => {
    await ask('/drop-table', {});
    await assert.rejects(client.fetch('k'), ({ code, message }) => code === 2 && message === 'sql-unrecoverable');
    await assert.rejects(client.fetch('k'), ({ code }) => code === 14);
    assert.deepEqual((await ask('/start', {})).answer, { changed: true });
    await assert.rejects(client.fetch('k'), ({ code }) => code === 5);
  });

  it('stops, starts and restarts the process', async () => {
    assert.deepEqual((await ask('/stop', {})).answer, { changed: true });
    assert.deepEqual((await ask('/stop', {})).answer, { changed: false });
    await assert.rejects(client.fetch('k'), ({ code }) => code === 14);
    assert.deepEqual((await ask('/start', {})).answer, { changed: true });
    assert.deepEqual((await ask('/restart', {})).answer, { changed: true });
    await assert.rejects(client.fetch('k'), ({ code }) => code === 5);
  });

  it('lists what there is', async () => {
    const { answer } = await ask('/');
    for (const path of ['/now', '/advance', '/advance-to', '/next', '/table', '/stats', '/stop', '/start', '/restart', '/stall-database',
      '/stop-database', '/start-database', '/lose-replies', '/drop-table']) {
      assert.ok(answer.includes(`${path} `), path);
    }
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
