// How the page is built: static files that work from any path, under a strict Content-Security-Policy.

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

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [svelte(), contentSecurityPolicy],
  worker: { format: 'es' },
  // The scenarios and the package are beside this folder.
  server: { fs: { allow: ['..'] } },
  build: {
    outDir: '../target/www',
    emptyOutDir: true,
    target: ['chrome109', 'firefox115', 'safari16.4'],
    modulePreload: { polyfill: false },
    // The module's bytes are in the package's code.
    chunkSizeWarningLimit: 2500,
    // On a busy machine everything takes long.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
