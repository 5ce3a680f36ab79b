// The view of logs: real incidents are dropped on it, and what it shows is what is known of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { diagnose } from 'locket-wasm/diagnose';

import { logsOf, shifted, truthOf } from '../node/support/diagnose-logs.mjs';
import { testPage, status, verdict } from './support/page.mjs';

const site = await testPage();

const openLogs = async (options) => {
  const page = await site.open('?still#view=logs', { runs: true, ...options });
  await page.getByRole('heading', { name: 'Explain an incident from its logs' }).waitFor();
  return page;
};

/** Files as a browser's chooser gives them. */
const filesOf = (logs) => logs.map(({ name, data }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(data) }));

async function choose(page, logs) {
  await page.locator('input[type=file]').setInputFiles(filesOf(logs));
  await page.locator('[data-summary]').waitFor();
}

/** Drops files on an element, as a person does. */
async function drop(page, selector, logs) {
  const transfer = await page.evaluateHandle((files) => {
    const data = new DataTransfer();
    for (const { name, text } of files) data.items.add(new File([text], name));
    return data;
  }, logs.map(({ name, data }) => ({ name, text: data })));
  await page.dispatchEvent(selector, 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent(selector, 'drop', { dataTransfer: transfer });
  await page.locator('[data-summary]').waitFor();
}

/** From where to where elements are, as times by the ticks of the axis. */
async function timesOf(page, selector) {
  return page.evaluate((name) => {
    const ticks = [...document.querySelectorAll('.axis g, .axis text')].filter((it) => it.tagName === 'text').map((text) => {
      const box = text.previousElementSibling.getBoundingClientRect();
      const [hours, minutes, seconds] = text.textContent.split(':').map(Number);
      return { x: box.x + box.width / 2, ms: 1000 * (3600 * hours + 60 * minutes + seconds) };
    });
    const [first, last] = [ticks[0], ticks.at(-1)];
    const ms = (x) => first.ms + ((x - first.x) * (last.ms - first.ms)) / (last.x - first.x);
    return [...document.querySelectorAll(name)].map((it) => {
      const { left, right } = it.getBoundingClientRect();
      return { fromMs: ms(left), toMs: ms(right) };
    });
  }, selector);
}

const ofDay = (ms) => ms % 86_400_000;
/** A pixel or two, in the minute that these incidents last. */
const READ_OFF_MS = 300;
const isNear = (a, b) => Math.abs(a - b) < READ_OFF_MS;

test('logs of a known incident that are dropped on any view show its finding, and both owners for as long as they were two', async () => {
  const page = await site.open('?still#view=live', { runs: true });
  await drop(page, 'main', logsOf('k-operator-delete'));
  await page.waitForURL(/view=logs/);
  assert.match(await page.locator('[data-summary]').innerText(), /Two owners of 'bbs' for 2\.76 s.*\n+Likely cause: No Locket deleted the row/);
  const [truth] = truthOf('k-operator-delete').two_believe_at_once;
  const overlaps = await timesOf(page, '[data-overlap="sure"]');
  assert.equal(overlaps.length, 2, 'one in the lane of each client');
  for (const { fromMs, toMs } of overlaps) assert.ok(isNear(fromMs, ofDay(truth.from_ms)) && isNear(toMs, ofDay(truth.to_ms)), JSON.stringify({ fromMs, toMs, truth }));
});

test('an uncertain end fades from the earliest to the latest moment that the lines allow, and an unknown one is dotted', async () => {
  const page = await openLogs();
  const marks = page.getByRole('list', { name: 'Marks' });
  await choose(page, logsOf('k-operator-delete'));
  const { keys } = await diagnose(logsOf('k-operator-delete'));
  const { to } = keys[0].lanes[0].parts[0];
  const [fade, ...others] = await timesOf(page, '[data-fade="end"]');
  assert.deepEqual(others, []);
  assert.ok(isNear(fade.fromMs, ofDay(to.earliestMs)) && isNear(fade.toMs, ofDay(to.latestMs)), JSON.stringify({ fade, to }));
  assert.equal(await marks.getByText('began or ended within this time').count(), 1);
  await choose(page, logsOf('b-sigkill'));
  await page.locator('[data-part="vanished"] [data-fade="unknown"]').waitFor({ state: 'attached' });
  assert.equal(await marks.getByText('end not known').count(), 1);
});

test('a finding that is chosen is marked in the diagram, with its lines below it', async () => {
  const page = await openLogs();
  await choose(page, logsOf('c-sigstop'));
  const { findings } = await diagnose(logsOf('c-sigstop'));
  const index = findings.findIndex(({ kind }) => kind === 'no-row');
  await page.locator('[data-finding="no-row"] button').click();
  const [{ fromMs, toMs }] = await timesOf(page, '[data-chosen]');
  assert.ok(isNear(fromMs, ofDay(findings[index].fromMs)) && isNear(toMs, ofDay(findings[index].toMs)));
  const lines = await page.locator('[data-finding="no-row"] .where').allInnerTexts();
  assert.deepEqual(lines, findings[index].lines.map(({ file, line }) => `${file}:${line}`));
});

test('a finding that is small in the whole time is shown from near, and all of the time when asked for', async () => {
  const page = await openLogs();
  const later = logsOf('k-operator-delete').map(({ name, data }) => ({ name, data: `${data}${'{"timestamp":"1795316980.1","source":"bbs","message":"bbs.locket-lock.started","log_level":1,"data":{"lock":{"key":"bbs","owner":"z"}}}'}\n` }));
  await choose(page, later);
  const group = page.getByRole('group', { name: 'Time range' });
  assert.equal(await group.getByRole('button', { name: 'This finding' }).getAttribute('aria-pressed'), 'true');
  const width = async () => (await page.locator('[data-overlap="sure"]').first().boundingBox()).width;
  const near = await width();
  await group.getByRole('button', { name: 'All' }).click();
  assert.ok((await width()) < near / 4);
});

test('of a log of days the diagram has the time around its worst finding, with its day, and nothing of other days', async () => {
  const page = await openLogs();
  const days = [0, 1, 2].map((count) => logsOf('c-sigstop').map(({ name, data }) => ({ name, data: data.split('\n').filter(Boolean).map((line) => shifted(line, count * 86_400_000)).join('\n') })));
  await choose(page, days[0].map(({ name, data }, index) => ({ name, data: `${data}\n${days[1][index].data}\n${days[2][index].data}\n` })));
  const [{ fromMs }] = (await diagnose(days[0])).findings;
  assert.equal(await page.locator('[data-overlap]').count(), 2);
  const shown = await page.locator('figure').innerText();
  const worst = await page.locator('[data-finding]').first().locator('.where').first().innerText();
  const lines = days[0].find(({ name }) => worst.startsWith(name)).data.split('\n').length;
  const day = Math.floor((Number(worst.split(':')[1]) - 1) / lines);
  assert.match(shown, new RegExp(new Date(fromMs + day * 86_400_000).toISOString().slice(0, 10)));
  assert.match(await page.getByRole('region', { name: 'Files' }).innerText(), /2026-11-22, 02:57:01 to 2026-11-24, 02:58:03 UTC/);
});

test('the example shows an incident to a person who has no logs', async () => {
  const page = await openLogs();
  await page.getByRole('button', { name: 'Try an example' }).click();
  await page.locator('[data-summary]').getByText(/Two owners of 'bbs' for 18\.17 s/).waitFor();
});

test('it can be used by keys only', async () => {
  const page = await openLogs();
  const press = async (name) => {
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate(() => document.activeElement.textContent)).includes(name)) return page.keyboard.press('Enter');
    }
    assert.fail(`${name} is not reached`);
  };
  const chooser = page.waitForEvent('filechooser');
  await press('Choose log files');
  await (await chooser).setFiles(filesOf(logsOf('c-sigstop')));
  await page.locator('[data-summary]').waitFor();
  await press('lost by collision');
  assert.equal(await page.locator('[data-finding="lost-by-collision"] button').getAttribute('aria-expanded'), 'true');
  await press('Open it in the diagram');
  await page.locator('[data-lane="node:bbs-0"]').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
});

