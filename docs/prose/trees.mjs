// What the check of the prose reads, and which of it must be clean.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { javascript, styles, svelte } from './passages/javascript.mjs';
import { markdown, printed } from './passages/markdown.mjs';
import { rust } from './passages/rust.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Pages whose sentences are those of the scenario schema, of profile.rs and of an example of sim/. */
const GENERATED = ['scenarios', 'differences', 'settings'].map((name) => `docs/reference/${name}.md`);
/** The page of what `--help` prints; a test compares it with that. */
const HELP = 'docs/reference/command-line.md';
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** Trees by name. Those with `checked` must be clean; others are read only when they are named: `node docs/prose/check.mjs NAME`. */
export const TREES = {
  readme: { checked: true, passages: () => markdown('README.md', read('README.md')) },
  docs: { checked: true, passages: () => files('docs', ['.md']).filter((path) => !GENERATED.includes(path)).flatMap((path) => markdown(path, read(path))) },
  generated: { checked: false, passages: () => GENERATED.flatMap((path) => markdown(path, read(path))) },
  guides: { checked: true, passages: () => ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'sim/README.md', 'sim/scenarios/README.md'].flatMap((path) => markdown(path, read(path))) },
  changelog: { checked: true, passages: () => markdown('CHANGELOG.md', newestPart(read('CHANGELOG.md'))) },
  help: { checked: false, passages: () => printed(HELP, read(HELP)) },
  js: { checked: false, passages: () => files('src', SCRIPTS).flatMap(source) },
  www: { checked: false, passages: () => files('www', [...SCRIPTS, '.svelte', '.css']).flatMap(source) },
  rust: { checked: false, passages: () => [...files('sim/src', ['.rs']), ...files('src', ['.rs'])].flatMap(source) },
  'rust-tests': { checked: false, passages: () => [...files('sim/tests', ['.rs']), ...files('tests', ['.rs'])].flatMap(source) },
  scenarios: { checked: false, passages: () => [...files('sim/scenarios', ['.json']), 'sim/scenario.schema.json'].filter((path) => !path.endsWith('digests.json')).flatMap(json) },
};

const SCRIPTS = ['.ts', '.js', '.mjs'];

function files(folder, endings) {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => endings.some((ending) => path.endsWith(ending)) && !path.includes('node_modules/'))
    .sort();
}

/**
 * Texts that no word of ours may change, by file: the digest of a run is made of their bytes, and digests of older versions
 * are compared with those of this one.
 */
export const FROZEN = {
  'sim/src/trace/encode/runner.rs': ['acts as the owner from here on', 'is told to stop, and acts no more', 'is told to stop'],
};

/** The passages of a source file, without its frozen texts. */
export function source(path) {
  return passages(path, read(path)).filter(({ kind, text }) => kind !== 'string' || !FROZEN[path]?.includes(text.trim()));
}

function passages(path, text) {
  if (path.endsWith('.rs')) return rust(path, text);
  if (path.endsWith('.css')) return styles(path, text);
  return path.endsWith('.svelte') ? svelte(path, text) : javascript(path, text);
}

/** The texts of a JSON file, which is JavaScript enough. */
function json(path) {
  return javascript(path, `(${read(path)})`);
}

/** The names that docs/understand/behaviour.md gives to observations. */
export function names() {
  return new Set([...read('docs/understand/behaviour.md').matchAll(/<a id="\w+"><\/a>\*\*(\w+)\*\*/g)].map(([, name]) => name));
}

function newestPart(changelog) {
  const [head, newest] = changelog.split(/^(?=## )/m);
  return head + newest;
}
