// The scenario as text: both directions, validation errors at their place, and texts that mean harm.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { runScenario } from 'locket-wasm';

import { digest, testPage } from './support/page.mjs';

const site = await testPage();

const SCENARIO = {
  name: 'mine',
  until: '20s',
  clients: [{ name: 'a', key: 'k', retryInterval: '5s' }, { name: 'b', key: 'k', retryInterval: '5s', startAt: '1s' }],
  actions: [{ at: '7s', do: 'crash', node: 'a' }],
};

async function openEditor() {
  const page = await site.open('?still#view=editor');
  const text = page.getByRole('textbox', { name: 'Scenario, as JSON' });
  await text.waitFor();
  return Object.assign(page, { text, validation: page.locator('[data-validation]') });
}

/** Types a whole text, as a paste does: at once. */
async function paste(page, text) {
  await page.text.focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

test('a validation error is marked at its line and column, and the last good run stays', async () => {
  const page = await openEditor();
  await paste(page, JSON.stringify(SCENARIO, null, 2));
  await paste(page, JSON.stringify({ ...SCENARIO, until: 'soon' }, null, 2));
  assert.match(await page.validation.textContent(), /Line 3, column \d+: until: .*The diagram shows the last valid text/);
  await page.locator('.cm-lint-marker-error').waitFor();
  const [marker, third] = await Promise.all([
    page.locator('.cm-lint-marker-error').boundingBox(),
    page.locator('.cm-lineNumbers .cm-gutterElement', { hasText: /^3$/ }).boundingBox(),
  ]);
  assert.ok(Math.abs(marker.y - third.y) < third.height, 'the mark is in line 3');
  await paste(page, '{');
  assert.match(await page.validation.textContent(), /Line 1, column/);
  await page.getByRole('button', { name: 'Diagram' }).click();
  assert.equal(await digest(page), runScenario(JSON.stringify(SCENARIO, null, 2)).digest);
});

test('a slider of the settings changes the text', async () => {
  const page = await openEditor();
  await paste(page, JSON.stringify(SCENARIO, null, 2));
  await page.getByRole('slider', { name: /Retry/ }).fill('3');
  assert.match(await page.text.textContent(), /"retryInterval": "3s"/);
  assert.match(await page.validation.textContent(), /^\s*Valid/);
});

test('texts that mean harm are shown as texts', async () => {
  const page = await openEditor();
  const evil = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';
  page.on('dialog', () => assert.fail('a script ran'));
  const scenario = {
    name: evil,
    description: evil,
    clients: [{ name: evil, key: evil, owner: evil, value: evil, retryInterval: '5s' }],
    actions: [{ at: '1s', do: 'note', text: evil }, { at: '2s', do: 'crash', node: evil }],
    until: '9s',
  };
  await paste(page, JSON.stringify(scenario, null, 2));
  assert.match(await page.validation.textContent(), /^\s*Valid/);
  await page.getByRole('button', { name: 'Diagram' }).click();
  await page.keyboard.press('End');
  assert.equal(await page.locator('main img, main script').count(), 0);
  assert.ok((await page.locator('main').textContent()).includes(evil));
});
