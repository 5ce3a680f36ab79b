// Every code block of the README and the docs does what it says, every link leads somewhere, and what is made of the package
// is up to date.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { files } from '../../docs/generate.mjs';
import { npmReadme } from '../../src/js/readme.mjs';
import { blocksOf } from './blocks.mjs';
import { Page } from './execute.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCS = readdirSync(join(ROOT, 'docs'), { recursive: true })
  .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.md') && !name.includes('node_modules/'));
const PAGES = ['README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'sim/README.md', 'sim/scenarios/README.md', 'templates/rust-tests/README.md', ...DOCS];
/** Why a block may be left out. */
const REASONS = ['installs', 'is-run-by-make-test-template', 'is-what-runs-this', 'needs-a-deployment'];
/** The crates whose documentation tests run the Rust of a page. */
const RUST = { 'sim/README.md': 'sim/src/lib.rs' };
/** Tests that `make test-template` runs. Other pages quote them. */
const RUST_TESTS = 'templates/rust-tests/tests/locks.rs';

describe('pages', { concurrency: availableParallelism() }, () => {
  for (const path of PAGES) describe(path, () => testPage(path));
});

function testPage(path) {
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
    assert.deepEqual(linksOf(path).filter((link) => !leadsSomewhere(path, link)), []);
  });
}

async function runBlock(path, page, block) {
  const { language, norun, line } = block;
  if (norun !== undefined) {
    assert.ok(REASONS.includes(norun), `line ${line}: ${norun} is no reason; there are ${REASONS.join(', ')}`);
  } else if (language === 'rust') {
    assert.ok(isRunByCargo(path, block), `line ${line}: no crate runs this Rust`);
  } else {
    await page.run(block);
  }
}

function isRunByCargo(path, { text }) {
  if (RUST[path] !== undefined) return readFileSync(join(ROOT, RUST[path]), 'utf8').includes('include_str!("../README.md")');
  return readFileSync(join(ROOT, RUST_TESTS), 'utf8').includes(text);
}

/** The links and pictures of a page that are no addresses. */
function linksOf(path) {
  const prose = readFileSync(join(ROOT, path), 'utf8').replace(/```[^]*?```/g, '');
  return [...prose.matchAll(/\]\((?!https?:)([^)]+)\)|(?:src|srcset)="([^"]+)"/g)].map(([, link, picture]) => link ?? picture);
}

function leadsSomewhere(path, link) {
  const [file, anchor] = link.split('#');
  const target = file === '' ? path : join(dirname(path), file);
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || anchorsOf(readFileSync(join(ROOT, target), 'utf8')).has(anchor);
}

