// How the page is built: static files that work from any path, under a strict Content-Security-Policy.

import { dirname, join } from 'node:path';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

import { firstPicture, inlineStyle } from './build/first-picture.js';
import { offline } from './build/offline.js';
import { contentSecurityPolicy } from './build/policy.js';
import { recordedRuns } from './build/recorded-runs.js';
import { share } from './build/share.js';
import { streamedModules } from './build/streamed-modules.js';

// The Worker is an entry of the page's own build: both load one copy of the package. By itself Vite would give it a second one.
const WORKER = "new URL('./checker.worker.ts', import.meta.url)";
const workerSharesChunks: Plugin = {
  name: 'worker-shares-chunks',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (!code.includes(WORKER)) return;
    const worker = this.emitFile({ type: 'chunk', id: join(dirname(id), 'checker.worker.ts'), name: 'checker.worker' });
    return code.replace(WORKER, `import.meta.ROLLUP_FILE_URL_${worker}`);
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [streamedModules, svelte(), recordedRuns, share, firstPicture, inlineStyle(), contentSecurityPolicy, workerSharesChunks, offline],
  worker: { format: 'es' },
  // The scenarios and the package are beside this folder.
  server: { fs: { allow: ['..'] } },
  build: {
    outDir: '../target/www',
    emptyOutDir: true,
    target: ['chrome109', 'firefox115', 'safari16.4'],
    // A Worker has no document to put links for its modules into.
    modulePreload: { polyfill: false, resolveDependencies: (_, modules, { hostId }) => (hostId.includes('checker.worker') ? [] : modules) },
    // On a busy machine everything takes long.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
