// Consumers whose tools are installed in the project, each from an exact version: what they need is no business of the
// workspace's lockfile.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { build as esbuild } from 'esbuild';

import { findChromium } from '../serve/support/page.mjs';
import { ENTRY, ROLLUP, withRollup } from './bundlers.mjs';
import { inChromium } from './chromium.mjs';
import { MAIN, PROGRAM_CJS, node, ran } from './node-rows.mjs';
import { BUNDLE, MODULES, page } from './tool-rows.mjs';

/** Runs a program that came with a package. */
const program = (path, ...args) => (cwd) => ran(join(cwd, 'node_modules', path), args, cwd);

/** A worker runtime: compiles no bytes, so the module is a file that the worker imports. */
const WORKERD_CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = (
  compatibilityDate = "2025-01-01",
  modules = [
    (name = "worker.mjs", esModule = embed "dist/worker.mjs"),
    (name = "simulator.wasm", wasm = embed "node_modules/locket-wasm/dist/simulator.wasm"),
  ],
))]);
`;

/** The oldest compiler that can read the types: what users have is older than ours. */
const TYPESCRIPT = '5.4.5';
const TYPES_OF_NODE = { '@types/node': '20.19.43' };

/** What a user's program touches of the types; with the declarations checked, too. */
const PROGRAM_TS = `import { init, LocketServer, Simulation } from 'locket-wasm';
import { explore } from 'locket-wasm/check';
import { LocketClient } from 'locket-wasm/client';
import type { ModuleSource, SimulationState } from 'locket-wasm/types';
export const load = (module: ModuleSource): Promise<void> => init(module);
export const believers = ({ nodes }: SimulationState): string[] => nodes.filter(({ believes }) => believes).map(({ name }) => name);
export async function moment(client: LocketClient): Promise<Simulation | undefined> {
  await client.withLock({ key: 'bbs', owner: 'bbs-0' }, { maxWait: '1m' }, (signal) => signal.aborted);
  const { setTimeout } = new LocketServer().clock;
  setTimeout((name: string) => name, 1.5, 'a');
  const answer = await explore({ ttl: '15s' });
  return answer.verdict === 'unsafe' ? Simulation.fromLink(answer.link) : undefined;
}
`;
const PROGRAM_TS_NODE = `import { GrpcChannel } from 'locket-wasm/grpc';
import { serve } from 'locket-wasm/serve';
import { withLocket } from 'locket-wasm/testing';
export const made = [GrpcChannel, serve, withLocket(({ client }) => client('a').pause('5s'))];
`;

/** A row that compiles a program, and then runs the one that all rows run. */
const compiled = (name, lib, packages, files) => ({
  name: `TypeScript ${TYPESCRIPT}, ${name}`,
  packages: { typescript: TYPESCRIPT, ...packages },
  files: {
    ...files,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'es2022',
        lib,
        module: 'nodenext',
        moduleResolution: 'nodenext',
        skipLibCheck: false,
        types: Object.keys(packages).map((type) => type.replace('@types/', '')),
        // Those of the workspace are further up.
        typeRoots: ['node_modules/@types'],
      },
      files: Object.keys(files).filter((file) => /\.m?ts$/.test(file)),
    }),
    'main.mjs': MAIN,
  },
  run: (folder) => program('.bin/tsc', '-p', '.')(folder) + node('main.mjs')(folder),
});

/** As main.mjs, after a search of a test that finds what it finds in Node, with the same digest. */
const SEARCH = {
  'leader.cjs': readFileSync(new URL('../testing/leader.cjs', import.meta.url)),
  'main.mjs': `import assert from 'node:assert/strict';
import { LocketClient } from 'locket-wasm';
import { everyFault } from 'locket-wasm/testing';
import { OWN_CLIENTS, ownClients } from './leader.cjs';
await assert.rejects(everyFault({ faults: { lostReply: true } }, ownClients(LocketClient)), OWN_CLIENTS);
${MAIN}`,
};

export const INSTALLED_ROWS = [
  compiled('DOM', ['es2022', 'dom'], {}, { 'types.mts': PROGRAM_TS }),
  compiled('Node', ['es2022'], TYPES_OF_NODE, { 'types.mts': PROGRAM_TS, 'node.mts': PROGRAM_TS_NODE }),
  compiled('DOM and Node', ['es2022', 'dom'], TYPES_OF_NODE, { 'types.mts': PROGRAM_TS, 'node.mts': PROGRAM_TS_NODE }),
  {
    name: 'jest, jsdom',
    packages: { 'jest-environment-jsdom': '30.5.2' },
    files: {
      'jest.config.cjs': "module.exports = { testEnvironment: 'jsdom', transform: {}, testMatch: ['**/*.test.cjs'] };\n",
      'program.cjs': PROGRAM_CJS,
      'program.test.cjs': "const { program } = require('./program.cjs');\ntest('runs', async () => console.log(await program()));\n",
    },
    run: node(join(MODULES, 'jest/bin/jest.js')),
  },
  {
    name: 'vitest, browser mode',
    packages: { vitest: '4.1.12', '@vitest/browser-playwright': '4.1.12', playwright: '1.65.1' },
    files: {
      'program.test.mjs':
        "import { test } from 'vitest';\nimport { program } from './program.mjs';\ntest('runs', async () => console.log(await program()));\n",
      'vitest.config.mjs': `import { playwright } from '@vitest/browser-playwright';
const launchOptions = { executablePath: ${JSON.stringify(findChromium())}, args: ['--no-sandbox'] };
const browser = { enabled: true, headless: true, provider: playwright({ launchOptions }), instances: [{ browser: 'chromium' }] };
export default { test: { browser } };
`,
    },
    run: node('node_modules/vitest/vitest.mjs', 'run'),
  },
  {
    name: 'Rollup',
    bundle: BUNDLE,
    packages: ROLLUP,
    files: { 'main.mjs': ENTRY, 'index.html': page(`<script type="module" src="${BUNDLE}"></script>`) },
    async run(folder) {
      await withRollup(folder, { browser: true }, 'bundle.js');
      return inChromium(folder);
    },
  },
  {
    name: 'workerd',
    needsPlatform: true,
    packages: { workerd: '1.20261117.1' },
    files: {
      'worker.mjs': `import module from 'locket-wasm/simulator.wasm';
import { init } from 'locket-wasm';
import { program } from './program.mjs';
export default { async test() { await init(module); console.log(await program()); } };
`,
      'config.capnp': WORKERD_CONFIG,
    },
    async run(folder) {
      // As wrangler does it: the module stays an import of the bundle.
      const keep = { name: 'keep', setup: (build) => build.onResolve({ filter: /\.wasm$/ }, () => ({ path: './simulator.wasm', external: true })) };
      await esbuild({ absWorkingDir: folder, entryPoints: ['worker.mjs'], outfile: 'dist/worker.mjs', bundle: true, format: 'esm', plugins: [keep], logLevel: 'error' });
      return program('.bin/workerd', 'test', 'config.capnp', '--verbose')(folder);
    },
  },
  { name: 'Deno', needsPlatform: true, packages: { deno: '2.9.6' }, files: SEARCH, run: program('.bin/deno', 'run', '--allow-read', '--allow-env', 'main.mjs') },
  { name: 'Bun', needsPlatform: true, packages: { bun: '1.4.5' }, files: SEARCH, run: program('.bin/bun', 'main.mjs') },
];
