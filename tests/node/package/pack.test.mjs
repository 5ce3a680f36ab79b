// What npm pack makes of the built package.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { parse } from 'yaml';

import { manifestOf } from '../../../src/js/manifest.mjs';
import { at } from '../support/folder.mjs';

const PACKAGE = fileURLToPath(new URL('../../../pkg', import.meta.url));

/** What is packed of it. */
const packed = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', PACKAGE]).toString())[0].files.map(({ path }) => path);

test('the same files make the same tarball, wherever and whenever they were written', () => {
  const copy = at('elsewhere');
  cpSync(PACKAGE, copy, { recursive: true });
  const longAgo = new Date('2001-02-03T04:05:06Z');
  for (const name of readdirSync(copy, { recursive: true })) utimesSync(join(copy, name), longAgo, longAgo);
  const hashes = [PACKAGE, copy].map((folder, index) => hashOfTarball(folder, at(String(index))));
  assert.equal(hashes[1], hashes[0]);
});

test('licences, the list of libraries, the readme and the pages are packed, and nothing but them beside dist', () => {
  assert.deepEqual(packed.filter((path) => !/^dist\/|^docs\/.*\.md$/.test(path)).sort(), ['LICENSE', 'README.md', 'THIRD-PARTY.txt', 'package.json', 'sbom.cdx.json']);
  assert.deepEqual(packed.filter((path) => path.includes('parts')), [], 'what only the page imports');
});

test('every link of a packed page leads to a packed page', () => {
  const pages = readdirSync(PACKAGE, { recursive: true }).filter((name) => name.endsWith('.md'));
  assert.ok(pages.includes('README.md') && pages.includes('docs/learn/ten-minutes.md'));
  const dead = pages.flatMap((page) => {
    const text = readFileSync(join(PACKAGE, page), 'utf8').replace(/^ *```[^]*?^ *```$/gm, '');
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => join(page, '..', link));
    return links.filter((link) => !pages.includes(link)).map((link) => `${page}: ${link}`);
  });
  assert.deepEqual(dead, []);
});

test('every file that the manifest names is packed, also the wire contract', () => {
  const { main, types, bin, exports } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  const filesOf = (entry) => (typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(filesOf));
  const named = [main, types, bin, exports].flatMap(filesOf).map((file) => file.replace(/^\.\//, ''));
  assert.ok(named.includes('dist/locket.proto'));
  assert.deepEqual(named.filter((file) => !packed.includes(file)), []);
});

test('a release names the repository that it runs in, as its provenance does, and pins its actions', () => {
  const workflow = readFileSync(new URL('../../../.github/workflows/release.yml', import.meta.url), 'utf8');
  const { env } = parse(workflow).jobs.artifacts.steps.find(({ run }) => run === 'make publish-dry-run');
  assert.deepEqual(workflow.match(/uses: .*/g).filter((action) => !/@[0-9a-f]{40} # v\d/.test(action)), [], 'pinned by commit');
  assert.deepEqual(env, { PACKAGE_REPOSITORY: '${{ github.server_url }}/${{ github.repository }}' });
  const { name, version, repository, homepage, bugs } = manifestOf({ name: 'a' }, '1.2.3', 'https://github.com/b/c');
  assert.deepEqual({ name, version }, { name: 'a', version: '1.2.3' });
  assert.deepEqual(repository, { type: 'git', url: 'git+https://github.com/b/c.git' });
  assert.deepEqual([homepage, bugs], ['https://github.com/b/c#readme', { url: 'https://github.com/b/c/issues' }]);
});

test('a build that knows no repository invents none', () => {
  for (const none of [undefined, '']) assert.deepEqual(manifestOf({ name: 'a' }, '1.2.3', none), { name: 'a', version: '1.2.3' });
});

test('an address that is no repository is refused', () => {
  for (const address of ['b/c', 'http://github.com/b/c', 'https://github.com/b', 'https://github.com/b/', 'https://github.com/b/c/d']) {
    assert.throws(() => manifestOf({}, '1.2.3', address), /PACKAGE_REPOSITORY=.* is no repository; write https:/);
  }
});

function hashOfTarball(folder, destination) {
  mkdirSync(destination);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', destination, folder]);
  const [tarball] = readdirSync(destination);
  return createHash('sha256').update(readFileSync(join(destination, tarball))).digest('hex');
}
