// How much a visitor downloads beside the wasm module, and has to read.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { lane, testPage, verdict } from './support/page.mjs';
import { commonSizes, PAGE_MAX_KIB, pageSizes, total } from './support/sizes.mjs';

/** The page with its first picture, and the script of the stage. */
const FIRST_VIEW_MAX_KIB = 45;
/** CodeMirror, which is loaded when somebody edits, and is larger than all the rest. */
const EDITOR_MAX_KIB = 109;
/** The diagram of incidents, and the reader of logs, which the page and its Worker share. */
const LOGS_MAX_KIB = 51;
const sizes = pageSizes();
const list = sizes.map(({ name, kib }) => `${name}: ${kib.toFixed(1)}`).join(', ');

test('all scripts and styles beside the editor and the view of logs are within their budget', () => {
  assert.ok(sizes.length > 4, list);
  assert.ok(total(commonSizes(sizes)) <= PAGE_MAX_KIB, list);
});

test('the first view does not wait for what only the instrument needs', () => {
  const first = sizes.filter(({ isFirst }) => isFirst);
  assert.ok(total(first) > 20 && total(first) <= FIRST_VIEW_MAX_KIB, list);
  assert.ok(!first.some(({ name, isEditor, isLogs }) => isEditor || isLogs || /^(?:Instrument|web|check|module|simulator|checker)-/.test(name)), list);
});

test('the editor is one script of its own', () => {
  const editor = sizes.filter(({ isEditor }) => isEditor);
  assert.equal(editor.length, 1, list);
  assert.ok(total(editor) <= EDITOR_MAX_KIB, list);
});

test('scripts that only the view of logs needs are within their budget, and there once', () => {
  const logs = sizes.filter(({ isLogs }) => isLogs);
  assert.equal(logs.filter(({ name }) => name.startsWith('diagnose')).length, 1, list);
  assert.ok(total(logs) > 20 && total(logs) <= LOGS_MAX_KIB, list);
});

test('the diagram opens with at most 350 words and 45 controls, of which 30 are seen, and the others come with the hand', async () => {
  const page = await (await testPage()).open();
  await verdict(page);
  await page.locator('[data-danger="known"]').waitFor();
  const counts = () => page.locator('main').evaluate((main) => {
    const controls = [...main.querySelectorAll('a, button, input, select, summary, [role=slider]')].filter((control) => control.checkVisibility());
    const seen = controls.filter((control) => control.tabIndex >= 0 && !control.disabled && control.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
    return { words: main.innerText.split(/\s+/).filter(Boolean).length, controls: controls.length, seen: seen.length };
  });
  const { words, controls, seen } = await counts();
  assert.ok(words > 200 && words <= 350, `${words} words`);
  assert.ok(controls > 20 && controls <= 45, `${controls} controls`);
  assert.ok(seen <= 30, `${seen} controls are seen`);
  await lane(page, 'node:bbs-1').hover();
  assert.equal((await counts()).seen, seen + 3, 'the chips of client B');
});

test('page and Worker share one copy of what they both use of the package', () => {
  for (const [what, calls] of [['the simulator', 'wasmsimulation_new'], ['the checker', 'work_run']]) {
    assert.equal(sizes.filter(({ text }) => text.includes(calls)).length, 1, `${what}: ${list}`);
  }
});
