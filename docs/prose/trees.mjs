// The texts that the check of the prose reads.

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

/** The passages of each tree, by its name. */
export const TREES = {
  readme: () => markdown('README.md', read('README.md')),
  docs: () => files('docs', ['.md']).filter((path) => !GENERATED.includes(path)).flatMap((path) => markdown(path, read(path))),
  generated: () => GENERATED.flatMap((path) => markdown(path, read(path))),
  guides: () => ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'sim/README.md', 'sim/scenarios/README.md', 'templates/rust-tests/README.md'].flatMap((path) => markdown(path, read(path))),
  changelog: () => markdown('CHANGELOG.md', newestPart(read('CHANGELOG.md'))),
  help: () => printed(HELP, read(HELP)),
  js: () => ['src', 'cli'].flatMap((folder) => files(folder, SCRIPTS)).flatMap(source),
  www: () => files('www', [...SCRIPTS, '.svelte', '.css']).flatMap(source),
  rust: () => [...files('sim/src', ['.rs']), ...files('sim/benches', ['.rs']), ...files('sim/examples', ['.rs']), ...files('src', ['.rs'])].flatMap(source),
  'rust-tests': () => [...files('sim/tests', ['.rs']), ...files('tests', ['.rs']), ...files('templates', ['.rs'])].flatMap(source),
  scenarios: () => [...files('sim/scenarios', ['.json']), 'target/schemas/scenario.schema.json', 'target/schemas/question.schema.json'].filter((path) => !path.endsWith('digests.json')).flatMap(json),
};

const SCRIPTS = ['.ts', '.js', '.mjs'];

function files(folder, endings) {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => endings.some((ending) => path.endsWith(ending)) && !path.includes('node_modules/'))
    .sort();
}

/** The passages of a source file. */
function source(path) {
  const text = read(path);
  if (path.endsWith('.rs')) return rust(path, text);
  if (path.endsWith('.css')) return styles(path, text);
  return path.endsWith('.svelte') ? svelte(path, text) : javascript(path, text);
}

/** The texts of a JSON file, which is JavaScript enough. */
function json(path) {
  return javascript(path, `(${read(path)})`);
}

/** The names that docs/understand/behaviour.md gives to observations, and the page about scenarios to cases. */
export function names() {
  const observed = [...read('docs/understand/behaviour.md').matchAll(/<a id="\w+"><\/a>\*\*(\w+)\*\*/g)].map(([, name]) => name);
  const cases = [...read('sim/scenarios/README.md').matchAll(/^\| ((?:S\d+[a-c]?(?:, )?)+)/gm)].flatMap(([, list]) => list.match(/S\d+/g));
  return new Set([...observed, ...cases]);
}

function newestPart(changelog) {
  const [head, newest] = changelog.split(/^(?=## )/m);
  return head + newest;
}
