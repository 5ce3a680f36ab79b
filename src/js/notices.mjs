// The licences of the crates inside the modules, as a text for the package. Their licences ask for that: a module is a copy of them.
//
// Not cargo-about: it is one more program to install for what `cargo metadata` says already.

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const INTRODUCTION = `The WebAssembly modules of this package contain the crates below, and parts of Rust's standard library
(copyright The Rust Project Developers, MIT OR Apache-2.0; the text of the latter is in LICENSE).
`;

/** The notices of all crates that a module for wasm32 contains. Throws if a crate has no licence text, and so none that can be passed on. */
export function notices() {
  const byText = new Map();
  const crates = cratesInside();
  for (const crate of crates) {
    const title = `${crate.name} ${crate.version} (${crate.license})`;
    for (const text of textsFor(crate, crates)) byText.set(text, [...(byText.get(text) ?? []), title]);
  }
  const parts = [...byText].map(([text, titles]) => `${titles.join('\n')}\n\n${text}\n`);
  return [INTRODUCTION, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

/** Crates of others that are linked in: reached by normal dependencies, not through macros, which only run while it is compiled. */
export function cratesInside() {
  const args = ['metadata', '--format-version', '1', '--locked', '--filter-platform', 'wasm32-unknown-unknown'];
  const { packages, resolve } = JSON.parse(execFileSync('cargo', args, { maxBuffer: 2 ** 28 }).toString());
  const crates = new Map(packages.map((crate) => [crate.id, crate]));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const found = new Set();
  const visit = (id) => {
    if (found.has(id) || crates.get(id).targets.some(({ kind }) => kind.includes('proc-macro'))) return;
    found.add(id);
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) if (kinds.some(({ kind }) => kind === null)) visit(pkg);
  };
  visit(packages.find(({ name, source }) => name === 'locket-wasm' && source === null).id);
  return [...found].map((id) => crates.get(id)).filter(({ source }) => source !== null).sort((a, b) => a.id.localeCompare(b.id));
}

/** A crate without the text has that of another one of its repository. */
function textsFor(crate, crates) {
  const family = [crate, ...crates.filter(({ repository }) => repository !== null && repository === crate.repository)];
  const texts = family.map(licenceTexts).find(({ length }) => length > 0);
  if (texts === undefined) throw new Error(`notices: no licence text of ${crate.name}, nor of its repository ${crate.repository}`);
  return texts;
}

/** Of licences to choose from the MIT one, which is the shortest; else all that the crate has. */
function licenceTexts({ manifest_path: manifest }) {
  const folder = dirname(manifest);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice|unlicense)/i.test(file));
  const mit = files.filter((file) => /mit/i.test(file));
  return (mit.length > 0 ? mit : files).map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
}
