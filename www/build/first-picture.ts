// Draws the first picture into index.html while the page is built: the markup of the page before beat 1 moves, and its styles.
// The browser then shows it before any script, font or other request; the script takes the same markup over.

import { join } from 'node:path';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { type Plugin, runnerImport } from 'vite';

import { recordedRuns } from './recorded-runs.js';

const ROOT = join(import.meta.dirname, '..');

type Pictures = typeof import('../src/pictures.js');

/** What stands for the first picture, and for what is shown without scripts. */
const MARKS = { first: '<!--first-picture-->', still: '<!--without-script-->' };

export const firstPicture: Plugin = {
  name: 'first-picture',
  async transformIndexHtml(html) {
    const { module } = await runnerImport<Pictures>(join(ROOT, 'src/pictures.ts'), { root: ROOT, plugins: [svelte({ emitCss: false }), recordedRuns], logLevel: 'warn' });
    return html.replace(MARKS.first, module.firstPicture()).replace(MARKS.still, module.withoutScript());
  },
};

/** The style sheet of the first view stands in the page itself. */
export const inlineStyle: Plugin = {
  name: 'inline-style',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => html.replace(/<link rel="stylesheet"[^>]*href="\.\/([^"]+)"[^>]*>/, (link, name: string) => {
      const sheet = bundle[name];
      return sheet?.type === 'asset' ? `<style>${String(sheet.source)}</style>` : link;
    }),
  },
};
