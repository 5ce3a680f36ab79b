// What is inside the package: the licences of the crates as a text, for which they ask since a module is a copy of them, and a list
// of all libraries for programs.
//
// Not cargo-about: it is one more program to install for what `cargo metadata` and `cargo tree` say already.

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const TARGET = 'wasm32-unknown-unknown';
/** The npm packages that are copied into a bundle. */
const CARRIED = ['commander', 'fflate', 'leven', 'yaml'];
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

/** All libraries inside, as CycloneDX lists them. */
export function sbom(manifest) {
  const listed = (kind, { name, version, license }) => {
    const expression = license.replace('/', ' OR ');
    return { type: 'library', name, version, purl: `pkg:${kind}/${name}@${version}`, licenses: [{ expression }] };
  };
  const carried = CARRIED.map((name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')));
  const components = [...cratesInside().map((crate) => listed('cargo', crate)), ...carried.map((it) => listed('npm', it))];
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component: listed('npm', manifest) }, components };
}

/** Crates of others that are linked in. Macros only run while it is compiled; features that tests ask for are not in the modules. */
export function cratesInside() {
  const cargo = (...args) => execFileSync('cargo', [...args, '--locked'], { maxBuffer: 2 ** 28 }).toString();
  const { packages } = JSON.parse(cargo('metadata', '--format-version', '1', '--filter-platform', TARGET));
  const tree = cargo('tree', '-p', 'locket-wasm', '-e', 'normal,no-proc-macro', '--target', TARGET, '--prefix', 'none', '--format', '{p}');
  const linked = new Set(tree.split('\n').map((line) => line.split(' ').slice(0, 2).join(' ')));
  const crates = packages.filter(({ name, version, source }) => source !== null && linked.has(`${name} v${version}`));
  return crates.sort((a, b) => a.id.localeCompare(b.id));
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