/** What GitHub makes of headings, and anchors that a page names itself. */
function anchorsOf(text) {
  const headings = [...text.replace(/```[^]*?```/g, '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id)]);
}

for (const [name, text] of Object.entries(await files())) {
  test(`${name} is up to date`, () => {
    assert.equal(readFileSync(join(ROOT, name), 'utf8'), text, 'run make docs');
  });
}

test('every page is on the map', () => {
  const map = new Set(linksOf('docs/README.md').map((link) => join('docs', link)));
  assert.deepEqual(DOCS.filter((path) => path !== 'docs/README.md' && !map.has(path)), []);
});

const isGenerated = (path) => /^(<!-- Made of|This page is written by)/m.test(readFileSync(join(ROOT, path), 'utf8'));

test('every page but a generated one says where to go next', () => {
  const last = (path) => readFileSync(join(ROOT, path), 'utf8').trim().split('\n\n').at(-1);
  assert.deepEqual(DOCS.filter((path) => path !== 'docs/README.md' && !isGenerated(path)).filter((path) => !/^(Next|More):[^]*\]\(/m.test(last(path))), []);
});

describe('the README on npm', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const relative = (text) => text.match(/\]\((?!https?:)|src(set)?="(?!https?:)/g) ?? [];

  test('leads to the pages that the package carries, and nowhere else', () => {
    const links = [...readFileSync(join(ROOT, 'pkg/README.md'), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link);
    assert.ok(links.length > 10);
    assert.deepEqual(links.filter((link) => !existsSync(join(ROOT, 'pkg', link))), []);
  });

  test('links into the repository, when there is one', () => {
    const text = npmReadme(readme, { type: 'git', url: 'git+https://example.org/a/b.git' });
    assert.deepEqual(relative(text), []);
    assert.ok(text.includes('](https://example.org/a/b/blob/HEAD/docs/learn/ten-minutes.md)'));
    assert.ok(text.includes('src="https://example.org/a/b/raw/HEAD/docs/images/page-light.png"'));
  });

  test('is short', () => {
    assert.ok(readme.trimEnd().split('\n').length <= 90);
  });
});

describe('ARCHITECTURE.md', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const named = [...namesWithFolders(text)];

  test('is short', () => assert.ok(text.trimEnd().split('\n').length <= 200));

  test('names files and folders that exist', () => {
    assert.ok(named.length > 60);
    assert.deepEqual(named.filter(({ name, folders }) => !folders.some((folder) => existsSync(join(ROOT, folder, name)))), []);
  });

  test('has every folder of the code', () => {
    const folders = ['sim/src', 'src', 'src/js', 'tests', 'www/src'].flatMap(foldersOf).concat(['cli/', 'proto/', 'sim/', 'docs/', 'www/']);
    assert.deepEqual(folders.filter((folder) => !named.some(({ name }) => name === folder)), []);
  });
});

/** Files and folders that a page names in code, each with the folders in which it may be: that of its row, that of its section, the root. */
function* namesWithFolders(text) {
  let section = '';
  let part = '';
  for (const line of text.replace(/```[^]*?```/g, '').split('\n')) {
    section = line.match(/^##+ `([^`]+\/)`/)?.[1] ?? (line.startsWith('#') ? '' : section);
    part = line.match(/^\| `([^`]+\/)`/)?.[1] ?? '';
    for (const [, name] of line.matchAll(/`((?:[\w.-]+\/)*[\w.-]+(?:\/|\.(?:rs|ts|mjs|js|json|md|css|html|proto|toml|yaml)))`/g)) {
      yield { name, folders: [part, section, ''] };
    }
  }
}

function foldersOf(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => `${folder}/${name}/`);
}

/** All code and configuration. */
const texts = ['.ci', 'cli', 'docs', 'recipes', 'sim', 'src', 'templates', 'tests', 'www'].filter((folder) => existsSync(join(ROOT, folder))).flatMap((folder) => textsIn(folder));

test('every page of docs/ that code or configuration names exists', () => {
  const wrong = texts.flatMap((path) => {
    const named = readFileSync(join(ROOT, path), 'utf8').matchAll(/\bdocs\/(?:[\w-]+\/)*[\w-]+\.md\b/g);
    return [...named].filter(([page]) => !existsSync(join(ROOT, page))).map(([page]) => `${path}: ${page}`);
  });
  assert.ok(texts.length > 300);
  assert.deepEqual(wrong, []);
});

test('every fact that a page or a comment cites, such as B42, is on the page of facts or of scenarios', () => {
  const read = (path) => readFileSync(join(ROOT, path), 'utf8');
  const facts = read('docs/understand/behaviour.md').match(/(?<=<a id="\w+"><\/a>\*\*)\w+(?=\*\*)/g);
  const scenarios = read('sim/scenarios/README.md').match(/^\| (?:S\d+[a-c]?(?:, )?)+/gm).flatMap((cell) => cell.match(/S\d+/g));
  const known = new Set([...facts, ...scenarios]);
  const comments = (path) => read(path).match(/^\s*(?:\/\/|\*).*/gm)?.join('\n') ?? '';
  const cited = [...PAGES.map((path) => [path, read(path)]), ...texts.map((path) => [path, comments(path)])].flatMap(([path, text]) =>
    (text.match(/\b[BCDST]\d{1,3}(?=[a-z]?\b)/g) ?? []).map((name) => ({ path, name })));
  assert.ok(cited.length > 300);
  assert.deepEqual(cited.filter(({ name }) => !known.has(name)), []);
});

/** The code and configuration in a folder. */
function textsIn(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'target', 'dist'].includes(entry.name) ? [] : textsIn(path);
    return /\.(?:m?js|ts|rs|svelte|ya?ml|json|toml|sh)$/.test(entry.name) ? [path] : [];
  });
}

test('prose is wrapped at 100 columns', () => {
  const written = PAGES.filter((path) => !isGenerated(path));
  const long = written.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8').replace(/```[^]*?```/g, (code) => code.replace(/[^\n]/g, ''));
    // A table has a row in a line, and a link's address cannot be broken.
    return text.split('\n').flatMap((line, index) => (line.length > 100 && !/^\||^ *<|\]\([^)]*$|\S{60}/.test(line) ? [`${path}:${index + 1}`] : []));
  });
  assert.deepEqual(long, []);
});
