// The template for Rust users, built as they build it: in a folder outside of this repository, from the packed crates, by the
// commands of the page.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

import { blocksOf } from '../docs/blocks.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TEMPLATE = 'templates/rust-tests';
/** One for each clone. It stays, so that a second run compiles only what has changed. */
const OUTSIDE = join(tmpdir(), `locket-wasm-template-${createHash('sha256').update(ROOT).digest('hex').slice(0, 8)}`);
const PROJECT = join(OUTSIDE, 'lock-tests');
/** In the versions of this repository, and beside its own build: the file of a crate is the same whatever its features are. */
const ENVIRONMENT = { ...process.env, CARGO_TARGET_DIR: join(ROOT, 'target/bare'), CARGO_NET_OFFLINE: 'true', CARGO_TERM_COLOR: 'never', NODE_TEST_CONTEXT: undefined };

const blocks = blocksOf(join(ROOT, 'docs/do/rust.md')).filter(({ norun }) => norun === 'is-run-by-make-test-template');
const commands = blocks.flatMap(({ text }) => text.trim().split('\n'));
/** The commands that make the project, and those that run its tests. */
const [making, testing] = [(line) => !isTest(line), isTest].map((is) => commands.filter(is));

before(() => {
  unpackCrates();
  cpSync(join(ROOT, TEMPLATE), join(OUTSIDE, 'locket-wasm', TEMPLATE), { recursive: true, filter: (path) => !/Cargo\.lock$|target$/.test(path) });
  cpSync(join(ROOT, 'Cargo.lock'), join(OUTSIDE, 'locket-wasm', TEMPLATE, 'Cargo.lock'));
  // In place of crates.io, where the packed locket-wasm looks for locket-sim.
  write(join(OUTSIDE, '.cargo/config.toml'), '[patch.crates-io]\nlocket-sim = { path = "locket-wasm/sim" }\n');
  rmSync(PROJECT, { recursive: true, force: true });
  const { status, output } = run(OUTSIDE, ['bash', '-euc', making.join('\n')]);
  assert.equal(status, 0, output);
});

test('the page has commands for a native program, for Node and for a browser', () => {
  assert.deepEqual(testing, ['cargo test', 'wasm-pack test --node', 'wasm-pack test --headless --chrome']);
});

const passed = {};
for (const command of testing) {
  test(`the template passes by ${command}`, () => {
    // Chromium and its driver as in `make test-wasm-chrome`.
    const driver = process.env.CHROMEDRIVER ? ` --chromedriver ${process.env.CHROMEDRIVER}` : '';
    const inBrowser = ['node', '.ci/few-connections.mjs', 'bash', '-euc', `cd ${PROJECT}\n${command}${driver}`];
    const { status, output } = command.includes('chrome') ? run(ROOT, inBrowser) : run(PROJECT, ['bash', '-euc', command]);
    assert.equal(status, 0, output);
    passed[command] = count(output);
    assert.ok(passed[command] > 0, output);
  });
}

test('the same tests ran natively, in Node and in a browser', () => {
  const tests = readdirSync(join(PROJECT, 'tests')).flatMap((name) => readFileSync(join(PROJECT, 'tests', name), 'utf8').match(/^#\[wasm_bindgen_test.*\(unsupported = test\)\]$/gm) ?? []);
  assert.ok(tests.length > 5);
  assert.deepEqual(Object.values(passed), testing.map(() => tests.length));
});

function isTest(command) {
  return / test( |$)/.test(command);
}

/** The packed crates where a clone has them. Files that have not changed keep their times, by which cargo knows them. */
function unpackCrates() {
  execFileSync('cargo', ['package', '--workspace', '--no-verify', '--allow-dirty', '--exclude-lockfile', '--quiet'], { cwd: ROOT, env: { ...ENVIRONMENT, CARGO_TARGET_DIR: join(ROOT, 'target') } });
  for (const [name, folder] of [['locket-wasm', 'locket-wasm'], ['locket-sim', 'locket-wasm/sim']]) {
    const packed = join(ROOT, 'target/package', `${name}-${version()}`);
    rmSync(packed, { recursive: true, force: true });
    execFileSync('tar', ['-xzf', `${packed}.crate`, '-C', join(ROOT, 'target/package')]);
    update(packed, join(OUTSIDE, folder));
  }
}

/** Makes a folder equal to another one, but for folders that only it has. */
function update(from, to) {
  mkdirSync(to, { recursive: true });
  const names = readdirSync(from, { withFileTypes: true });
  for (const old of readdirSync(to, { withFileTypes: true })) {
    if (old.isFile() && !names.some(({ name }) => name === old.name)) rmSync(join(to, old.name));
  }
  for (const entry of names) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) update(source, target);
    else write(target, readFileSync(source));
  }
}

function write(path, content) {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function version() {
  return readFileSync(join(ROOT, 'Cargo.toml'), 'utf8').match(/^version = "(.*)"$/m)[1];
}

function run(cwd, [program, ...args]) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env: ENVIRONMENT, encoding: 'utf8', maxBuffer: 1 << 26 });
  return { status, output: stripVTControlCharacters(stdout + stderr) };
}

function count(output) {
  return [...output.matchAll(/^test result: ok\. (\d+) passed;/gm)].reduce((sum, [, passed]) => sum + Number(passed), 0);
}
