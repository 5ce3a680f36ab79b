// How the page is built: static files that work from any path, under a strict Content-Security-Policy.

import { dirname, join } from 'node:path';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

// Endpoints of the live view may be anywhere, hence connect-src. Everything else is the page's own.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "worker-src 'self'",
  'connect-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

// Only in what is built: the development server's reloading injects styles.
const contentSecurityPolicy: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' },
  ],
};

// The module begins to arrive with the scripts, not after them.
const preloadModule: Plugin = {
  name: 'preload-module',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) =>
      Object.keys(bundle).filter((name) => name.endsWith('.wasm')).map((name) => ({
        tag: 'link', attrs: { rel: 'preload', as: 'fetch', type: 'application/wasm', crossorigin: true, href: `./${name}` }, injectTo: 'head' as const,
      })),
  },
};

// The Worker is an entry of the page's own build: both load one copy of the package. By itself Vite would give it a second one.
const WORKER = "new URL('./checker.worker.ts', import.meta.url)";
const workerSharesChunks: Plugin = {
  name: 'worker-shares-chunks',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (!code.includes(WORKER)) return;
    const worker = this.emitFile({ type: 'chunk', id: join(dirname(id), 'checker.worker.ts'), name: 'checker' });
    return code.replace(WORKER, `import.meta.ROLLUP_FILE_URL_${worker}`);
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [svelte(), contentSecurityPolicy, preloadModule, workerSharesChunks],
  worker: { format: 'es' },
  // The scenarios and the package are beside this folder.
  server: { fs: { allow: ['..'] } },
  build: {
    outDir: '../target/www',
    emptyOutDir: true,
    target: ['chrome109', 'firefox115', 'safari16.4'],
    modulePreload: { polyfill: false },
    // On a busy machine everything takes long.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
