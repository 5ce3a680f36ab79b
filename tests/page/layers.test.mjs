// Who may import whom in www/: what is below knows nothing of what is above.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const SOURCES = new URL('../../www/src/', import.meta.url);
/** Parts of the package that are built for the page alone. */
const PART = /^\.\.\/\.\.\/\.\.\/pkg\/dist\/(diagnose|picture)-parts\.js$/;
/** Data that others read, too: logs, the rules of libraries, and the members that a rule has. */
const SHIPPED = /^\.\.\/\.\.\/\.\.\/(tests\/vectors\/logs\/|sim\/src\/check\/question\/rules\.txt|target\/schemas\/rule-members\.json)/;
/** What each folder may import besides itself: other folders, and packages. */
const MAY = {
  base: { folders: [], packages: [] },
  core: { folders: ['base'], packages: ['locket-wasm'] },
  story: { folders: ['base', 'core'], packages: ['locket-wasm', 'svelte', 'virtual:first-run', 'virtual:other-runs', 'virtual:program'] },
  play: { folders: ['base', 'core', 'story'], packages: ['locket-wasm', 'svelte'] },
  widgets: { folders: ['base'], packages: [] },
  views: { folders: ['base', 'core', 'widgets'], packages: ['@codemirror', '@lezer', 'locket-wasm', 'svelte'] },
};

const files = readdirSync(SOURCES, { recursive: true }).filter((name) => /^\w+\/.*\.(svelte|ts)$/.test(name));
const textOf = (name) => readFileSync(new URL(name, SOURCES), 'utf8');

test('every folder imports only what is below it', () => {
  const wrong = [];
  for (const name of files) {
    const folder = name.split('/')[0];
    const may = MAY[folder] ?? assert.fail(`${folder} is not in the list`);
    for (const [, from] of textOf(name).matchAll(/(?:^\s*(?:import|export)\b[^;]*?\bfrom\s*|import\()'([^']+)'/gm)) {
      const inner = /^\.\.\/(\w+)\//.exec(from)?.[1];
      const isShipped = SHIPPED.test(from);
      const isPart = folder === 'base' && PART.test(from);
      const isOwn = from.startsWith('./') || isShipped || isPart || (inner !== undefined && may.folders.includes(inner));
      if (!isOwn && !may.packages.some((known) => from === known || from.startsWith(`${known}/`))) wrong.push(`${name}: ${from}`);
    }
  }
  assert.ok(files.length > 20);
  assert.deepEqual(wrong, []);
});

test('colours stand in tokens.css only, and nothing is interpreted as markup', () => {
  const wrong = files.filter((name) => /#[0-9a-f]{3,8}\b(?=[;'", ])|\brgb\(|\{@html|innerHTML|insertAdjacentHTML|\beval\(/i.test(textOf(name)));
  assert.deepEqual(wrong, []);
});

/** What takes long for some texts, so that a link could freeze the tab. */
const SEARCHES = ['advise', 'safetyMargin', 'diagnose', 'explore', 'mapSettings'];

test('only the Worker searches: no link freezes the tab', () => {
  const searching = files.filter((name) => {
    const imports = [...textOf(name).matchAll(/import\s+(?!type\b)\{([^}]*)\}\s+from\s+'(?:locket-wasm(?:\/\w+)?|\.\.\/base\/diagnose\.js)'/g)].flatMap(([, names]) => names.split(',').map((one) => one.trim()));
    return imports.some((one) => SEARCHES.includes(one));
  });
  assert.deepEqual(searching, ['core/checker.worker.ts']);
});
