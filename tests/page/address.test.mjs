// Links: the address holds everything, and whatever stands in one does no harm.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Simulation } from 'locket-wasm';
import { runPicture } from 'locket-wasm/picture';
import { stories } from 'locket-wasm/stories';

import { cli } from '../node/support/command-line.mjs';
import { digest, lane, now, testPage } from './support/page.mjs';

const site = await testPage();

test('a link has an event after the end that its scenario has by itself, and a row that a frozen Locket does not delete', async () => {
  const simulation = new Simulation(stories['first-attempt-has-no-deadline']);
  simulation.act({ do: 'pause', node: 'bbs-0', for: '40s' });
  assert.equal(await now(await site.open(`?still#e=57&sim=${simulation.link()}`)), '37.0 s');
  simulation.seek({ timeMs: 6_000 });
  simulation.act({ do: 'pause', node: 'locket-0', for: '40s' });
  assert.match(await lane(await site.open(`?still#t=30000&sim=${simulation.link()}`), 'row:bbs').innerText(), /owner A, its TTL is over/);
});

test('a link to a changed story, also to one that the page does not offer, opens it', async () => {
  const name = 'waiters-keep-their-phase';
  const simulation = new Simulation(stories[name].replace('"ttl": "15s"', '"ttl": "16s"'));
  simulation.seek({ time: '9s' });
  const link = simulation.link({ stories });
  assert.match(link, new RegExp(`^l2.${name}.`));
  // As `locket-wasm explore` prints it.
  const page = await site.open(`?still#${link}`);
  assert.equal(await now(page), '9.0 s');
  assert.equal(await digest(page), simulation.timeline().digest);
});

test('the link that is copied is the address, the test that is copied tells the run', async () => {
  const page = await site.open('?still#story=holder-crashes&t=7000', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Link copied').waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /#v=1&story=holder-crashes&t=7000/);
  await page.getByText('Export', { exact: true }).click();
  await page.getByRole('button', { name: 'Copy as test' }).click();
  await page.getByText('Test copied').waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), new RegExp(await digest(page)));
});

for (const theme of ['light', 'dark']) {
  test(`the picture of a run is the one that locket-wasm run draws, in the colours of the page, ${theme}`, async () => {
    const page = await site.open('?still#story=holder-paused-longer-than-its-ttl', { colorScheme: theme });
    await page.locator('[data-status="red"]').waitFor();
    await page.getByText('Export', { exact: true }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save picture' }).click()]);
    const saved = readFileSync(await download.path(), 'utf8');
    const drawn = (svg) => svg.split('\n').slice(4).join('\n');
    assert.match(saved.split('\n').slice(0, 4).join(), />Two owners for 3\.0 s in this run/, 'the status line is above');
    assert.equal(drawn(saved), drawn(theme === 'light' ? cli(['run', 'holder-paused-longer-than-its-ttl', '--export', 'svg']).stdout : runPicture(new Simulation(stories['holder-paused-longer-than-its-ttl']), { theme })));
    const own = new Set([...readFileSync(new URL('../../www/src/tokens.css', import.meta.url), 'utf8').matchAll(/light-dark\((#\w+), (#\w+)\)/g)].map(([, light, dark]) => (theme === 'light' ? light : dark)));
    assert.deepEqual(saved.match(/#[0-9a-f]{6}\b/g).filter((colour) => !own.has(colour)), []);
  });
}

test('a link of another version says so and shows something all the same', async () => {
  const page = await site.open('?still#v=9&story=holder-crashes&t=7000');
  assert.match(await page.getByRole('alert').textContent(), /another version of this page \(9\)/);
  assert.equal(await now(page), '7.0 s');
  assert.match(await (await site.open('?still#sim=l9.abc')).getByRole('alert').textContent(), /cannot be read: .*another version/);
  assert.match(await (await site.open('?still#story=holder-crashes&t=1e99&tour=none')).getByRole('alert').textContent(), /cannot read this of the link: t=1e99, tour=none\./);
  assert.match(await (await site.open('?still#play=15-5-x')).locator('.hook').innerText(), /cannot read the game of this link/);
});

const HOSTILE = [
  '#sim=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E',
  '#story=%3Cscript%3Ealert(1)%3C%2Fscript%3E',
  '#view=__proto__&story=constructor&t=1e99&n=-1',
  '#v=%3Cb%3E&t=99999999999999999999',
  '#story=holder-crashes&t=999999999999999&n=999999999999999&e=999999999999999',
  `#sim=l1.${'A'.repeat(100_000)}`,
  '#%E0%A4%A', '#sim=javascript:alert(1)', '#view=map&axis=__proto__&runner=toString&within=-1',
];

test('a link that would take minutes to play says so at once, and a story is there', async () => {
  const content = `{"at":"36000000s","count":0,"digest":""}\n${JSON.stringify({ name: 'long', profile: 'upstream', processes: 16, until: '1h', clients: [] })}`;
  const page = await site.open(`?still#sim=l1.${Buffer.from(content).toString('base64url')}`);
  assert.match(await page.getByRole('alert').innerText(), /This link cannot be read: it takes more than 500,000 steps/);
  assert.match(await now(page), / s$/);
});

test('hostile links do no harm', async () => {
  for (const hash of HOSTILE) {
    const page = await site.open(`?still${hash}`);
    page.on('dialog', () => assert.fail('a script ran'));
    if (!hash.includes('view=map')) assert.match(await now(page), / s$/, hash);
    assert.equal(await page.locator('main img, main script, main b').count(), 0, hash);
  }
});

test('the policy of the page refuses scripts and styles that are not its own', async () => {
  const page = await site.open();
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.wasRun = true';
    document.body.append(script);
    document.body.setAttribute('style', 'position: fixed');
    const button = document.createElement('button');
    button.setAttribute('onclick', 'globalThis.wasRun = true');
    document.body.append(button);
    button.click();
    return [globalThis.wasRun, getComputedStyle(document.body).position];
  });
  assert.deepEqual(ran, [undefined, 'static']);
  const problems = page.problems();
  assert.ok(problems.every((problem) => /Content Security Policy/.test(problem)) && problems.length >= 3);
});
