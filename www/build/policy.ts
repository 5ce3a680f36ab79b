// The page's Content-Security-Policy: its own files, and of what stands in the page itself only what is known by its hash.

import { createHash } from 'node:crypto';

import type { Plugin } from 'vite';

/** Endpoints of the live view may be anywhere, hence connect-src. Everything else is the page's own. */
function policy(html: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' ${hashes(html, /<script>([\s\S]*?)<\/script>/g)}`,
    `style-src 'self' ${hashes(html, /<style>([\s\S]*?)<\/style>/g)}`,
    "img-src 'self' data:",
    "manifest-src 'self'",
    "worker-src 'self'",
    'connect-src http: https:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashes(html: string, elements: RegExp): string {
  return [...html.matchAll(elements)].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
}

/** Only in what is built: the development server's reloading injects styles. Comes after whatever writes into the page. */
export const contentSecurityPolicy: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => [{ tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy(html) }, injectTo: 'head-prepend' }],
  },
};
