// What the crates export, as text: a line for each item and each of its members, from the documentation that `cargo doc`
// wrote. The reports in rust-api/ are in the repository, so that no change of a public interface goes unseen.
//
//   node tests/types/rust-api.mjs           compares them with target/doc/ (`make lint`, which writes that before)
//   node tests/types/rust-api.mjs --write   writes them anew (`make api`)
//
// Names only: types are in the documentation itself. Tools that report signatures read rustdoc's JSON, which stable Rust does
// not write and whose form changes with each release.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CRATES = ['locket_sim', 'locket_wasm'];
const MEMBER = /id="(associatedconstant|associatedtype|method|structfield|tymethod|variant)\.(\w+)"/g;
/** From here on, a page is about traits' implementations, which are the traits' to report. */
const IMPLEMENTATIONS = /id="(?:trait-implementations|implementors|foreign-impls|blanket-implementations)"/;

let isOld = false;
for (const crate of CRATES) {
  const file = join(ROOT, 'tests/types/rust-api', `${crate.replace('_', '-')}.txt`);
  const now = reportOf(crate);
  if (process.argv.includes('--write')) writeFileSync(file, now);
  else if (readFileSync(file, 'utf8') !== now) isOld = differ(crate, readFileSync(file, 'utf8'), now);
}
process.exitCode = isOld ? 1 : 0;

function reportOf(crate) {
  const folder = join(ROOT, 'target/doc', crate);
  const links = readFileSync(join(folder, 'all.html'), 'utf8').matchAll(/<li><a href="((?:\w+\/)*(\w+)\.\w+\.html)">([\w:]+)<\/a><\/li>/g);
  const items = [...links].flatMap(([, page, kind, path]) => [`${path} (${kind})`, ...membersOf(readFileSync(join(folder, page), 'utf8')).map((name) => `${path}.${name}`)]);
  if (items.length === 0) throw new Error(`${folder}/all.html lists nothing; run \`cargo doc --workspace --no-deps\``);
  return `${items.sort().join('\n')}\n`;
}

function membersOf(page) {
  const end = IMPLEMENTATIONS.exec(page)?.index;
  return [...new Set([...page.slice(0, end).matchAll(MEMBER)].map(([, , name]) => name))];
}

function differ(crate, before, now) {
  const [old, fresh] = [before, now].map((text) => text.split('\n'));
  const lines = [...old.filter((line) => !fresh.includes(line)).map((line) => `- ${line}`), ...fresh.filter((line) => !old.includes(line)).map((line) => `+ ${line}`)];
  console.error(`the public items of ${crate} are others than in tests/types/rust-api/; if that is meant, run \`make api\`:\n${lines.join('\n')}`);
  return true;
}
