// Consumers that need a bundler or a browser; all come with the workspace.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build as esbuild } from 'esbuild';
import { build as vite, createServer } from 'vite';

import { ENTRY, withWebpack } from './bundlers.mjs';
import { inChromium, visit } from './chromium.mjs';
import { MAIN } from './node-rows.mjs';

export const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));
export const BUNDLE = 'dist/bundle.js';
export const page = (script) => `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${script}\n`;

/** What a page with a strict policy must allow, and no more: nothing is fetched, and no text becomes code. */
const STRICT_POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; script-src 'self' 'wasm-unsafe-eval'">`;

/** A bundler's row: its bundle is loaded as a script of a page. */
const bundled = (name, bundle, head = '') => ({
  name,
  bundle: BUNDLE,
  files: { 'main.mjs': ENTRY, 'index.html': page(`${head}<script type="module" src="${BUNDLE}"></script>`) },
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
  bundled('esbuild, strict CSP', (folder) => esbuild({ absWorkingDir: folder, entryPoints: ['main.mjs'], outfile: BUNDLE, bundle: true, minify: true, format: 'esm', logLevel: 'error' }), STRICT_POLICY),
  bundled('webpack 5', (folder) => withWebpack(folder, { filename: 'bundle.js' })),
  bundled('Vite build', (folder) =>
    vite({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: { outDir: 'dist', rolldownOptions: { input: join(folder, 'main.mjs'), output: { entryFileNames: 'bundle.js' } } },
    })),
  {
    name: 'Vite dev',
    files: { 'main.mjs': ENTRY, 'index.html': page('<script type="module" src="/main.mjs"></script>') },
    async run(folder) {
      const server = await createServer({ root: folder, configFile: false, logLevel: 'error', server: { host: '127.0.0.1', port: 0, hmr: false } });
      try {
        await server.listen();
        return await visit(server.resolvedUrls.local[0]);
      } finally {
        await server.close();
      }
    },
  },
  {
    name: 'Vite build, streamed',
    bundle: BUNDLE,
    files: {
      'main.mjs': `import url from 'locket-wasm/simulator.wasm?url';\nimport { init } from 'locket-wasm';\nimport { program } from './program.mjs';\nawait init(url);\nconsole.log(await program());\n`,
      'index.html': page(`<script type="module" src="${BUNDLE}"></script>`),
    },
    async run(folder) {
      const output = { entryFileNames: 'bundle.js', assetFileNames: '[name][extname]' };
      await vite({ root: folder, base: '/dist/', configFile: false, logLevel: 'error', build: { outDir: 'dist', rolldownOptions: { input: join(folder, 'main.mjs'), output } } });
      return inChromium(folder);
    },
  },
  {
    name: 'Vite build, worker',
    files: {
      'main.mjs': "new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' }).onmessage = ({ data }) => console.log(data);\n",
      'worker.mjs': "import { program } from './program.mjs';\nprogram().then(postMessage);\n",
      'index.html': page(`<script type="module" src="${BUNDLE}"></script>`),
    },
    async run(folder) {
      const output = { entryFileNames: 'bundle.js' };
      const worker = { format: 'es' };
      await vite({ root: folder, base: '/dist/', configFile: false, logLevel: 'error', worker, build: { outDir: 'dist', rolldownOptions: { input: join(folder, 'main.mjs'), output } } });
      return inChromium(folder);
    },
  },
  {
    name: 'no bundler',
    files: { 'index.html': page(`<script type="importmap">${IMPORTS}</script><script type="module">${MAIN}</script>`) },
    run: inChromium,
  },
];
