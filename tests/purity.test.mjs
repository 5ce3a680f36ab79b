// Proves that locket-sim reads no clock, randomness, file or network: it depends on nothing that could, its wasm
// module asks the host for nothing, and that module, alone, gives the recorded digest of a run.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const WASM32 = 'wasm32-unknown-unknown';

// Crates that bring JavaScript, entropy, a clock, an operating system or an async runtime.
const IMPURE = new RegExp(
  '^(wasm-bindgen|js-sys|web-sys|web-time|instant|getrandom|rand_os|fastrand|ahash|chrono|time|jiff|libc|rustix|nix|' +
    'windows-sys|wasi|wasip2|mio|socket2|tokio|async-std|smol|futures|hyper|reqwest|tonic|prost)(-.*)?$',
);

test('locket_sim_depends_on_no_impure_crate', () => {
  const host = execFileSync('rustc', ['--print', 'host-tuple']).toString().trim();
  for (const target of [host, WASM32]) {
    const crates = dependencies('locket-sim', target);
    assert.ok(crates.includes('serde'), `cargo tree lists what locket-sim is known to use, on ${target}`);
    assert.deepEqual(crates.filter((name) => IMPURE.test(name)), [], `impure dependencies of locket-sim on ${target}`);
  }
  // The same search does find them where they are meant to be.
  assert.ok(dependencies('locket-wasm', WASM32).some((name) => IMPURE.test(name)), 'the search finds impure crates');
});

test('locket_sim_alone_imports_nothing_into_wasm', () => {
  assert.deepEqual(WebAssembly.Module.imports(wasmProbe()), []);
});

test('locket_sim_alone_gives_the_recorded_digest_in_wasm', () => {
  const { 'first-look.json': recorded } = JSON.parse(readFileSync('sim/scenarios/digests.json', 'utf8'));
  assert.equal(runInWasm(wasmProbe(), readFileSync('sim/scenarios/first-look.json')), recorded);
});

function dependencies(crate, target) {
  const tree = execFileSync('cargo', ['tree', '-p', crate, '-e', 'normal,build', '--target', target, '--prefix', 'none']);
  return [...new Set(tree.toString().trim().split('\n').map((line) => line.split(' ')[0]))];
}

// A library's code is dropped from a wasm module unless something exported calls it; this crate does, so that an
// import, if locket-sim had one, would be there to be seen. It is a workspace of its own: a probe needs `unsafe`.
function writeProbe() {
  write('target/purity/Cargo.toml', PROBE_MANIFEST);
  write('target/purity/src/lib.rs', PROBE_LIB);
  copyFileSync('Cargo.lock', 'target/purity/Cargo.lock');
}

// Keeps the time stamp of a file that is as it should be: cargo would build it again.
function write(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function wasmProbe() {
  writeProbe();
  execFileSync('cargo', ['build', '--quiet', '--manifest-path', 'target/purity/Cargo.toml', '--target-dir', 'target/purity/target', '--target', WASM32]);
  return new WebAssembly.Module(readFileSync(`target/purity/target/${WASM32}/debug/purity_probe.wasm`));
}

function runInWasm(module, scenario) {
  const { exports } = new WebAssembly.Instance(module, {});
  const input = exports.allocate(scenario.length);
  new Uint8Array(exports.memory.buffer).set(scenario, input);
  const output = exports.run(input, scenario.length);
  const bytes = new Uint8Array(exports.memory.buffer, Number(output >> 32n), Number(output & 0xffff_ffffn));
  return new TextDecoder().decode(bytes);
}

const PROBE_MANIFEST = `[workspace]

[package]
name = "purity-probe"
version = "0.0.0"
edition = "2024"

[lib]
crate-type = ["cdylib"]

[dependencies]
locket-sim = { path = "../../sim" }

[profile.dev]
debug = false
panic = "abort"
`;

const PROBE_LIB = `#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    vec![0; length].leak().as_mut_ptr()
}

/// Takes a text from \`allocate\`; the answer's address is in the upper half of the result, its length in the lower.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn run(address: *const u8, length: usize) -> u64 {
    let bytes = unsafe { core::slice::from_raw_parts(address, length) };
    let text = core::str::from_utf8(bytes).expect("a scenario is UTF-8");
    let answer = locket_sim::scenario::run_text(text).map_or_else(|_| "refused".to_owned(), |run| run.digest.to_string()).leak();
    (answer.as_ptr() as u64) << 32 | answer.len() as u64
}
`;