test('the scenario of an incident opens in the diagram and has its two owners, and the logs are still there', async () => {
  const page = await openLogs();
  await choose(page, logsOf('c-sigstop'));
  await page.getByRole('button', { name: 'Open it in the diagram' }).click();
  assert.match((await status(page)).words, /Two owners for 18\.\d+ s in this run/);
  assert.match((await verdict(page)).words, /Unsafe: two owners possible .*freeze ≤ 33 s/);
  await page.getByRole('button', { name: 'Logs', exact: true }).click();
  await page.locator('[data-summary]').waitFor();
});

test('a search for settings that prevent the incident can be stopped and begun again; they come with their trial results, and open in the diagram', async () => {
  const page = await openLogs();
  await choose(page, logsOf('c-sigstop'));
  const ask = page.getByRole('button', { name: 'Which settings prevent it?' });
  await ask.click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await ask.click();
  await page.getByText('Tried: this incident, replayed, has one owner at a time.').first().waitFor();
  await page.getByRole('button', { name: 'the safe runner' }).click();
  assert.match((await status(page)).words, /^One owner at a time|^✓ Safe/);
});

test('nothing that is read leaves the browser', async () => {
  const page = await openLogs();
  const requests = [];
  page.on('request', (request) => requests.push(request));
  await choose(page, logsOf('c-sigstop'));
  await page.getByRole('button', { name: 'Open it in the diagram' }).click();
  await page.waitForURL(/sim=/);
  for (const request of requests) {
    assert.ok(request.url().startsWith(`${site.base}assets/`) || request.url() === `${site.base}icon.svg`, request.url());
    assert.deepEqual([request.method(), request.postData(), new URL(request.url()).search], ['GET', null, '']);
  }
  await page.getByRole('button', { name: 'Logs', exact: true }).click();
  await page.getByText('Nothing leaves this browser').waitFor();
});

