// Every code block of the README and the docs does what it says, every link leads somewhere, and what is made of the package
// is up to date.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { files } from '../../docs/generate.mjs';
import { blocksOf } from './blocks.mjs';
import { Page } from './execute.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = [
  ...['README.md', 'CHANGELOG.md', 'sim/README.md', 'sim/scenarios/README.md'],
  ...readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
];
/** Why a block may be left out. */
const REASONS = ['installs', 'is-what-runs-this'];
/** The crates whose documentation tests run the Rust of a page. */
const RUST = { 'sim/README.md': 'sim/src/lib.rs' };
const counts = { ran: 0, left: 0, pictures: 0 };

for (const path of PAGES) {
  describe(path, () => {
    const blocks = blocksOf(join(ROOT, path));
    if (blocks.length > 0) {
      test('its blocks run', async () => {
        const page = await Page.open();
        try {
          for (const block of blocks) await runBlock(path, page, block);
          await page.checkTypes();
        } finally {
          page.close();
        }
      });
    }

    test('its links lead somewhere', () => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, link]) => link);
      assert.deepEqual(links.filter((link) => !existsSync(join(ROOT, dirname(path), link))), []);
    });
  });
}

async function runBlock(path, page, block) {
  const { language, norun, words, line } = block;
  if (norun !== undefined) {
    assert.ok(REASONS.includes(norun), `line ${line}: ${norun} is no reason; there are ${REASONS.join(', ')}`);
    counts.left += 1;
  } else if (language === 'rust') {
    const crate = readFileSync(join(ROOT, RUST[path] ?? assert.fail(`line ${line}: no crate runs this page's Rust`)), 'utf8');
    assert.ok(crate.includes(`include_str!("${relative(dirname(RUST[path]), path)}")`) || crate.includes('include_str!("../README.md")'));
    counts.ran += 1;
  } else {
    await page.run(block);
    counts[language === 'text' && words.length === 0 ? 'pictures' : 'ran'] += 1;
  }
}

after(() => {
  console.log(`code blocks: ${counts.ran} ran, ${counts.left} marked as not to be run, ${counts.pictures} are text only`);
});

for (const [name, text] of Object.entries(await files())) {
  test(`${name} is up to date`, () => {
    assert.equal(readFileSync(join(ROOT, name), 'utf8'), text, 'run make docs');
  });
}

test('what the README says of the safe runner stands on the generated page', () => {
  const lines = (path) => readFileSync(join(ROOT, path), 'utf8').split('\n');
  const quoted = lines('README.md').filter((line) => line.startsWith('| safe |'));
  assert.ok(quoted.length >= 4, 'it quotes some lines');
  assert.deepEqual(quoted.filter((line) => !lines('docs/settings.md').includes(line)), []);
});

test('every page is in the list of pages', () => {
  const list = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
  const names = PAGES.filter((path) => path.startsWith('docs/') && path !== 'docs/README.md').map((path) => path.slice('docs/'.length));
  assert.deepEqual(names.filter((name) => !list.includes(`](${name})`)), []);
});
