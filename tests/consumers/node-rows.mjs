// Consumers that need nothing but Node.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { transformSync } from 'esbuild';

const PROGRAM = readFileSync(new URL('program.mjs', import.meta.url), 'utf8');
/** The same program for require(). */
export const PROGRAM_CJS = transformSync(PROGRAM, { format: 'cjs' }).code;

export const MAIN = "import { program } from './program.mjs';\nconsole.log(await program());\n";

/** Runs a file; what it printed, on whatever stream. Another exit code than 0 is an error. */
export function ran(file, args, cwd) {
  // What a test runner hands to its own tests would be taken for theirs; and Next.js tells nobody of its builds.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NEXT_TELEMETRY_DISABLED: '1' };
  const { error, status, stdout, stderr } = spawnSync(file, args, { cwd, encoding: 'utf8', env, timeout: 300_000 });
  if (error) throw error;
  if (status !== 0) throw new Error(`exit code ${status}\n${stdout}${stderr}`);
  return stdout + stderr;
}

/** Runs a program of Node's in the project. */
export const node = (...args) => (cwd) => ran(process.execPath, args, cwd);

/** Each: a name, the project's files, and how it is run there: `run(folder)` gives what was printed, or a promise of it. */
export const NODE_ROWS = [
  { name: 'Node, import', files: { 'main.mjs': MAIN }, run: node('main.mjs') },
  {
    name: 'Node, require',
    files: { 'program.cjs': PROGRAM_CJS, 'main.cjs': "require('./program.cjs').program().then(console.log);\n" },
    run: node('main.cjs'),
  },
];
