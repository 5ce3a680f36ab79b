// Bundles for Node: they work from another folder, where neither the package nor its modules are.

import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { build as esbuild } from 'esbuild';

import { ENTRY, ROLLUP, withRollup, withWebpack } from './bundlers.mjs';
import { PROGRAM_CJS, ran } from './node-rows.mjs';
import { NotInstalled } from './project.mjs';

const ENTRY_CJS = "require('./program.cjs').program().then(console.log);\n";

/** Runs a copy of a file or folder of the project where nothing else is; what it printed. */
async function elsewhere(folder, file, run = (copy, cwd) => ran(process.execPath, [copy], cwd)) {
  const other = mkdtempSync(join(tmpdir(), 'locket-elsewhere-'));
  try {
    const name = file.split('/').at(-1);
    cpSync(join(folder, file), join(other, name), { recursive: true });
    return await run(join(other, name), other);
  } finally {
    rmSync(other, { recursive: true });
  }
}

const execute = (file, cwd) => ran(file, [], cwd);

const withEsbuild = (format, entry, outfile) => ({
  name: `esbuild for Node, ${format}`,
  bundle: outfile,
  files: { 'main.mjs': ENTRY, 'main.cjs': ENTRY_CJS, 'program.cjs': PROGRAM_CJS },
  async run(folder) {
    await esbuild({ absWorkingDir: folder, entryPoints: [entry], outfile, bundle: true, platform: 'node', format, logLevel: 'error' });
    return elsewhere(folder, outfile);
  },
});

/** They need nothing that the workspace does not have. */
export const BUNDLE_ROWS = [
  withEsbuild('esm', 'main.mjs', 'dist/bundle.mjs'),
  withEsbuild('cjs', 'main.cjs', 'dist/bundle.cjs'),
  {
    name: 'webpack 5 for Node',
    bundle: 'dist/bundle.cjs',
    files: { 'main.mjs': ENTRY },
    async run(folder) {
      await withWebpack(folder, { target: 'node', filename: 'bundle.cjs' });
      return elsewhere(folder, 'dist/bundle.cjs');
    },
  },
];

/** They install their tool. */
export const INSTALLED_BUNDLE_ROWS = [
  {
    name: 'Rollup for Node',
    bundle: 'dist/bundle.mjs',
    packages: ROLLUP,
    files: { 'main.mjs': ENTRY },
    async run(folder) {
      await withRollup(folder, { exportConditions: ['node'] }, 'bundle.mjs');
      return elsewhere(folder, 'dist/bundle.mjs');
    },
  },
  {
    name: 'bun build --compile',
    needsPlatform: true,
    packages: { bun: '1.4.5' },
    files: { 'main.mjs': ENTRY },
    run(folder) {
      ran(join(folder, 'node_modules/.bin/bun'), ['build', '--compile', 'main.mjs', '--outfile', 'program'], folder);
      return elsewhere(folder, 'program', execute);
    },
  },
  {
    name: 'deno compile',
    needsPlatform: true,
    packages: { deno: '2.9.6' },
    files: { 'main.mjs': ENTRY },
    run(folder) {
      // It downloads the program that runs the result.
      const { status, stderr } = spawnSync(join(folder, 'node_modules/.bin/deno'), ['compile', '--allow-read', '--output', 'program', 'main.mjs'], { cwd: folder, encoding: 'utf8' });
      if (status !== 0 && /dns error|denort/.test(stderr)) throw new NotInstalled(stderr);
      return elsewhere(folder, 'program', execute);
    },
  },
  {
    name: 'Next.js, standalone',
    needsPlatform: true,
    packages: { next: '16.2.4', react: '19.2.7', 'react-dom': '19.2.7' },
    files: {
      'next.config.mjs': `export default { output: 'standalone', outputFileTracingRoot: import.meta.dirname, turbopack: { root: import.meta.dirname } };\n`,
      'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;\n',
      'app/api/route.js': "import { program } from '../../program.mjs';\nexport const dynamic = 'force-dynamic';\nexport const GET = async () => new Response(await program());\n",
    },
    async run(folder) {
      ran(join(folder, 'node_modules/.bin/next'), ['build'], folder);
      return elsewhere(folder, '.next/standalone', (copy) => answerOf(copy));
    },
  },
];

/** What a Next.js server in this folder answers. */
async function answerOf(folder) {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const server = spawn(process.execPath, ['server.js'], { cwd: folder, env: { ...process.env, PORT: `${port}`, HOSTNAME: '127.0.0.1' }, stdio: 'ignore' });
  try {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      await sleep(200);
      const answer = await fetch(`http://127.0.0.1:${port}/api`).catch(() => undefined);
      if (answer !== undefined) return await answer.text();
    }
    throw new Error('the server does not answer');
  } finally {
    server.kill();
  }
}
