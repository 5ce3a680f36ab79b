// Consumers that need a test runner, a bundler or a browser; all come with the workspace.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import webpack from 'webpack';

import { inChromium } from './chromium.mjs';
import { MAIN, PROGRAM_CJS, node } from './node-rows.mjs';

const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const BUNDLE = 'dist/bundle.js';
const page = (script) => `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${script}\n`;
const ENTRY = "import { program } from './program.mjs';\nprogram().then(console.log);\n";

/** A bundler's row: its bundle is loaded as a script of a page. */
const bundled = (name, bundle) => ({
  name,
  bundle: BUNDLE,
  files: { 'main.mjs': ENTRY, 'index.html': page(`<script type="module" src="${BUNDLE}"></script>`) },
  async run(folder) {
    await bundle(folder);
    return inChromium(folder);
  },
});

const IMPORTS = JSON.stringify({
  imports: {
    'locket-wasm': './node_modules/locket-wasm/dist/web.js',
    'locket-wasm/stories': './node_modules/locket-wasm/dist/stories.js',
  },
});

export const TOOL_ROWS = [
  {
    name: 'vitest',
    files: {
      'program.test.mjs':
        "import { test } from 'vitest';\nimport { program } from './program.mjs';\ntest('runs', async () => console.log(await program()));\n",
    },
    run: (folder) => node(join(MODULES, 'vitest/vitest.mjs'), 'run', '--root', folder)(folder),
  },
  {
    name: 'jest',
    files: {
      'jest.config.cjs': "module.exports = { transform: {}, testMatch: ['**/*.test.cjs'] };\n",
      'program.cjs': PROGRAM_CJS,
      'program.test.cjs': "const { program } = require('./program.cjs');\ntest('runs', async () => console.log(await program()));\n",
    },
    run: node(join(MODULES, 'jest/bin/jest.js')),
  },
  bundled('esbuild', (folder) =>
    esbuild({ absWorkingDir: folder, entryPoints: ['main.mjs'], outfile: BUNDLE, bundle: true, minify: true, format: 'esm', logLevel: 'error' })),
  bundled('webpack 5', async (folder) => {
    const compiler = webpack({
      context: folder,
      mode: 'production',
      entry: './main.mjs',
      output: { path: join(folder, 'dist'), filename: 'bundle.js' },
      performance: { hints: false },
    });
    const stats = await new Promise((done, failed) => compiler.run((error, result) => (error ? failed(error) : done(result))));
    await new Promise((done) => compiler.close(done));
    if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString('errors-warnings'));
  }),
  bundled('Vite build', (folder) =>
    vite({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: { outDir: 'dist', rolldownOptions: { input: join(folder, 'main.mjs'), output: { entryFileNames: 'bundle.js' } } },
    })),
  {
    name: 'no bundler',
    files: { 'index.html': page(`<script type="importmap">${IMPORTS}</script><script type="module">${MAIN}</script>`) },
    run: inChromium,
  },
];
