// Consumers that need nothing but Node.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { transformSync } from 'esbuild';

const PROGRAM = readFileSync(new URL('program.mjs', import.meta.url), 'utf8');
/** The same program for require(). */
export const PROGRAM_CJS = transformSync(PROGRAM, { format: 'cjs' }).code;

/** A client that no one here wrote, over the installed server; the client is the workspace's. */
const MAIN_CONNECT = `import assert from 'node:assert/strict';
import { LocketServer } from 'locket-wasm';
import { connectWeb } from ${JSON.stringify(new URL('../serve/support/clients.mjs', import.meta.url))};
import { program } from './program.mjs';
const server = new LocketServer();
const client = connectWeb('http://locket.test', { fetch: server.fetch });
await client.lock({ key: 'bbs', owner: 'bbs-0', typeCode: 1, ttl: '15s' });
assert.equal((await client.fetch('bbs')).owner, 'bbs-0');
server.clock.advance('15s');
await assert.rejects(client.fetch('bbs'), { code: 5 });
console.log(await program());
`;

export const MAIN = "import { program } from './program.mjs';\nconsole.log(await program());\n";

/** Runs a program of Node's in the project; what it printed, on whatever stream. Another exit code than 0 is an error. */
export const node = (...args) => (cwd) => {
  // What a test runner hands to its own tests would be taken for theirs.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env });
  if (status !== 0) throw new Error(`exit code ${status}\n${stdout}${stderr}`);
  return stdout + stderr;
};

/** Each: a name, the project's files, and how it is run there: `run(folder)` gives what was printed, or a promise of it. */
export const NODE_ROWS = [
  { name: 'Node, import', files: { 'main.mjs': MAIN }, run: node('main.mjs') },
  { name: 'connect-es, server.fetch', files: { 'main.mjs': MAIN_CONNECT }, run: node('main.mjs') },
  {
    name: 'Node, require',
    files: { 'program.cjs': PROGRAM_CJS, 'main.cjs': "require('./program.cjs').program().then(console.log);\n" },
    run: node('main.cjs'),
  },
  {
    name: 'Node, worker_threads',
    files: {
      'worker.mjs': MAIN,
      'main.mjs': "import { Worker } from 'node:worker_threads';\nnew Worker(new URL('worker.mjs', import.meta.url));\n",
    },
    run: node('main.mjs'),
  },
  {
    name: 'node:test',
    files: {
      'program.test.mjs':
        "import { test } from 'node:test';\nimport { program } from './program.mjs';\ntest('runs', async () => console.log(await program()));\n",
    },
    run: node('--test', 'program.test.mjs'),
  },
];