test('the page moves on while a large log is read, says how far it is, and stops when told to', async () => {
  const page = await openLogs();
  const text = logsOf('c-sigstop').map(({ data }) => data).join('');
  const longest = page.evaluate(async (lines) => {
    const megabyte = new Blob([lines.repeat(Math.ceil(1e6 / lines.length))]);
    const data = new DataTransfer();
    data.items.add(new File(Array.from({ length: 400 }, () => megabyte), 'large.log'));
    document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    let [longestMs, before] = [0, performance.now()];
    for (const end = before + 2_000; before < end; ) {
      const now = await new Promise(requestAnimationFrame);
      [longestMs, before] = [Math.max(longestMs, now - before), Math.max(before, now)];
    }
    return longestMs;
  }, text);
  await page.getByText(/^[\d.]+ MB of 4\d\d(?:\.\d)? MB read, in 1 file: [\d,]+ lines(?:, about \d+ s left)?$/).waitFor();
  const read = async () => Number((await page.locator('progress').getAttribute('value')));
  const first = await read();
  assert.ok((await longest) < 300 && (await read()) > first, `${await longest} ms without a frame`);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('heading', { name: 'Explain an incident from its logs' }).waitFor();
});

test('files without a line about locks are answered in words, of healthy ones there is nothing to open, and presences are no locks', async () => {
  const page = await openLogs();
  await page.locator('input[type=file]').setInputFiles(filesOf([{ name: 'x.txt', data: 'hello\n' }]));
  assert.match(await page.getByRole('alert').innerText(), /^The files have no line about locks\. x\.txt has no line of such a log; line 1 is: hello Choose the logs of Locket/);
  await choose(page, logsOf('a-healthy'));
  assert.match(await page.locator('[data-summary]').innerText(), /No incident/);
  assert.equal(await page.getByRole('button', { name: 'Open it in the diagram' }).count(), 0);
  await choose(page, logsOf('h-presences'));
  assert.deepEqual([...(await page.locator('figure').textContent()).matchAll(/believe[ds] it (?:holds|held) the (\w+)/g)].map(([, what]) => what).filter((what) => what !== 'presence'), []);
});

test('a log is foreign text: none of it is markup, or turns the text around it', async () => {
  const page = await openLogs();
  page.on('dialog', () => assert.fail('a script ran'));
  const bad = '\\u001b[2J\\u202e<img src=x onerror=alert(1)><script>alert(1)</script>\\u2066\\u0000';
  await choose(page, logsOf('c-sigstop').map(({ name, data }) => ({ name: `\u202e<b>${name}`, data: data.replaceAll('"key":"bbs"', `"key":"${bad}"`).replaceAll('lock-collision', bad) })));
  await page.getByText('All periods as a list').click();
  const check = async () => {
    assert.equal(await page.locator('main img, main script, main b').count(), 0);
    const text = await page.locator('main').evaluate((main) => main.textContent + main.innerHTML);
    assert.match(text, /onerror/);
    assert.doesNotMatch(text.replaceAll(/[\n\t]/g, ''), /[\p{Cc}\p{Bidi_Control}]/u);
  };
  await check();
  await page.getByRole('button', { name: 'Open it in the diagram' }).click();
  await page.locator('[data-status]').waitFor();
  await check();
});
