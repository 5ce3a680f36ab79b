// How much there is to learn. ceilings.mjs compares.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { namesOfEntries } from '../docs/names-page.mjs';
import { exportedTypes } from './types/api.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** How many there are of each. */
export async function surface() {
  return {
    ...commandLine(),
    entries: entries().length,
    'names to call': new Set(Object.values(await namesOfEntries()).flat()).size,
    types: exportedTypes('types').length,
    'words of docs by hand': wordsByHand(),
    'crates for tests in Rust': crates(),
  };
}

/** The options of a command are those of its help, without the options that all commands have. */
function commandLine() {
  const help = (...args) => execFileSync(process.execPath, [`${ROOT}pkg/dist/cli.js`, ...args, '--help'], { encoding: 'utf8' });
  const [first, more] = help().split('\nMore commands:\n');
  const names = (text) => [...text.matchAll(/^ {2}([a-z-]+) [[<]/gm)].map(([, name]) => name);
  const firstNames = names(first);
  const all = [...firstNames, ...names(more)].filter((name) => name !== 'help');
  const options = all.flatMap((name) => [...help(name).matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option));
  return { 'commands in the first help': firstNames.length, commands: all.length, options: options.filter((option) => !['--help', '--debug'].includes(option)).length };
}

function entries() {
  const { exports } = JSON.parse(readFileSync(`${ROOT}pkg/package.json`, 'utf8'));
  // Nobody imports /types/inferred: TypeScript writes it.
  return Object.keys(exports).filter((entry) => !/\.(json|proto|wasm)$|\/inferred$/.test(entry));
}

/** The words of all pages that no program writes, with their examples and tables. */
function wordsByHand() {
  const pages = readdirSync(`${ROOT}docs`, { recursive: true }).filter((name) => name.endsWith('.md') && !name.includes('node_modules'));
  const texts = pages.map((page) => readFileSync(`${ROOT}docs/${page}`, 'utf8')).filter((text) => !/^(<!-- Made of|This page is written by)/m.test(text));
  return texts.reduce((sum, text) => sum + text.split(/\s+/).filter((word) => /\w/.test(word)).length, 0);
}

/** What `cargo test` compiles of a program that tests with the crate, apart from its own. */
function crates() {
  const tree = execFileSync('cargo', ['tree', '-p', 'locket-wasm', '-e', 'normal', '--no-default-features', '--prefix', 'none'], { cwd: ROOT, encoding: 'utf8' });
  return new Set(tree.trim().split('\n').map((line) => line.replace(/ \(.*/, ''))).size;
}
