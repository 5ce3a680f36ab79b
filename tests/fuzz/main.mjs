// `make fuzz`: shares FUZZ_S seconds (60 if it is not set) among all fuzz targets, native ones and those over the package, and
// prints a table of what was tried. A finding is shown with its input, and makes for an exit code other than zero.

import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** How much longer than its share a target may take, for what it finds to become small. */
const GRACE_S = 120;
/** What V8 says when it finds itself in a state that cannot be. */
const ENGINE_FAULT = /^# Fatal error in .*\n# unreachable code$/m;
const CRATES = ['locket-sim', 'locket-wasm'];

const seconds = Number(process.env.FUZZ_S ?? 60);
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1_000_000));
if (!(seconds > 0) || !Number.isSafeInteger(seed)) throw new Error('FUZZ_S and SEED are numbers');

const targets = [];
for (const crate of CRATES) targets.push(...(await nativeTargets(crate)));
for (const file of readdirSync(new URL('.', import.meta.url)).sort()) {
  if (file.endsWith('.test.mjs')) targets.push(...(await targetsOf(`tests/fuzz/${file}`)));
}
const share = Math.max(0.1, Math.round((10 * seconds) / targets.length) / 10);
console.log(`SEED=${seed} FUZZ_S=${seconds} make fuzz: ${targets.length} targets, ${share} s each`);
const rows = [];
for (const target of targets) rows.push(await fuzz(target));
summarize(rows);

async function nativeTargets(crate) {
  const build = ['cargo', 'test', '--package', crate, '--test', 'fuzz', '--no-run', '--message-format=json-render-diagnostics'];
  const [, program] = (await run(build, {}, 'inherit')).output.match(/"executable":"(.+?)"/) ?? [];
  if (program === undefined) throw new Error(`${build.join(' ')} built nothing`);
  const { output } = await run([program, '--list'], {}, 'inherit');
  const tests = [...output.matchAll(/^(\S+): test$/gm)].map(([, path]) => path);
  return tests.map((path) => ({ name: path.split('::').at(-1), command: [program, '--exact', path, '--nocapture'], env: {} }));
}

async function targetsOf(file) {
  const { output } = await run(['node', file], { FUZZ_LIST: '1' }, 'inherit');
  const names = [...output.matchAll(/^fuzz target: (.+)$/gm)].map(([, name]) => name);
  const command = ['node', '--test', '--test-force-exit', '--test-reporter=spec', file];
  return names.map((name) => ({ name, command, env: { FUZZ_TARGET: name } }));
}

/** What a target has tried, and whether it found something. One that says nothing has died or did not end: that is a finding. */
async function fuzz({ name, command, env }) {
  const once = () => run(command, { ...env, SEED: seed, FUZZ_S: share }, 'pipe', Math.ceil((share + GRACE_S) * 1_000));
  let { output, status } = await once();
  if (ENGINE_FAULT.test(output)) {
    // No input of a program may do that: it is V8's own fault, and says nothing of what was tried.
    console.log(`${name}: the JavaScript engine itself has crashed, and the target runs once more\n${output}`);
    ({ output, status } = await once());
  }
  const [, inputs = 0, findings = 1] = output.match(/fuzz .*: (\d+) inputs, (\d+) findings, SEED=/) ?? [];
  const isFinding = status !== 0 || Number(findings) > 0;
  console.log(row(name, inputs, isFinding));
  // The output of a target says how to repeat what it found; one that was killed has said nothing.
  if (isFinding) console.log(`${output}\n${name} ended with ${status}, after SEED=${seed} FUZZ_S=${share}`);
  return { inputs: Number(inputs), isFinding };
}

function summarize(rows) {
  const inputs = rows.reduce((sum, row) => sum + row.inputs, 0);
  const findings = rows.filter(({ isFinding }) => isFinding).length;
  console.log(`\n${rows.length} targets, ${inputs} inputs, ${findings} findings; SEED=${seed}`);
  process.exitCode = findings === 0 ? 0 : 1;
}

function row(name, inputs, isFinding) {
  return `${name.padEnd(28)} ${String(inputs).padStart(9)} inputs  ${isFinding ? 'FINDING' : 'no finding'}`;
}

function run([program, ...args], env, stderr, timeout) {
  const child = spawn(program, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', stderr], timeout, killSignal: 'SIGKILL' });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.stderr?.on('data', (chunk) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const output = stripVTControlCharacters(Buffer.concat(chunks).toString());
      resolve({ output, status: code ?? `signal ${signal}` });
    });
  });
}
