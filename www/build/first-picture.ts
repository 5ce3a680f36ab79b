// Draws the first picture into index.html while the page is built: the markup of the page before beat 1 moves, and its styles.
// The browser then shows it before any script, font or other request; the script takes the same markup over.

import { join } from 'node:path';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { type Plugin, runnerImport } from 'vite';

import { recordedRuns } from './recorded-runs.js';

const ROOT = join(import.meta.dirname, '..');

type Pictures = typeof import('../src/pictures.js');

export const firstPicture: Plugin = {
  name: 'first-picture',
  async transformIndexHtml(html) {
    const { module } = await runnerImport<Pictures>(join(ROOT, 'src/pictures.ts'), { root: ROOT, plugins: [svelte({ emitCss: false }), recordedRuns], logLevel: 'warn' });
    return html.replace('<!--first-picture-->', module.firstPicture()).replace('<!--without-script-->', module.withoutScript());
  },
};

/** The styles of the first view stand in the page itself, and nowhere else. */
export function inlineStyle(): Plugin {
  let styles = '';
  return {
    name: 'inline-style',
    apply: 'build',
    // Before Vite links the sheet from the page, and from every script that comes later.
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.facadeModuleId === join(ROOT, 'index.html'));
        if (entry?.type !== 'chunk') return;
        for (const name of entry.viteMetadata?.importedCss ?? []) {
          const sheet = bundle[name];
          if (sheet?.type === 'asset') styles += String(sheet.source);
          delete bundle[name];
        }
        entry.viteMetadata?.importedCss.clear();
      },
    },
    transformIndexHtml: { order: 'post', handler: () => [{ tag: 'style', children: styles, injectTo: 'head' }] },
  };
}
